"""pyusb's idea of a way to USB, under a name of ours: who only passes one on need not know pyusb."""

from __future__ import annotations

from typing import TypeAlias

from usb.backend import IBackend

UsbBackend: TypeAlias = IBackend
