"""The models of this folder by id, and where in it the entry of each stands. Loads nothing else."""

from typing import Final

MODELS: Final = {"feig": "entry:FEIG"}
