"""`python -m bridgehead`, the same as the command `bridgehead`."""

from bridgehead.cli import main

if __name__ == "__main__":
    main()
