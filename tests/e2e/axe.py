"""axe-core on a page: the rules of WCAG 2.2 and good practice that a program can check."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
# With the rules that axe leaves out unless asked.
RUN = """axe.run(document, {
  resultTypes: ["violations"],
  rules: {"label-content-name-mismatch": {enabled: true}, "target-size": {enabled: true}},
})"""


CONTRAST = 'axe.run(document, {resultTypes: ["violations"], runOnly: ["color-contrast"]})'


def findings(page: Page, run: str = RUN) -> list[tuple[str, ...]]:
    """What axe-core finds: impact, rule, place, what to mend, and the element."""
    session = page.context.new_cdp_session(page)  # runs a script in spite of the page's content security policy
    session.send("Runtime.evaluate", {"expression": AXE.read_text("utf-8")})
    found: list[dict[str, Any]] = page.evaluate(run)["violations"]
    session.detach()
    return [
        (each["impact"], each["id"], str(node["target"]), node["failureSummary"], node["html"])
        for each in found
        for node in each["nodes"]
    ]


def check(page: Page, name: str, sizes: Sequence[dict[str, int]] = (DESK, PHONE)) -> None:
    """Check a page in the light theme on a desk and in the dark theme on a phone, and its contrast the other way round."""
    for size, schemes in zip(sizes, (("dark", "light"), ("light", "dark")), strict=False):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for scheme, run in zip(schemes, (CONTRAST, RUN), strict=True):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            expect(page.locator("html")).to_have_attribute("data-theme", scheme)
            assert not (found := findings(page, run)), (name, size, scheme, *found)
