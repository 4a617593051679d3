"""`python -m lapse`: the command, where the folder of commands is not on the path."""

import sys

from lapse.faces.cli import main

if __name__ == "__main__":
    sys.exit(main())
