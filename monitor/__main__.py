"""Lets `python -m monitor` be the command."""

from monitor.cli import main

if __name__ == "__main__":
    main()
