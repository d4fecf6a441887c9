"""`python -m referee` is `referee`."""

import sys

from referee.cli.main import main

sys.exit(main())
