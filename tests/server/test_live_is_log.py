"""What a server holds in memory is what its log says, and a game that is over stays over: see `live_is_log`."""

from pathlib import Path
from typing import Any

from server.interleaving import Page, World, driven
from server.live_is_log import MINI, PERSON, run, sealing_messages


def test_live_is_log_after_every_message() -> None:
    run(12, 25)


def seal_all(world: World, pages: list[Page], but: Any = None) -> None:
    """Let pages answer sealed chance until nothing is owed but by the page `but`."""
    while owed := [(page, message) for page in pages if page is not but for message in sealing_messages(page)]:
        for page, message in owed:
            page.say(**message)
        world.quiet()


def begun(world: World, level: int) -> tuple[Any, list[Page], str]:
    """A sealed table of two with its first draws, its pages, and the host's token."""
    table, tokens, host = world.table(game="barricade", options={**MINI, "seats": 2}, seats=[PERSON] * 2, level=level)
    pages = [world.come(table.id, str(token), brief=False) for token in tokens]
    world.quiet()
    seal_all(world, pages)
    return table, pages, host


def stays_over(world: World, pages: list[Page], late: Page, message: dict[str, Any]) -> None:
    """The late message is refused, the end stands in every view, and after a restart the table opens with it."""
    assert all(page.view["outcome"]["reason"] == "resigned" for page in pages)
    call = late.say(**message)
    world.quiet(6)
    assert call.answer is not None and (call.answer["t"], call.answer["code"]) == ("rej", "closed"), call.answer
    world.kill(0)
    world.start(0)
    again = [world.come(page.hello.message["table"], *page.tokens, brief=False) for page in pages]
    world.quiet(6)
    assert [page.bye for page in again] == [{}, {}]
    assert all(page.view["outcome"] == pages[0].view["outcome"] and page.view["actor"] == -2 for page in again)


def test_a_link_that_comes_after_the_end_does_not_bring_a_live_game_back(tmp_path: Path) -> None:
    with driven(tmp_path / "log") as world:
        _, pages, _ = begun(world, 2)
        while not (late := next((page for page in pages if sealing_messages(page)), None)):
            acting = next(page for page in pages if page.view.get("choices"))
            acting.act(acting.view["choices"][0]["action"])
            world.quiet()
        other = pages[1 - pages.index(late)]
        seal_all(world, pages, but=late)
        message = sealing_messages(late)[0]
        assert message["t"] == "reveal" and message["e"] >= 0, "a link for a draw is under way"
        other.say(t="ask", what="resign", v=other.view["v"])
        world.quiet()
        stays_over(world, pages, late, message)


def test_an_opening_that_comes_after_the_end_does_not_bring_a_game_back(tmp_path: Path) -> None:
    with driven(tmp_path / "log") as world:
        _, (first, second), _ = begun(world, 1)
        second.seat(1, "computer", level="random")
        world.quiet()
        second.seat(1, "back")
        world.quiet()
        seal_all(world, [first])
        while sealing_messages(second)[0]["t"] == "seal":
            second.say(**sealing_messages(second)[0])
            world.quiet()
            seal_all(world, [first])
        message = sealing_messages(second)[0]
        while acting := next((page for page in (first, second) if page.view.get("choices")), None):
            acting.act(acting.view["choices"][0]["action"])
            world.quiet()
        assert first.view["actor"] == -1, "the next die waits for the opening"
        second.say(t="ask", what="resign", v=second.view["v"])
        world.quiet()
        stays_over(world, [first, second], second, message)
