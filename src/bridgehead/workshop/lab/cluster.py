"""Parts of a plan on a Ray cluster: each part is a task that may be repeated anywhere.

A part consists of a few words and numbers, its result of the bytes of an array, so no data from a user is unpickled.
Anybody with access to Ray's ports can run code there. So a remote cluster must be on a private network and use Ray's TLS,
in which both sides present a certificate.
"""

from __future__ import annotations

import io
import ipaddress
import itertools
import os
import re
import socket
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.extras import require
from bridgehead.workshop.lab.running import Executor, RowBlock, make

Array = np.ndarray[Any, Any]
HERE = "local"  # address that starts a Ray on this machine, which ends with the run
TRIES = 5  # attempts for a part whose worker was killed
STORE = 80 << 20  # bytes of Ray's store; a part's rows take a few thousand
TLS = ("RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT")


def on_ray(address: str, workers: int = 0) -> Executor:
    """An executor on a cluster at HOST:PORT, or (`local`) on a Ray of its own. Errors: OptionError as in `check`; MissingExtra.

    workers: processes of a local Ray; 0: one per core. A remote cluster uses all of its own.
    """
    check(address)
    require("ray")

    def run(parts: Iterable[RowBlock]) -> Iterator[tuple[RowBlock, Array]]:
        ray = _joined(address, workers)
        waiting, going = iter(parts), {}
        try:
            task = ray.remote(num_cpus=1, max_retries=TRIES)(lab_part)
            at_once = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            going = {task.remote(*part): part for part in itertools.islice(waiting, at_once)}
            while going:
                (job,), _ = ray.wait(list(going), num_returns=1)
                part = going.pop(job)
                going |= {task.remote(*each): each for each in itertools.islice(waiting, 1)}
                yield part, _rows(ray, job)
        finally:
            for job in going:
                ray.cancel(job, force=True)
            ray.shutdown()

    return run


def lab_part(*fields: Any) -> bytes:
    """Runs on a worker: the rows of a part, as a NumPy file."""
    out = io.BytesIO()
    np.save(out, make(RowBlock(*fields)), allow_pickle=False)
    return out.getvalue()


def _rows(ray: Any, job: Any) -> Array:
    try:
        return np.asarray(np.load(io.BytesIO(ray.get(job)), allow_pickle=False))
    except ray.exceptions.WorkerCrashedError:
        raise BridgeheadError("lab:error.worker_was_lost_times_over", "--cluster", tries=TRIES + 1) from None


def check(address: str) -> None:
    """Check an address. Errors: OptionError if it is malformed, or remote and public or without TLS."""
    if address == HERE:
        return
    found = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+):(\d{1,5})", address)
    if not found:
        raise OptionError("lab:error.host_port_cluster_s_head", "--cluster", here=HERE)
    numbers = _numbers(found[1].strip("[]"))
    if all(number.is_loopback for number in numbers):
        return
    if not all(number.is_private or number.is_loopback for number in numbers):
        raise OptionError("lab:error.cluster_public_address_whoever_reaches", "--cluster")
    if os.environ.get("RAY_USE_TLS") != "1" or not all(os.environ.get(name) for name in TLS):
        raise OptionError("lab:error.cluster_elsewhere_needs_tls_ray", "--cluster", tls=", ".join(TLS))


def _numbers(host: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    try:
        return [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in socket.getaddrinfo(host, None)]
    except OSError:
        raise OptionError("lab:error.nobody_knows_where", "--cluster", host=host) from None


def _joined(address: str, workers: int) -> Any:
    """Ray, connected. Errors: OptionError, BridgeheadError."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    usual: dict[str, Any] = {"address": address, "log_to_driver": False, "logging_level": "error"}
    if address == HERE:
        number = workers or os.cpu_count() or 1
        usual |= {"num_cpus": number, "object_store_memory": STORE, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    try:
        ray.init(**usual)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise BridgeheadError("lab:error.no_cluster", "--cluster", error=error) from None
    return ray
