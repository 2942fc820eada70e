"""The answer of a search in words and as data."""

from __future__ import annotations

import shlex
from typing import Any

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.own_boards import find_own_board, headline, name_file, write_arguments
from bridgehead.core.phrases import ENGLISH, Phrase
from bridgehead.workshop.lab.answers.answer import figure, name_player
from bridgehead.workshop.lab.tune.search import ConfirmedSetting, SearchAnswer, SearchRequest
from bridgehead.workshop.lab.tune.settings import Setting
from bridgehead.workshop.lab.tune.wishes import COUNTED, Wish, describe_wish
from bridgehead.workshop.lab.words import Text, join_parts, phrase, sentences, tell, whole


def tell_verdict(answer: SearchAnswer) -> Text:
    """Whether the wishes can be met, and what stands in the way."""
    meets = [each for each in answer.proposals if each.setting.changes and each.meets(answer.wanted)]
    tried = phrase("tune.tried", settings=answer.tried, games=whole(answer.games))
    if answer.base.meets(answer.wanted):
        return sentences(Phrase("tune.fine"), tell_certainty([answer.base], answer), tried)
    if meets:
        return sentences(phrase("tune.found", n=len(meets)), tell_certainty(meets, answer), tried)
    way = phrase("tune.none", wishes=join_parts([wish.words for wish in answer.obstacles], "list.parts"))
    return sentences(way, tell_untold(answer), Phrase("tune.nearest") if answer.proposals else "", tried)


def tell_untold(answer: SearchAnswer) -> Text:
    """That a setting may meet all wishes after all: its intervals miss none of them."""
    shown = [answer.base, *answer.proposals]
    return Phrase("tune.untold") if any(each.judge_all(answer.wanted) == "open" for each in shown) else ""


def tell_certainty(meets: list[ConfirmedSetting], answer: SearchAnswer) -> Text:
    """How many of the settings that meet all wishes do so beyond doubt."""
    sure = sum(each.judge_all(answer.wanted) == "met" for each in meets)
    if sure in (0, len(meets)):
        return Phrase("tune.all_sure" if sure else "tune.none_sure")
    return phrase("tune.some_sure", n=sure)


def list_numbers(proposal: ConfirmedSetting, wanted: tuple[Wish, ...], game: Game) -> list[tuple[Wish, list[Text]]]:
    """Each wish with its measure by every player."""
    found = []
    for wish in wanted:
        lines: list[Text] = []
        for player, measures in proposal.measures.items():
            estimate = measures[wish.measure]
            state = Phrase(f"tune.state.{wish.state(estimate)}")
            lines.append(
                phrase("tune.by", player=name_player(player), value=describe_wish(wish.measure, estimate, game), state=state)
            )
        found.append((wish, lines))
    return found


def tell_losses(proposal: ConfirmedSetting) -> Text:
    """What became worse beyond doubt, and what the game is no longer about."""
    found: list[Text] = [
        phrase(
            "tune.loss", measure=each.label, first=figure(each.first.value), second=figure(each.second.value),
            player=name_player(each.player),
        )
        for each in proposal.worse
    ]  # fmt: skip
    worse = phrase("tune.worse", losses=join_parts(found, "list.parts")) if found else Phrase("tune.worse.none")
    return sentences(worse, phrase("tune.turned", parts=join_parts(proposal.turned, "list.parts")) if proposal.turned else "")


def tell_parts(proposal: ConfirmedSetting, base: Game) -> Text:
    """What each of several changes does to the wish that was missed most; "" for one change."""
    found: list[Text] = []
    for each in proposal.parts:
        times = 1 if each.wish.measure in COUNTED else 100
        value, low, high = (figure(times * number, "+") for number in each.effect[:3])
        change = "; ".join(Setting((each.change,)).words(base))
        found.append(phrase("because.part", change=change, measure=each.wish.words, value=value, low=low, high=high))
    return phrase("tune.parts", parts=join_parts(found, "list.parts")) if found else ""


def tell_board_causes(answer: SearchAnswer) -> list[Text]:
    """What the drawn boards show about the homes."""
    found: list[Text] = []
    for each in answer.causes:
        value, low, high = (figure(100 * number, "+") for number in each.slope[:3])
        feature = Phrase(f"because.board.{each.feature}")
        share, boards = whole(100 * each.explained), each.slope.games
        found.append(phrase("because.board", feature=feature, value=value, low=low, high=high, share=share, boards=boards))
    return [phrase("because", causes=join_parts(found, "list.parts"))] if found else []


def name_board_file(proposal: ConfirmedSetting, base: Game, number: int) -> str:
    """The file of a proposal's board, if its board is an own one: the name of the board with the proposal's number."""
    game = proposal.setting.make_game(base)
    if game is None or find_own_board(game) is None:
        return ""
    name = name_file(game)
    return name.removesuffix(".json") + f"-{number}.json" if any(each.strokes for each in proposal.setting.changes) else name


def list_commands(proposal: ConfirmedSetting, base: Game, file: str) -> dict[str, str]:
    """The commands that play and print a proposal. file: of its board (`name_board_file`)."""
    game = proposal.setting.make_game(base)
    given = [base.spec.id, *(write_arguments(game, file) if game else [])]
    return {name: shlex.join(["bridgehead", name, *given]) for name in ("play", "print")}


def as_data(answer: SearchAnswer, request: SearchRequest, base: Game, language: str = ENGLISH) -> dict[str, Any]:
    """The answer as JSON data; sentences in a language."""

    def proposal(each: ConfirmedSetting, number: int) -> dict[str, Any]:
        file = name_board_file(each, base, number)
        return {
            "rules": each.setting.rules(base), "changes": each.setting.words(base, language),
            "meets": each.meets(answer.wanted), "state": each.judge_all(answer.wanted),
            "states": {wish.text: each.state(wish) for wish in answer.wanted},
            "measures": {player: {name: found._asdict() for name, found in m.items()} for player, m in each.measures.items()},
            "numbers": [
                {"wish": tell(wish.words, language), "players": [tell(line, language) for line in lines]}
                for wish, lines in list_numbers(each, answer.wanted, base)
            ],
            "worse": tell(tell_losses(each), language), "parts": tell(tell_parts(each, base), language),
            "file": file, "board": find_own_board(each.setting.make_game(base) or base) if file else None,
            **list_commands(each, base, file),
        }  # fmt: skip

    data = {
        "request": msgspec.to_builtins(request), "verdict": tell(tell_verdict(answer), language),
        "wishes": {wish.text: tell(wish.words, language) for wish in answer.wanted},
        "causes": [tell(each, language) for each in tell_board_causes(answer)], "base": proposal(answer.base, 0),
        "proposals": [proposal(each, number) for number, each in enumerate(answer.proposals, 1)],
        "obstacles": [wish.text for wish in answer.obstacles], "settings": answer.tried, "games": answer.games,
    }  # fmt: skip
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(data))
    return plain


def write_markdown(answer: SearchAnswer, request: SearchRequest, base: Game, command: str, language: str = ENGLISH) -> str:
    """The answer as Markdown."""

    def say(key: str, **params: object) -> str:
        return tell(phrase(key, **params), language)

    lines = ["# " + say("tune.title", title=headline(base)), "", tell(tell_verdict(answer), language), ""]
    lines += ["- " + tell(wish.words, language) for wish in answer.wanted]
    for number, each in enumerate([answer.base, *(p for p in answer.proposals if p.setting.changes)]):
        lines += ["", "## " + (say("tune.proposal", n=number) if number else say("tune.own").capitalize()), ""]
        lines += ["- " + change for change in each.setting.words(base, language)]
        for wish, found in list_numbers(each, answer.wanted, base):
            lines += ["", tell(wish.words, language) + ":", "", *("- " + tell(line, language) for line in found)]
        if not number:
            lines += ["", *(tell(cause, language) for cause in tell_board_causes(answer))] if answer.causes else []
        else:
            made = list_commands(each, base, name_board_file(each, base, number))
            lines += ["", tell(tell_parts(each, base), language)] if each.parts else []
            lines += ["", tell(tell_losses(each), language), ""]
            lines += [f"    {made['play']}", f"    {made['print']}"]
    lines += ["", say("tune.hedge"), "", say("tune.again", command=f"`{command}`"), ""]
    return "\n".join(lines)
