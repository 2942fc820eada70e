"""The command `bridgehead`, also as `python -m bridgehead`."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

AGAIN = 0.01  # seconds after which an interrupt that got lost comes again


def main() -> None:
    """Run the command. Until it is imported, Ctrl-C ends the process as the system does it: without a traceback."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # a shell has a background process ignore Ctrl-C
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from bridgehead.cli import main as run

    signal.signal(signal.SIGINT, interrupt if handler is signal.default_int_handler else handler)
    sys.unraisablehook = interrupt_again
    try:
        run()
    except Exception as error:
        if not _Interrupt.came and not follows_interrupt(error):
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it may be on its way again
        from bridgehead.cli import stop

        stop(error)


class _Interrupt:
    came = False  # then what it broke off may fail for want of it: an object half made has an end that looks for its other half


def interrupt(number: int, frame: FrameType | None) -> None:
    """Ctrl-C: remember that it came, and raise KeyboardInterrupt."""
    _Interrupt.came = True
    signal.default_int_handler(number, frame)


def follows_interrupt(error: BaseException) -> bool:
    """Was an error raised while Ctrl-C was on its way? Python itself does that where a class is made."""
    before = error.__cause__ or error.__context__
    return isinstance(error, KeyboardInterrupt) or (before is not None and follows_interrupt(before))


def interrupt_again(lost: UnraisableHookArgs) -> None:
    """Have Ctrl-C come again if it came where Python ignores errors: where an object ends, the work would just go on.

    It prints other errors that Python ignores, unless Ctrl-C came before.
    """
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        if not _Interrupt.came:
            sys.__unraisablehook__(lost)
        return
    _Interrupt.came = True
    import threading

    again = threading.Timer(AGAIN, _interrupt)
    again.daemon = True
    again.start()


def _interrupt() -> None:
    import _thread
    import threading

    main_thread = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main_thread is not None:
        signal.pthread_kill(main_thread, signal.SIGINT)  # it also wakes what waits
    else:
        _thread.interrupt_main()


if __name__ == "__main__":
    main()
