"""Processes below another one, by Linux's /proc, and waiting until they are gone."""

from pathlib import Path

from waiting import wait_for


def children(pid: int) -> list[int]:
    """Processes whose parent this is."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def wait_until_gone(pids: list[int]) -> None:
    wait_for(lambda: not any(map(alive, pids)))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
