"""Reads a PDF back: what is drawn where, in points, without the library that wrote it."""

import base64
import re
import zlib
from typing import NamedTuple

Matrix = tuple[float, float, float, float, float, float]
OBJECT = re.compile(rb"(\d+) 0 obj(.*?)endobj", re.S)
TOKEN = re.compile(r"\((?:[^()\\]|\\.)*\)|/[\w.+-]+|-?\d*\.?\d+|[A-Za-z*]+|[\[\]]", re.S)
UPRIGHT: Matrix = (1, 0, 0, 1, 0, 0)


class Box(NamedTuple):
    """The rectangle around one path, in points from the lower left corner of its page."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def size(self) -> tuple[float, float]:
        return round(self.right - self.left, 2), round(self.top - self.bottom, 2)


class Sheet(NamedTuple):
    """A page: its size, all it says, its paths, and those in whose inside alone something is shown."""

    size: tuple[float, float]
    text: str
    boxes: list[Box]
    windows: list[Box]


def read(pdf: bytes) -> list[Sheet]:
    """All pages."""
    objects = {int(number): body for number, body in OBJECT.findall(pdf)}
    return [_sheet(objects, body) for body in objects.values() if re.search(rb"/Type /Page\b(?!s)", body)]


def _sheet(objects: dict[int, bytes], page: bytes) -> Sheet:
    media = re.search(rb"/MediaBox \[\s*0 0 ([\d.]+) ([\d.]+)", page)
    contents = re.search(rb"/Contents (\d+)", page)
    assert media and contents
    sheet = Sheet((float(media[1]), float(media[2])), "", [], [])
    forms = {name.decode(): int(number) for name, number in re.findall(rb"/(FormXob\.\w+) (\d+) 0 R", page)}
    said: list[str] = []
    _drawn(objects, forms, _stream(objects[int(contents[1])]), UPRIGHT, sheet, said)
    return sheet._replace(text=" ".join(said))


def _stream(body: bytes) -> str:
    head, _, rest = body.partition(b"stream")
    data = rest.rpartition(b"endstream")[0].strip()
    if b"ASCII85" in head:
        data = base64.a85decode(data.removesuffix(b"~>"))
    return (zlib.decompress(data) if b"Flate" in head else data).decode("latin-1")


def _times(a: Matrix, b: Matrix) -> Matrix:
    """First a, then b."""
    return (
        a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3], a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5],
    )  # fmt: skip


def _drawn(objects: dict[int, bytes], forms: dict[str, int], code: str, now: Matrix, sheet: Sheet, said: list[str]) -> None:
    kept, numbers, path, name, clip = [], list[float](), list[tuple[float, float]](), "", False
    for token in TOKEN.findall(code):
        if token[0] in "-.0123456789":
            numbers.append(float(token))
            continue
        if token[0] == "(":
            said.append(_words(token))
        elif token[0] == "/":
            name = token[1:]
        elif token == "q":
            kept.append(now)
        elif token == "Q":
            now = kept.pop()
        elif token == "cm":
            now = _times((*numbers[-6:],), now)  # type: ignore[arg-type]
        elif token == "Do" and name in forms:
            _drawn(objects, forms, _stream(objects[forms[name]]), now, sheet, said)
        elif token in ("m", "l", "c"):
            path += [_at(x, y, now) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        elif token == "re":
            x, y, width, height = numbers
            path += [_at(x, y, now), _at(x + width, y + height, now)]
        elif token in ("W", "W*"):
            clip = True
        elif token == "sh":  # a gradient fills what was clipped
            sheet.boxes.append(sheet.windows.pop())
        elif token in ("n", "S", "s", "f", "f*", "F", "B", "B*", "b", "b*") and path:
            xs, ys = [x for x, _ in path], [y for _, y in path]
            (sheet.windows if clip else sheet.boxes).append(Box(min(xs), min(ys), max(xs), max(ys)))
            path, clip = [], False
        numbers = []


def _at(x: float, y: float, now: Matrix) -> tuple[float, float]:
    return x * now[0] + y * now[2] + now[4], x * now[1] + y * now[3] + now[5]


def _words(token: str) -> str:
    plain = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), token[1:-1])
    return re.sub(r"\\(.)", r"\1", plain).encode("latin-1").decode("cp1252", "replace")
