"""The models of this folder by id, and where in it the entry of each stands. Loads nothing else."""

from typing import Final

MODELS: Final = {"rfid-shoe-pn532": "with_pn532:SHOE", "rfid-shoe-feig": "with_feig:SHOE"}
