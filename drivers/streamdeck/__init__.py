"""The models of this folder by id, and where in it the entry of each stands. Loads nothing else."""

from typing import Final

MODELS: Final = {
    "streamdeck-15": "entry:STREAMDECK_15",
    "streamdeck-xl": "entry:STREAMDECK_XL",
    "streamdeck-mini": "entry:STREAMDECK_MINI",
    "streamdeck-pedal": "entry:STREAMDECK_PEDAL",
}
