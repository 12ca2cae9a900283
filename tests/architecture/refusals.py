"""Reads from the source with which code and status each refusal is made."""

import ast
import functools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.architecture.source import modules


class Refusal(NamedTuple):
    """A refusal in the source; `status` is None where it is not written down in that place."""

    place: str
    code: str
    status: int | None


class Maker(NamedTuple):
    """A class or function that makes refusals: the position of its `code`, and the status."""

    position: int
    status: int | None


MAKERS = {"Refused": Maker(0, 422), "PairingRefused": Maker(0, 409)}
# Faults and errors whose code becomes the code of a refusal, or a part of it.
MAKERS |= {
    name: Maker(0, None)
    for name in ("BadBackup", "BadName", "BadSheet", "BadTable", "LineUpFault", "SquadFault")
}


@functools.cache
def refusals() -> list[Refusal]:
    """All refusals in the source whose code is written out."""
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in modules().items()}
    makers = _all_makers(trees.values())
    return [
        Refusal(f"{name}:{call.lineno}", code, _status(call, makers))
        for name, tree in trees.items()
        for call, argument in _refusing_calls(tree, makers)
        for code in _written_codes(argument, tree)
    ]


def _all_makers(trees: Iterable[ast.AST]) -> dict[str, Maker]:
    """`MAKERS` and all functions that pass their own `code` on to one of them."""
    makers, count = dict(MAKERS), 0
    functions = [
        (node, [argument.arg for argument in node.args.args])
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]
    functions = [(function, names) for function, names in functions if "code" in names]
    while len(makers) > count:
        count = len(makers)
        for function, names in functions:
            for call, argument in _refusing_calls(function, makers):
                if getattr(argument, "id", "") == "code":
                    position = names.index("code") - (names[0] == "self")
                    makers.setdefault(function.name, Maker(position, _status(call, makers)))
    return makers


def _refusing_calls(tree: ast.AST, makers: dict[str, Maker]) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Each call of a maker, with the argument that is the code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := _called(node)) in makers:
            named = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            yield from ((node, code) for code in named or node.args[makers[name].position :][:1])


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _status(call: ast.Call, makers: dict[str, Maker]) -> int | None:
    for keyword in call.keywords:
        if keyword.arg == "status":
            return keyword.value.value if isinstance(keyword.value, ast.Constant) else None
    return makers[_called(call)].status


def _written_codes(argument: ast.expr, tree: ast.Module) -> list[str]:
    """The codes that an argument can be: a text, one of two, or a constant of the module."""
    if isinstance(argument, ast.IfExp):
        choices = (argument.body, argument.orelse)
        return [code for choice in choices for code in _written_codes(choice, tree)]
    if isinstance(argument, ast.Name):
        values = [
            node.value
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == argument.id
        ]
        return [code for value in values for code in _written_codes(value, tree)]
    return [argument.value] if isinstance(argument, ast.Constant) else []
