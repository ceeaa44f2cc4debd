"""The models of this folder by id, and where in it the entry of each stands. Loads nothing else."""

from typing import Final

MODELS: Final = {
    "xkeys-xk24": "entry:XKEYS_XK24",
    "xkeys-xk16": "entry:XKEYS_XK16",
    "xkeys-xk60": "entry:XKEYS_XK60",
    "xkeys-xk80": "entry:XKEYS_XK80",
    "xkeys-xk3-pedal": "entry:XKEYS_XK3_PEDAL",
    "xkeys-xk12-si": "entry:XKEYS_XK12_SI",
    "xkeys-xk3-si": "entry:XKEYS_XK3_SI",
    "xkeys-xk12-jog": "entry:XKEYS_XK12_JOG",
    "xkeys-xk12-joystick": "entry:XKEYS_XK12_JOYSTICK",
}
