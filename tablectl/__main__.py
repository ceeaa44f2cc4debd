"""`python -m tablectl` is `tablectl`."""

import sys

from tablectl.cli.main import main

sys.exit(main())
