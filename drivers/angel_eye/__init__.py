"""The models of this folder by id, and where in it the entry of each stands. Loads nothing else."""

from typing import Final

MODELS: Final = {"angel-eye": "entry:ANGEL_EYE"}
