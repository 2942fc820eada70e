"""Gradients of a PDF: a shading for the colours, and a mask for what is see-through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFAxialShading,
    PDFDictionary,
    PDFExponentialFunction,
    PDFName,
    PDFRadialShading,
    PDFResourceDictionary,
    PDFStitchingFunction,
    PDFStream,
)  # fmt: skip
from reportlab.pdfgen.canvas import Canvas

from bridgehead.core.look import Gradient, parse_colour

Box = tuple[float, float, float, float]  # left, top, width, height
ANYWHERE: Box = (-9999, -9999, 19998, 19998)
UNIT: Box = (0, 0, 1, 1)


class Shader:
    """The gradients of one canvas, each stored once."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas: Any = canvas
        self._known: dict[Gradient, tuple[str, PDFDictionary | None]] = {}

    def fill(self, gradient: Gradient, box: Box) -> None:
        """Paint what is not clipped. box: around the shape, in the units of the drawing; not empty."""
        if not gradient.absolute:
            self._canvas.transform(box[2], 0, 0, box[3], box[0], box[1])
        if gradient not in self._known:
            self._known[gradient] = self._define(gradient)
        shading, mask = self._known[gradient]
        if mask:
            self._use(mask)
        self._canvas._shadingUsed[shading] = shading
        self._canvas._code.append(f"/{shading} sh")

    def hide_but(self, code: str, box: Box) -> None:
        """Until the state is restored, paint only what `code` paints white on black."""
        self._use(self._mask(code, box, PDFResourceDictionary()))

    def _use(self, mask: PDFDictionary) -> None:
        states = self._canvas._extgstate._c  # of this page or form
        name = states.setdefault(("SMask", mask), f"gRLs{len(states)}")
        self._canvas._code.append(f"/{name} gs")

    def _mask(self, code: str, box: Box, resources: PDFResourceDictionary) -> PDFDictionary:
        """A mask: what is black is see-through."""
        left, top, width, height = box
        group = PDFDictionary({"S": PDFName("Transparency"), "CS": PDFName("DeviceGray")})
        facts = {"Type": PDFName("XObject"), "Subtype": PDFName("Form"), "Group": group}
        facts |= {"BBox": PDFArray([left, top, left + width, top + height]), "Resources": resources}
        self._canvas._doc.ensureMinPdfVersion("transparency")
        drawn = self._canvas._doc.Reference(PDFStream(PDFDictionary(facts), code))
        return PDFDictionary({"Type": PDFName("Mask"), "S": PDFName("Luminosity"), "G": drawn})

    def _define(self, gradient: Gradient) -> tuple[str, PDFDictionary | None]:
        """A shading and, if the gradient is see-through somewhere, its mask."""
        found = [(stop.offset, parse_colour(stop.colour) or (0, 0, 0)) for stop in gradient.stops]
        shading = self._shading(gradient.geometry, found, "DeviceRGB")
        if all(stop.opacity == 1 for stop in gradient.stops):
            return shading, None
        shown = self._shading(gradient.geometry, [(stop.offset, (stop.opacity,)) for stop in gradient.stops], "DeviceGray")
        resources = PDFResourceDictionary()
        resources.setShading({shown: shown})
        return shading, self._mask(f"/{shown} sh", ANYWHERE if gradient.absolute else UNIT, resources)

    def _shading(self, geometry: Sequence[float], colours: Sequence[tuple[float, Sequence[float]]], space: str) -> str:
        kind = PDFAxialShading if len(geometry) == 4 else PDFRadialShading
        places = geometry if len(geometry) == 4 else (*geometry[:2], 0, *geometry)
        made = kind(*places, Function=_function(colours), ColorSpace=space, Extend="[true true]")
        return str(self._canvas._doc.addShading(made))


def _function(colours: Sequence[tuple[float, Sequence[float]]]) -> PDFExponentialFunction | PDFStitchingFunction:
    """The colours between those at their offsets."""
    inner = [each for each in colours if 0 < each[0] < 1]
    whole = [(0.0, colours[0][1]), *inner, (1.0, colours[-1][1])]
    parts = [PDFExponentialFunction(N=1, C0=a, C1=b) for (_, a), (_, b) in zip(whole, whole[1:], strict=False)]
    if len(parts) == 1:
        return parts[0]
    return PDFStitchingFunction(parts, [offset for offset, _ in inner], [0.0, 1.0] * len(parts), Domain="[0.0 1.0]")
