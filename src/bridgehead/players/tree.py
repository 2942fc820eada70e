"""Templates of Monte Carlo tree search: UCT with one result per seat, chance nodes, truncated rollouts and proven
results.

A node represents a position but does not store it; every descent replays the actions. At a seat's node the seat maximises its
own result (max^n; C. Luckhardt, K. Irani 1986); at a chance node outcomes are visited by weight. Results that follow
from the end of the game are proven upwards (M. Winands et al., Monte-Carlo Tree Search Solver, 2008). `searching(spec)` binds
`rules` to one game; here it is only declared.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace

import numpy as np

from bridgehead.core.jit import bind, require_compiler
from bridgehead.core.kernels import CHOOSING, bind_all, greedy, kernels, random_below, rules, sample_outcome
from bridgehead.core.numerics import log, tanh
from bridgehead.core.spec import CHANCE, OVER, Spec
from bridgehead.players.binding import bind_weights, layout, search_rules_of

FINE = 1 << 30  # resolution of a random draw
LONGEST = 5000  # actions of a rollout in which all look one ahead; then it is evaluated

# parent, first: node numbers (first is 0 without children); siblings are adjacent, in the order of actions. worth: for
# a child of a seat's node, its evaluation one action ahead for that seat; for a child of a chance node, its weight.
# total: sum of each seat's results over all visits; result: each seat's result once the node is proven.
NODE = layout(int32="parent first children action visits", int8="actor proven", float32="worth total:8 result:8")

# The parameters of a search, as one record, so that it is compiled once for all levels. explore: weight of exploration; trust:
# visits that the evaluation one action ahead counts for; scale: of the game's evaluation (at this difference a win is e times
# as likely as a loss); answered: 1: evaluate positions only where the searching seat decides, after the opponents' replies;
# expects: 1: the opponents take what is best one action ahead, and a rollout goes on like that, for all, to the end of the
# game; cut: actions of any other rollout before it is evaluated.
SETTINGS = layout(float64="explore trust scale", int64="answered expects cut seats")


def squash(worth, scale):
    """An evaluation as a result between -1 and 1."""
    return tanh(worth / (2.0 * scale))


def judge(state, law, settings, result):
    """The evaluation of an unfinished position for every seat."""
    for seat in range(settings.seats):
        result[seat] = squash(rules.value(state, law, seat), settings.scale)


def judge_together(state, law, settings, result):
    """The same for a game that judges all seats at once."""
    rules.judge_all(state, law, result)


def grow(nodes, used, index, state, law, settings, out, scratch, result):
    """Create a node's children; False if there is no room. used: number of nodes, as an array of one."""
    count = rules.legal(state, law, out)
    first = used[0]
    if first + count > len(nodes):
        return False
    seat = nodes[index].actor
    for i in range(count):
        child = nodes[first + i]
        scratch[0] = state
        rules.apply(scratch[0], law, out[i])
        child.parent, child.first, child.children, child.action, child.visits = index, 0, 0, out[i], 0
        child.actor, child.proven, child.total[:] = rules.actor(scratch[0], law), 0, 0.0
        if child.actor == OVER:
            rules.returns(scratch[0], law, result)
            child.proven, child.result[: settings.seats] = 1, result[: settings.seats]
        if seat == CHANCE:
            child.worth = rules.weight(state, law, out[i])
        elif child.actor == OVER:
            child.worth = result[seat]
        else:
            child.worth = squash(rules.value(scratch[0], law, seat), settings.scale)
    used[0] = first + count
    nodes[index].first, nodes[index].children = first, count
    return True


def best_child(nodes, index, settings):
    """The child to visit from a seat's node: the best sum of its value and its exploration term."""
    node = nodes[index]
    spread = settings.explore * np.sqrt(log(node.visits + 1.0))
    best, chosen = -np.inf, node.first
    for i in range(node.first, node.first + node.children):
        child = nodes[i]
        if child.proven:
            score = child.result[node.actor] * 10.0
        else:
            known = child.visits + settings.trust
            score = (child.total[node.actor] + settings.trust * child.worth) / known + spread / np.sqrt(known)
        if score > best:
            best, chosen = score, i
    return chosen


def drawn_child(nodes, index, rng):
    """The child to visit from a chance node: drawn from those visited less often than their weight demands.

    So visits are almost proportional to the weights, with far less variance than independent draws.
    """
    first, behind = nodes[index].first, nodes[index].first + nodes[index].children
    mass, tried = 0.0, 1.0
    for i in range(first, behind):
        mass += nodes[i].worth
        tried += nodes[i].visits
    lacking = 0.0
    for i in range(first, behind):
        lacking += max(0.0, tried * nodes[i].worth / mass - nodes[i].visits)
    left, chosen = lacking * random_below(rng, FINE) / FINE, first
    for i in range(first, behind):
        lack = tried * nodes[i].worth / mass - nodes[i].visits
        if lack > 0.0 and left >= 0.0:
            left -= lack
            chosen = i
    return chosen


def expected_child(nodes, index, rng):
    """The child of an opponent's node with the best evaluation one action ahead; a tie is decided at random."""
    first, behind = nodes[index].first, nodes[index].first + nodes[index].children
    best, chosen, ties = -np.inf, first, 0
    for i in range(first, behind):
        if nodes[i].worth > best:
            best, chosen, ties = nodes[i].worth, i, 1
        elif nodes[i].worth == best:
            ties += 1
            if random_below(rng, ties) == 0:
                chosen = i
    return chosen


def roll_out(state, law, settings, out, rng, scratch, result):
    """Play on, some actions at random or, if the opponents are expected to look one action ahead, like that to the end.

    Fills the result of the game, or its evaluation, for every seat.
    """
    for _ in range(LONGEST if settings.expects == 1 else settings.cut):
        seat = rules.actor(state, law)
        if seat == OVER:
            break
        count = rules.legal(state, law, out)
        if seat == CHANCE:
            action = sample_outcome(state, law, out, count, rng)
        elif settings.expects == 1:
            action = greedy(state, law, out, count, rng, scratch, seat)
        else:
            action = out[random_below(rng, count)]
        rules.apply(state, law, action)
    if rules.actor(state, law) == OVER:
        rules.returns(state, law, result)
    else:
        judge(state, law, settings, result)


def prove(nodes, index, seats):
    """Does a node's result follow from its children? That is so if a seat has a win or all children are proven."""
    node = nodes[index]
    if node.first == 0:
        return False
    best, chosen, whole, mass = -np.inf, -1, True, 0.0
    for i in range(node.first, node.first + node.children):
        child = nodes[i]
        if not child.proven:
            whole = False
        elif node.actor != CHANCE and child.result[node.actor] > best:
            best, chosen = child.result[node.actor], i
        mass += child.worth
    if node.actor == CHANCE:
        if whole:
            node.result[:] = 0.0
            for i in range(node.first, node.first + node.children):
                for seat in range(seats):
                    node.result[seat] += nodes[i].result[seat] * nodes[i].worth / mass
            node.proven = 1
    elif whole or best >= 1.0:
        node.result[:seats] = nodes[chosen].result[:seats]
        node.proven = 1
    return node.proven == 1


def search(nodes, used, root, law, settings, simulations, rng, out, scratch, result):
    """Run simulations from the position root[0]; returns how many were done (fewer once it is proven).

    nodes[0] is the root (its actor set); scratch: two states; result: work space, one number per seat.
    """
    for done in range(simulations):
        if nodes[0].proven:
            return done
        scratch[1] = root[0]
        state, index, deciding = scratch[1], 0, True
        while deciding and not nodes[index].proven:
            if nodes[index].first == 0:
                deciding = index == 0 or nodes[index].visits > 0
                if settings.answered == 1:
                    deciding = deciding or nodes[index].actor != nodes[0].actor
                else:  # only the decisions after a chance outcome show its effect, so expand it at once
                    deciding = deciding or nodes[nodes[index].parent].actor == CHANCE
                if not deciding or not grow(nodes, used, index, state, law, settings, out, scratch, result):
                    break
            if nodes[index].actor == CHANCE:
                index = drawn_child(nodes, index, rng)
            elif settings.expects == 1 and nodes[index].actor != nodes[0].actor:
                index = expected_child(nodes, index, rng)
            else:
                index = best_child(nodes, index, settings)
            rules.apply(state, law, nodes[index].action)
        if nodes[index].proven:
            result[: settings.seats] = nodes[index].result[: settings.seats]
        else:
            roll_out(state, law, settings, out, rng, scratch, result)
        proving = nodes[index].proven == 1
        while True:
            node = nodes[index]
            node.visits += 1
            for seat in range(settings.seats):
                node.total[seat] += result[seat]
            if index == 0:
                break
            index = node.parent
            proving = proving and prove(nodes, index, settings.seats)
    return simulations


@functools.cache
def searching(spec: Spec, weights: tuple[float, ...] | None = None) -> SimpleNamespace:
    """The templates bound to one game, compiled at their first call. Call `search`.

    weights: replace those of the game's evaluation. A game may judge all seats at once, with `judge`. Errors: MissingExtra.
    """
    require_compiler()
    mark, hooks = bind_weights(spec, {"value": spec.evaluate.value, "judge_all": spec.evaluate.judge}, weights)
    mark, rules = f"{mark}_search", search_rules_of(spec, **hooks)
    before = bind_all((*CHOOSING, squash), rules, mark, spec.folder, random_below=kernels(spec).random_below)
    judging = judge_together if "judge_all" in hooks else judge
    names = {
        **vars(before),
        "random_below": kernels(spec).random_below,
        "judge": bind(judging, {"rules": rules, **vars(before)}, mark, spec.folder),
    }
    templates = grow, best_child, drawn_child, expected_child, roll_out, prove, search
    return bind_all(templates, rules, mark, spec.folder, **names)
