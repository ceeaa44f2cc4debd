"""`python -m tests.fuzz TARGET FOLDER RUNS`: one coverage-guided run, with the golden bytes to begin with.

Ends with status 0 after RUNS inputs; else the input that broke a promise is in FOLDER. The same seed, the same inputs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["drivers", "tests.fuzz.targets"]):
    from tests.fuzz.targets import PLANTED, TARGETS

SEED = 1
#: Longest input, in bytes: some frames of every protocol here.
LONGEST = 400


def main(name: str, folder: Path, runs: int) -> None:
    """Does not return."""
    target = PLANTED if name == "planted" else TARGETS[name]
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(target.seeds):
        (corpus / f"{number:02d}").write_bytes(seed)
    options = [f"-runs={runs}", f"-seed={SEED}", f"-max_len={LONGEST}", f"-artifact_prefix={folder}/", "-timeout=60"]
    atheris.Setup(["fuzz", *options, str(corpus)], target.run)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
