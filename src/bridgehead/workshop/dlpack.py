"""Arrays of a graphics card for other libraries, without a copy: DLPack around the memory of Numba's device arrays.

NumPy's arrays offer DLPack themselves; Numba's do not. The structures are those of DLPack's C header, version 0.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

CPU, CUDA = 1, 2
KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
NAME = b"dltensor"


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("number", ctypes.c_int32))


class _Kind(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("device", _Device), ("dimensions", ctypes.c_int32), ("kind", _Kind),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64),
    )  # fmt: skip


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Managed._fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))
_held: dict[int, tuple[Any, ...]] = {}  # what a consumer still uses, by the address of its structure


def _drop(address: int) -> None:
    _held.pop(address, None)


def _drop_unused(capsule: int) -> None:
    """The destructor of a capsule that nobody has taken: its consumer would have renamed it."""
    if ctypes.pythonapi.PyCapsule_IsValid(ctypes.c_void_p(capsule), NAME):
        _drop(ctypes.pythonapi.PyCapsule_GetPointer(ctypes.c_void_p(capsule), NAME))


_release, _unused = _Deleter(_drop), _Deleter(_drop_unused)

ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
ctypes.pythonapi.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
ctypes.pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
ctypes.pythonapi.PyCapsule_GetPointer.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
ctypes.pythonapi.PyCapsule_IsValid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)


class DeviceArray:
    """A view of a device array: `torch.from_dlpack`, `jax.dlpack.from_dlpack` and `cupy.from_dlpack` take it without a copy.

    columns, shape: the part of each row of a two-dimensional array, and its shape without the rows.
    """

    def __init__(self, array: Any, columns: slice | None = None, shape: tuple[int, ...] | None = None) -> None:
        self.array = array
        interface = getattr(array, "__cuda_array_interface__", None)
        # The simulator of CUDA keeps its arrays in the memory of the processor.
        self._device, self._base = (CUDA, interface["data"][0]) if interface else (CPU, array._ary.ctypes.data)
        self.dtype = np.dtype(array.dtype)
        row, inner = array.strides[0], tuple(array.shape[1:]) if shape is None else shape
        self.shape = (array.shape[0], *inner)
        steps = [self.dtype.itemsize * int(np.prod(inner[place + 1 :], dtype=int)) for place in range(len(inner))]
        self.strides = (row, *steps)
        self._first = columns.start * self.dtype.itemsize if columns else 0  # byte of the array

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0

    def __dlpack__(self, *, stream: Any = None, **more: Any) -> Any:
        """The capsule. Environments wait for the card at the end of a step, so no stream has to."""
        count = len(self.shape)
        shape = (ctypes.c_int64 * count)(*self.shape)
        strides = (ctypes.c_int64 * count)(*(step // self.dtype.itemsize for step in self.strides))
        kind = _Kind(KINDS[self.dtype.kind], 8 * self.dtype.itemsize, 1)
        tensor = _Tensor(self._base + self._first, _Device(*self.__dlpack_device__()), count, kind, shape, strides, 0)
        managed = _Managed(tensor, None, _release)
        address = ctypes.addressof(managed)
        _held[address] = (managed, shape, strides, self.array)
        return ctypes.pythonapi.PyCapsule_New(address, NAME, ctypes.cast(_unused, ctypes.c_void_p))

    def numpy(self) -> np.ndarray[Any, Any]:
        """A copy in the memory of the processor."""
        whole = np.ascontiguousarray(self.array.copy_to_host())
        return np.ndarray(self.shape, self.dtype, whole.view(np.uint8).reshape(-1), self._first, self.strides).copy()
