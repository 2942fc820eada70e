"""Compiles rules with Numba: the machine code of a loop includes every rule that it calls.

Numba makes finished machine code of every function it meets. But most rules are only called by other rules, so that work is
wasted: each one is optimised again inside every caller. Here a rule that compiled code calls is a *piece*: it is typed and
translated to LLVM code once, and its callers include it. That halves the time to a first game. A rule that Python calls is
compiled and cached as usual.

Imported only when rules are compiled. It uses private parts of Numba. With a version of Numba that is not in VERIFIED, `works`
tests it once; where it fails, `jit` compiles by plain `njit`. tests/core/test_jit.py runs both ways.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import pickle
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from bridgehead.core.extras import needs

with needs("lab"):
    import numba
    from llvmlite import ir
    from numba.core import config, sigutils, types
    from numba.core.caching import FunctionCache
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.compiler_machinery import AnalysisPass, register_pass
    from numba.core.registry import CPUDispatcher
    from numba.core.serialize import dumps
    from numba.core.typed_passes import NopythonTypeInference


def _symbol(record: types.Record) -> tuple[str, tuple[()]]:
    """A record's part in the names of machine code.

    Numba names a record by a counter of this process. Cached code of another process could then have the name of code for
    another record, and would run on the wrong one.
    """
    return f"Record_{hashlib.sha256(str(record).encode()).hexdigest()[:24]}", ()


_record: Any = types.Record
_record.mangling_args = property(_symbol)

VERIFIED = ("0.62", "0.64", "0.68")  # versions of Numba with which the tests of the kit passed
DATA = object.__basicsize__ + np.dtype(np.intp).itemsize  # where a record of NumPy keeps the address of its data
OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "boundscheck": False}


class PieceLibrary(JITCodeLibrary):
    """LLVM code that becomes machine code only inside the functions that include it."""

    def _optimize_final_module(self) -> None:
        """Do nothing: the function that includes this one optimises it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class Borrowing(AnalysisPass):
    """Drop reference counting of arrays in a piece that has no arrays except those that its caller holds.

    Each count is an atomic addition: without them, random games of Burning Bridges take 7 % less time.
    """

    _name = "borrowing"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; returns whether the code was changed."""
        models = state.targetctx.data_model_manager
        kinds = [kind for expr, signature in state.calltypes.items() for kind in _handled(expr, signature, state.typemap)]
        if not any(models[kind].contains_nrt_meminfo() for kind in (*kinds, state.return_type)):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


def _handled(expr: Any, signature: Any, typemap: dict[str, Any]) -> tuple[Any, ...]:
    """Types that an operation makes or may copy. Reading from an array, or passing it to another piece, does neither."""
    op = getattr(expr, "op", None)
    if op is None:
        return tuple(signature.args[-1:])  # the type that a statement stores
    if op in ("getitem", "static_getitem"):
        return ()
    if op == "call" and isinstance(typemap[expr.func.name], types.Dispatcher):
        return (signature.return_type,)
    return (signature.return_type, *signature.args)


@functools.cache
def quick_records() -> None:
    """Let machine code take the address of a record's data from the record, if it is there.

    Numba asks Python's buffer protocol for it, and NumPy describes all fields of the record each time: 5 us a record.
    """
    from numba.core import boxing, pythonapi  # a 30th of a second, for nothing where all code is cached

    row = np.zeros(2, [("first", np.int64), ("second", np.int8)])[1]
    if ctypes.c_void_p.from_address(id(row) + DATA).value != row.__array_interface__["data"][0]:
        return

    def address(kind: types.Record, record: Any, unboxing: Any) -> Any:
        builder, byte = unboxing.builder, ir.IntType(8).as_pointer()
        place = builder.gep(builder.bitcast(record, byte), [ir.Constant(ir.IntType(64), DATA)])
        found = builder.load(builder.bitcast(place, byte.as_pointer()))
        return boxing.NativeValue(builder.bitcast(found, unboxing.context.get_value_type(kind)))

    pythonapi._unboxers.functions[types.Record] = address


class RuleCompiler(Compiler):
    """Numba's compiler, with an entry point for Python that takes records quickly."""

    def define_pipelines(self) -> list[Any]:
        """Numba's pipelines."""
        quick_records()
        found: list[Any] = super().define_pipelines()
        return found


class PieceCompiler(Compiler):
    """Numba's compiler up to LLVM code, without an entry point for Python."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, names: Any) -> None:
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
        library = PieceLibrary(targetctx.codegen(), "piece")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, names)

    def define_pipelines(self) -> list[Any]:
        """Numba's pipelines, with Borrowing added."""
        found: list[Any] = super().define_pipelines()
        for each in found:
            each.add_pass_after(Borrowing, NopythonTypeInference)
            each.finalize()
        return found


class Piece(CPUDispatcher):
    """A rule in the form that compiled code calls."""

    def compile(self, sig: Any) -> None:
        """Compile for these argument types, unless that was done before."""
        args, _ = sigutils.normalize_signature(sig)
        with global_compiler_lock:
            if tuple(args) not in self.overloads:
                made = self._compiler.compile(args, None)
                self.targetctx.insert_user_function(made.library, made.fndesc, [made.library])
                self.overloads[tuple(args)] = made._replace(entry_point=made.library)


class Rule(CPUDispatcher):
    """A rule as Python calls it: machine code, cached on disk. Its `piece` is the form that compiled code calls."""

    def __init__(self, function: Any) -> None:
        super().__init__(function, targetoptions=dict(OPTIONS), pipeline_class=RuleCompiler)
        self.piece = Piece(function, targetoptions=dict(OPTIONS), pipeline_class=PieceCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.piece.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.piece.get_overload(sig)


class Entries:
    """Machine code of a function on disk: one file for each combination of argument types, which contains its key.

    Numba numbers these files and keeps an index. If two processes compile a function for different records at the same
    time, one could then run the other's code on its own record.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def save(self, key: object, data: object) -> None:
        """Store the code for a key (argument types, processor, byte code)."""
        path = self._path(key)
        unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
        try:
            unfinished.write_bytes(dumps((str(key), data)))
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    def load(self, key: object) -> object:
        """The code for a key; None if there is none, or if the file is damaged."""
        try:
            stored, data = pickle.loads(self._path(key).read_bytes())
        except (FileNotFoundError, EOFError, pickle.UnpicklingError):
            return None
        return data if stored == str(key) else None

    def flush(self) -> None:
        """Delete all files."""
        for path in self._folder.glob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)

    def _path(self, key: object) -> Path:
        return self._folder / f"{self._name}.{hashlib.sha256(str(key).encode()).hexdigest()[:32]}.nbc"


def compile_rule(function: Any, folder: Path) -> Rule:
    """A rule, or a template bound to a game, whose machine code is kept in `folder`."""
    made: Any = Rule(function)
    with _caching_in(folder):
        made._cache = FunctionCache(function)
    made._cache._cache_file = Entries(Path(made._cache.cache_path), made._cache._impl.filename_base)
    rule: Rule = made
    return rule


@contextlib.contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Set Numba's cache folder for a while. The setting is global and belongs to the caller, so restore it."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def works(folder: Path) -> bool:
    """Whether the kit works with this version of Numba. folder: keeps the answer, one folder for each version.

    The self-test runs in a separate process: a private part that has changed could crash this one.
    """
    if numba.__version__.rpartition(".")[0] in VERIFIED:
        return True
    answer = folder / "kit"
    with contextlib.suppress(OSError):
        return answer.read_text("utf-8") == "works"
    command = [sys.executable, "-m", "bridgehead.core.numba_kit", str(folder)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, env=env, capture_output=True, timeout=300, check=False)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        answer.write_text("works" if done.returncode == 0 else "fails", "utf-8")
    return done.returncode == 0


def _add(row: Any, place: Any) -> Any:
    row.sums[place] += row.step
    return row.sums[place]


def _total(row: Any, count: Any) -> Any:
    found = 0
    for place in range(count):
        found += _add(row, place)
    return found


def self_test(folder: Path) -> None:
    """Compile and run a rule with a piece inside, from two records of different sizes. Errors: AssertionError, or Numba's."""
    add = compile_rule(_add, folder)
    names = {**_total.__globals__, "_add": add}
    total = compile_rule(FunctionType(_total.__code__, names, "_total"), folder)
    for size in (3, 5):
        rows = np.zeros(1, np.dtype((np.record, np.dtype([("step", np.int64), ("sums", np.int64, (size,))]))))
        rows[0].step = 2
        assert [total(rows[0], size), total(rows[0], size)] == [2 * size, 4 * size]
        assert rows[0].sums.tolist() == [4] * size
    assert len(add.piece.overloads) == 2 and not add.overloads, "the rule inside was not a piece"


if __name__ == "__main__":
    self_test(Path(sys.argv[1]) / "self-test")
