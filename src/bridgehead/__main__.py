"""The command `bridgehead`, also as `python -m bridgehead`."""

import signal


def main() -> None:
    """Run the command. Until it is imported, Ctrl-C ends the process as the system does it: without a traceback."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # a shell has a background process ignore Ctrl-C
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from bridgehead.cli import main as run

    signal.signal(signal.SIGINT, handler)
    run()


if __name__ == "__main__":
    main()
