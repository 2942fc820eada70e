"""Mutants of the rules: small wrong changes of one function each, with Cosmic Ray's operators and two of our own.

A mutant inverts or shifts a comparison, changes a number by one, swaps an arithmetic or bit operator or `and` and `or`,
negates a condition, skips a loop, drops a statement, or drops one part of a chain of `and` or `or`.
"""

from __future__ import annotations

import ast
import copy
import difflib
import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Keyword
from rule_functions import GAMES, files, functions

SWAPS = {
    "ReplaceComparisonOperator": "Eq_NotEq NotEq_Eq Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt",
    "ReplaceBinaryOperator": "Add_Sub Sub_Add Mul_FloorDiv FloorDiv_Mul Mod_FloorDiv BitAnd_BitOr BitOr_BitAnd BitXor_BitOr "
    "LShift_RShift RShift_LShift",
    "ReplaceUnaryOperator": "Delete_Not Delete_Invert Delete_USub",
}
PLAIN = (
    "AddNot ReplaceAndWithOr ReplaceOrWithAnd ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceBreakWithContinue "
    "ReplaceContinueWithBreak NumberReplacer ZeroIterationForLoop"
)


class DropStatement(Operator):
    """Replaces an assignment, a call or an early return by `pass`."""

    KINDS = ("expr_stmt", "atom_expr", "return_stmt", "power")

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if node.type == "simple_stmt" and node.children[0].type in self.KINDS and not is_last_return(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        first = node.children[0].get_first_leaf()
        node.children[0] = Keyword("pass", first.start_pos, first.prefix)
        return node

    @classmethod
    def examples(cls) -> Any:
        return (Example("x = 1\n", "pass\n"), Example("f(x)\n", "pass\n"))


class DropClause(Operator):
    """Leaves one part of `a and b and c`, or of `a or b`, out."""

    def mutation_positions(self, node: Any) -> Iterator[Any]:
        if node.type in ("and_test", "or_test"):
            for part in node.children[::2]:
                yield part.start_pos, part.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        first = node.children[0].get_first_leaf()
        prefix, first.prefix = first.prefix, " "
        at = 2 * index
        del node.children[max(0, at - 1) : at + 1 if at else at + 2]
        node.children[0].get_first_leaf().prefix = prefix
        return node

    @classmethod
    def examples(cls) -> Any:
        return (Example("x = a and b and c", "x = b and c"), Example("x = a or b", "x = a", occurrence=1))


def is_last_return(node: Any) -> bool:
    """Is the statement the return at the end of a function's body? Without it, everything would be None."""
    suite = node.parent
    return bool(
        node.children[0].type == "return_stmt"
        and suite.type == "suite"
        and suite.parent.type == "funcdef"
        and suite.children[-1] is node
    )


class Mutant(NamedTuple):
    """One mutated function: `code` is its whole source, `diff` the difference, `line` the first changed line in the file."""

    key: str
    file: str
    function: str
    line: int
    diff: str
    code: str


def operators() -> Iterator[Any]:
    """An instance of every operator in use."""
    for family, swaps in SWAPS.items():
        for swap in swaps.split():
            yield get_operator(f"core/{family}_{swap}")()
    for name in PLAIN.split():
        yield get_operator(f"core/{name}")()
    yield from (DropStatement(), DropClause())


def mutants(game: str, only: list[str] | None = None) -> list[Mutant]:
    """Every mutant of a game's rules, in the order of the files, without equivalent ones."""
    found = []
    for name in only or files(game):
        for function, line, source in functions(GAMES / game / name):
            found += list(of_function(name, function, line, source))
    return found


def of_function(file: str, function: str, line: int, source: str) -> Iterator[Mutant]:
    """The mutants of one function, each with a key that survives changes elsewhere in the file."""
    seen, keys = {meaning(source)}, set()
    for operator in operators():
        places = [place for node in ast_nodes(get_ast(source)) for place in operator.mutation_positions(node)]
        for occurrence in range(len(places)):
            code = mutate_code(source, operator, occurrence)
            try:
                key = meaning(code)
            except SyntaxError:
                continue
            if key in seen:
                continue
            seen.add(key)
            changed = changes(source, code)
            key = base = f"{file[:-3]}.{function} {hashlib.sha256(changed.encode()).hexdigest()[:8]}"
            number = 1
            while key in keys:
                number += 1
                key = f"{base}.{number}"
            keys.add(key)
            yield Mutant(key, file, function, line + places[occurrence][0][0] - 1, changed, code)


def changes(before: str, after: str) -> str:
    """The changed lines, as `- ...` and `+ ...`."""
    lines = difflib.ndiff([line.strip() for line in before.splitlines()], [line.strip() for line in after.splitlines()])
    return "\n".join(line for line in lines if line[0] in "+-")


def meaning(source: str) -> str:
    """A normal form: double negations are removed, negated comparisons become comparisons."""
    return ast.dump(Plainer().visit(ast.parse(source)))


class Plainer(ast.NodeTransformer):
    """Moves `not` into comparisons, and removes pairs of `not`."""

    OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
        ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    }  # fmt: skip

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        inner = node.operand
        if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not):
            return inner.operand
        if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and type(inner.ops[0]) in self.OPPOSITES:
            turned = copy.deepcopy(inner)
            turned.ops = [self.OPPOSITES[type(inner.ops[0])]()]
            return turned
        return node
