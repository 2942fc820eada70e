"""docs/understand/architecture.md: the functions from a click to the store are those that a real click enters."""

import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

from server.live import Live

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "src" / "bridgehead" / "server"
LOOP = ("rooms/room_manager.py", "RoomManager._receive")  # goes on when a message has come
DRAWN = ("storage/hash_chain.py", "_draw_nonces")  # once in 64 events
ROW = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", re.M)


def test_the_walk_from_a_click_to_the_store_is_the_documented_one(live: Live) -> None:
    wanted = ROW.findall((ROOT / "docs" / "understand" / "architecture.md").read_text("utf-8"))
    entered: list[tuple[str, str]] = []
    stored = threading.Event()
    page = live.page(live.table(), 0, 1)
    page.act("a2-a3")  # from now on the server waits for the page

    def enter(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and not stored.is_set() and code.co_filename.startswith(str(SERVER)):
            found = (Path(code.co_filename).relative_to(SERVER).as_posix(), code.co_qualname)
            if found == LOOP:
                entered.clear()
            if found not in entered and not found[1].endswith(">"):
                entered.append(found)
            if found == wanted[-1]:
                stored.set()

    live.loop.call_soon_threadsafe(sys.setprofile, enter)
    key = page.send_act(page.view["choices"][0]["action"])
    assert stored.wait(20)
    live.loop.call_soon_threadsafe(sys.setprofile, None)
    page.hear("ack")
    assert key and set(entered) - {DRAWN} == set(wanted)
    assert len(wanted) <= 18, "16 between the first and the last"
