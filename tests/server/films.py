"""The frames of a replay as they are meant: each with all its items and plates."""

from typing import Any

Frame = dict[str, Any]


def completed(frames: list[Frame]) -> list[Frame]:
    """The frames of one piece of a replay, with what the server leaves out because it has not changed."""
    found: list[Frame] = []
    for frame in frames:
        before: Frame = found[-1] if found else {"items": [], "plates": []}
        items = frame.get("items", before["items"])
        if "patch" in frame:
            old = {item["id"]: item for item in before["items"]}
            out = {*frame["patch"]["gone"], *(change["id"] for _, change in frame["patch"]["put"])}
            items = [item for item in items if item["id"] not in out]
            for place, change in frame["patch"]["put"]:
                items.insert(place, {**old.get(change["id"], {}), **change})
        kept = {key: value for key, value in frame.items() if key != "patch"}
        found.append({**kept, "items": items, "plates": frame.get("plates", before["plates"])})
    return found
