"""Compiles rules to WebAssembly: one module that runs in a browser, in Node, or in any other program with a WebAssembly runtime.

Numba translates a rule to LLVM code before it makes machine code of it. Here that code is compiled for WebAssembly instead.
So the module plays by the same rules to the last digit, and its records have NumPy's layout: states and laws are copied as bytes.

An entry is a rule or a loop with example arguments, which give the types. Its parameters become plain ones:

- a record: its address;
- an array (in C order): its address and the length of each dimension;
- a number, true or false: a double, and so is the result;
- a result of several numbers: the address of doubles that receive it, as the last parameter.

Arrays that a rule makes while it runs live in memory that the module takes for itself; it is free again when they are.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import jit, wasm_module
from bridgehead.core.errors import BridgeheadError

SECTION, LAW = "bridgehead", "bridgehead.law"
FORMAT = 1  # of the description in a module
TARGET, FEATURES = "wasm32-unknown-unknown", "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
# Functions that a module may import; JavaScript's `Math` has each under this name.
LINES = "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh", "exp expm1 log log10 log1p log2 pow atan2"
MATH = frozenset(name for line in LINES for name in line.split())
# Functions of Numba that make an error's text in Python, with their bodies: in a module an error ends the call.
ERRORS = re.compile(r"^(define [^\n]*@(?:__excinfo_unwrap_args|_ZN5numba2np8arrayobj\d+ol_raise_)[^\n]*\{\n).*?^\}", re.M | re.S)

# Memory of arrays that rules make. Each has 48 bytes before its data: its count of references at 0, its size at 8, and the
# address of its data at 24, where Numba's code for 64 bits looks for it. What was made last is freed first, so freeing moves
# the top back; and once no array is left, everything is free.
RUNTIME = """
@rule.top = internal global i32 0
@rule.end = internal global i32 0
@rule.base = internal global i32 0
@rule.live = internal global i32 0
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare void @llvm.trap()

define internal ptr @rule.take(i64 %size) noinline {
  %long = add i64 %size, 63
  %whole = trunc i64 %long to i32
  %bytes = and i32 %whole, -16
  %live = load i32, ptr @rule.live
  %more = add i32 %live, 1
  store i32 %more, ptr @rule.live
  %old = load i32, ptr @rule.top
  %end = load i32, ptr @rule.end
  %next = add i32 %old, %bytes
  %fits = icmp ule i32 %next, %end
  br i1 %fits, label %ready, label %grow
grow:
  %wanted = lshr i32 %bytes, 16
  %pages = add i32 %wanted, 16
  %page = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %pages)
  %full = icmp eq i32 %page, -1
  br i1 %full, label %fail, label %more_room
fail:
  call void @llvm.trap()
  unreachable
more_room:
  %begin = shl i32 %page, 16
  %room = shl i32 %pages, 16
  %last = add i32 %begin, %room
  %adjacent = icmp eq i32 %begin, %end
  %base = load i32, ptr @rule.base
  %new_base = select i1 %adjacent, i32 %base, i32 %begin
  %place = select i1 %adjacent, i32 %old, i32 %begin
  store i32 %new_base, ptr @rule.base
  store i32 %last, ptr @rule.end
  br label %ready
ready:
  %at = phi i32 [ %old, %0 ], [ %place, %more_room ]
  %top = add i32 %at, %bytes
  store i32 %top, ptr @rule.top
  %info = inttoptr i32 %at to ptr
  store i64 1, ptr %info
  %size_at = getelementptr i8, ptr %info, i32 8
  store i32 %bytes, ptr %size_at
  %data = getelementptr i8, ptr %info, i32 48
  %data_at = getelementptr i8, ptr %info, i32 24
  store ptr %data, ptr %data_at
  ret ptr %info
}

define internal void @rule.free(ptr %info) noinline {
  %live = load i32, ptr @rule.live
  %fewer = sub i32 %live, 1
  store i32 %fewer, ptr @rule.live
  %none = icmp eq i32 %fewer, 0
  %base = load i32, ptr @rule.base
  %top = load i32, ptr @rule.top
  %at = ptrtoint ptr %info to i32
  %size_at = getelementptr i8, ptr %info, i32 8
  %bytes = load i32, ptr %size_at
  %behind = add i32 %at, %bytes
  %last = icmp eq i32 %behind, %top
  %back = select i1 %last, i32 %at, i32 %top
  %new = select i1 %none, i32 %base, i32 %back
  store i32 %new, ptr @rule.top
  ret void
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %info = call ptr @rule.take(i64 %size)
  ret ptr %info
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {
  %info = call ptr @rule.take(i64 %size)
  ret ptr %info
}

define ptr @NRT_Allocate(i64 %size) {
  %info = call ptr @rule.take(i64 %size)
  %data = getelementptr i8, ptr %info, i32 48
  ret ptr %data
}

define void @NRT_Free(ptr %data) {
  %none = icmp eq ptr %data, null
  br i1 %none, label %done, label %free
free:
  %info = getelementptr i8, ptr %data, i32 -48
  call void @rule.free(ptr %info)
  br label %done
done:
  ret void
}

define ptr @NRT_MemInfo_data_fast(ptr %info) alwaysinline {
  %data = getelementptr i8, ptr %info, i32 48
  ret ptr %data
}

define void @NRT_incref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = add i64 %old, 1
  store i64 %new, ptr %info
  br label %done
done:
  ret void
}

define void @NRT_decref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = sub i64 %old, 1
  store i64 %new, ptr %info
  %unused = icmp eq i64 %new, 0
  br i1 %unused, label %free, label %done
free:
  call void @rule.free(ptr %info)
  br label %done
done:
  ret void
}
"""


class ModuleFunction(NamedTuple):
    """A function of a module: a compiled rule or loop, and arguments as Python would give them."""

    function: Any
    examples: tuple[Any, ...]


class Parameter(NamedTuple):
    """A parameter of an entry. what: "record", "array" or "number"; of: the record, or the type of an array's numbers."""

    name: str
    what: str
    of: str = ""
    dimensions: int = 0


class _Translated(NamedTuple):
    """An entry in LLVM code: the function with plain parameters, and the rule that it calls, with all that this calls."""

    wrapper: str
    rule: str
    parameters: tuple[Parameter, ...]
    gives: int  # how many numbers


def compile_module(
    entries: Mapping[str, ModuleFunction], records: Mapping[str, np.dtype[Any]], facts: Mapping[str, Any], law: bytes = b""
) -> bytes:
    """A module with these functions, which describes itself.

    records: the types of records by their names; facts: about the game, for the description; law: bytes of a law to carry along.
    Errors: BridgeheadError, when a rule cannot be compiled or needs something that a module does not have; MissingExtra.
    """
    jit.require_compiler()
    if not jit.COMPILED:
        raise BridgeheadError("error.wasm_compiling_is_off", "NUMBA_DISABLE_JIT")
    found = {name: _translated(name, entry, records) for name, entry in entries.items()}
    linkable = _object([*(each.wrapper for each in found.values()), *(each.rule for each in found.values())], found)
    imports = wasm_module.list_imports(linkable)
    if odd := sorted(set(imports) - MATH):
        raise BridgeheadError("error.wasm_function_missing", "", functions=", ".join(odd))
    description = {
        "format": FORMAT, **facts, "code": hashlib.sha256(linkable).hexdigest()[:16],
        "records": {name: describe_layout(dtype) for name, dtype in records.items()},
        "entries": {
            name: {"takes": [_plain(each) for each in entry.parameters], "gives": entry.gives} for name, entry in found.items()
        },
    }  # fmt: skip
    customs = {SECTION: json.dumps(description, separators=(",", ":")).encode()} | ({LAW: law} if law else {})
    return wasm_module.module(linkable, found, customs)


def describe_layout(dtype: np.dtype[Any]) -> dict[str, Any]:
    """A record's layout: its size, and the place, type and shape of each field; the type of an inner record is a layout."""
    fields = {}
    for name in dtype.names or ():
        assert dtype.fields is not None
        inner, place = dtype.fields[name][:2]
        kind = describe_layout(inner.base) if inner.base.names else inner.base.name
        fields[name] = {"at": place, "type": kind} | ({"shape": list(inner.shape)} if inner.shape else {})
    return {"size": dtype.itemsize, "fields": fields}


def _plain(parameter: Parameter) -> dict[str, Any]:
    return {name: value for name, value in parameter._asdict().items() if value}


def _translated(name: str, entry: ModuleFunction, records: Mapping[str, np.dtype[Any]]) -> _Translated:
    """An entry in LLVM code. Errors: BridgeheadError."""
    from numba import from_dtype, typeof
    from numba.core import types
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.errors import NumbaError

    try:
        from bridgehead.core.numba_kit import OPTIONS, Piece, PieceCompiler
    except Exception as error:  # a private part of Numba is missing or different, as in `jit`
        raise BridgeheadError("error.wasm_no_target", "numba", why=error) from None

    rule: Any = jit.get_python_function(entry.function)
    kinds = tuple(typeof(example) for example in entry.examples)
    piece: Any = Piece(rule, targetoptions=dict(OPTIONS), pipeline_class=PieceCompiler)
    try:
        with global_compiler_lock:
            piece.compile(kinds)
            made = piece.overloads[kinds]
            code = str(made.library._get_module_for_linking())
            wrapper, gives = _wrapper(piece.targetctx, name, made)
    except NumbaError as error:
        raise BridgeheadError("error.wasm_not_compiled", rule.__qualname__, why=str(error).strip().splitlines()[0]) from None
    if "numba.dynamic.globals" in code:
        raise BridgeheadError("error.wasm_large_table", rule.__qualname__)
    known = {from_dtype(dtype): title for title, dtype in records.items()}
    parameters = []
    for title, kind in zip(rule.__code__.co_varnames, kinds, strict=False):
        if isinstance(kind, types.Array):
            parameters.append(Parameter(title, "array", known.get(kind.dtype) or str(kind.dtype), kind.ndim))
        elif isinstance(kind, types.Record):
            parameters.append(Parameter(title, "record", known[kind]))
        else:
            parameters.append(Parameter(title, "number"))
    return _Translated(wrapper, code, tuple(parameters), gives)


def _wrapper(context: Any, name: str, made: Any) -> tuple[str, int]:
    """LLVM code of a function with plain parameters, which calls a compiled rule; and how many numbers it gives."""
    from llvmlite import ir
    from numba.core import cgutils, types

    double, whole, address = ir.DoubleType(), ir.IntType(32), ir.PointerType(ir.IntType(8))
    kinds, result = made.signature.args, made.signature.return_type
    several = int(getattr(result, "count", 0))  # numbers of a tuple
    taken: list[Any] = []
    for kind in kinds:
        lengths = [whole] * kind.ndim if isinstance(kind, types.Array) else []
        taken += [address, *lengths] if lengths or isinstance(kind, types.Record) else [double]
    gives = ir.VoidType() if several or result == types.none else double
    module = context.create_module(name)
    function = ir.Function(module, ir.FunctionType(gives, taken + [address] * bool(several)), name)
    builder, given = ir.IRBuilder(function.append_basic_block()), iter(function.args)
    arguments = [_argument(context, builder, kind, given) for kind in kinds]
    callee = context.declare_function(module, made.fndesc)
    status, found = context.call_conv.call_function(builder, callee, result, kinds, arguments)
    with builder.if_then(status.is_error, likely=False):
        builder.call(cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), []), "llvm.trap"), [])
        builder.unreachable()
    if several:
        place = builder.bitcast(next(given), double.as_pointer())
        for index, each in enumerate(cgutils.unpack_tuple(builder, found, several)):
            builder.store(context.cast(builder, each, result[index], types.float64), cgutils.gep(builder, place, index))
    if gives == double:
        builder.ret(context.cast(builder, found, getattr(result, "dtype", result), types.float64))
    else:
        builder.ret_void()
    return cgutils.normalize_ir_text(str(module)), several or int(gives == double)


def _argument(context: Any, builder: Any, kind: Any, given: Iterator[Any]) -> Any:
    """An argument as Numba passes it, from the plain parameters that follow."""
    from llvmlite import ir
    from numba.core import types
    from numba.np import arrayobj

    arrays: Any = arrayobj
    value = next(given)
    if isinstance(kind, types.Record):
        return builder.bitcast(value, context.get_value_type(kind))
    if not isinstance(kind, types.Array):
        return context.cast(builder, value, types.float64, kind)
    shape = [builder.zext(next(given), ir.IntType(64)) for _ in range(kind.ndim)]
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], length))
    array = arrays.make_array(kind)(context, builder)
    data = builder.bitcast(value, array.data.type)
    arrays.populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()


def _object(codes: Iterable[str], entries: Iterable[str]) -> bytes:
    """An object file with these entries, from LLVM code for any machine. Errors: BridgeheadError."""
    from llvmlite import binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(TARGET)
    except RuntimeError as error:
        raise BridgeheadError("error.wasm_no_target", "llvmlite", why=error) from None
    machine = target.create_target_machine(features=FEATURES, opt=3, reloc="static", codemodel="default")
    whole = llvm.parse_assembly(RUNTIME)  # it wins over Numba's own functions of these names, which are for linking once
    for code in dict.fromkeys(codes):  # a rule is linked when something before it calls it
        whole.link_in(llvm.parse_assembly(_portable(code)))
    whole.triple, whole.data_layout = TARGET, str(machine.target_data)
    exported = set(entries)
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration and each.name not in exported:
            each.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    return bytes(machine.emit_object(whole))


def _portable(code: str) -> str:
    """LLVM code without the parts for one machine, without symbols that WebAssembly lacks, and without Python's errors."""
    code = re.sub(r"^target (datalayout|triple) .*$", "", code, flags=re.MULTILINE)
    code, cut = ERRORS.subn(r"\1  call void @llvm.trap()\n  unreachable\n}", code)
    code += "declare void @llvm.trap()\n" if cut and "declare void @llvm.trap()" not in code else ""
    return code.replace(" = common ", " = linkonce_odr ")
