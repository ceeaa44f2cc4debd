"""`python -m tablectl` is `tablectl`."""

import sys

from tablectl.cli import main

sys.exit(main())
