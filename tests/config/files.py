"""Configurations as tests write them: a shipped one with other words in it, or a text of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tablectl.config.table_file import BadConfig, Config, load
from tablectl.core.validation import Mistake

#: The folder of what is shipped; the table with one game, and its text.
FOLDER: Final = Path(__file__).parents[2] / "config"
SHIPPED: Final = FOLDER / "mesa-1.toml"
GOOD: Final = SHIPPED.read_text(encoding="utf-8")
#: Where its shoe is, and how its light begins.
PORT: Final = 'port = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10K3X7Q-if00-port0"'
LIGHT: Final = 'name = "light"\ndriver = "patlite-lr6"'


def written(folder: Path, text: str) -> Config:
    """What a file with this text says. Raises `BadConfig`."""
    path = folder / "mesa.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def read(folder: Path, *changes: tuple[str, str], text: str = GOOD) -> Config:
    """A configuration with other words in it, each in place of words that stand there once. Raises `BadConfig`."""
    for found, instead in changes:
        assert text.count(found) == 1, f"{found!r} stands there {text.count(found)} times"
        text = text.replace(found, instead)
    return written(folder, text)


def mistakes(folder: Path, *changes: tuple[str, str]) -> list[Mistake]:
    """What is wrong with the table with one game, once words in it are others."""
    with pytest.raises(BadConfig) as caught:
        read(folder, *changes)
    assert {mistake.where for mistake in caught.value.mistakes} == {str(folder / "mesa.toml")}
    return caught.value.mistakes


def antennas(spots: str, *, name: str = "felt", n_antennas: int = 1) -> str:
    """A reader of tags with these spots; with a multiplexer where it has several antennas."""
    mux = f'multiplexer = "gpio-p3"\nantennas = {n_antennas}\n' if n_antennas > 1 else ""
    return f'[[device]]\nname = "{name}"\ndriver = "pn532"\n[device.settings]\nport = "/dev/{name}"\n{mux}{spots}'


def with_devices(*blocks: str) -> tuple[str, str]:
    """Further devices, in front of the light."""
    return f"[[device]]\n{LIGHT}", "\n".join([*blocks, f"[[device]]\n{LIGHT}"])
