"""Several workers over one PostgreSQL and one Redis, in threads of this process or in processes of their own."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis

from bridgehead.server.cluster.peers import ClusterPeers
from bridgehead.server.cluster.redis_bus import Bus
from bridgehead.server.storage.postgres import PostgresStore
from server.live import PATIENCE, Live
from server.servers import Postgres, Redis


class Forgetful(Bus):
    """A bus that loses some of what it is told to pass on."""

    def __init__(self, url: str, channel: str, share: float, seed: int = 1) -> None:
        super().__init__(url, channel)
        self.share, self.lot = share, random.Random(seed)
        self.told = self.lost = 0

    def send(self, table: str, kind: str, content: Any = None) -> None:
        self.told += 1
        if self.lot.random() < self.share:
            self.lost += 1
        else:
            super().send(table, kind, content)


class Cluster:
    """The database and the bus of some workers."""

    def __init__(self) -> None:
        self.postgres, self.redis = Postgres(), Redis()

    def stop(self) -> None:
        self.redis.stop()
        self.postgres.stop()

    @contextmanager
    def workers(
        self, number: int = 2, lost: float = 0.0, bus: str | None = None, place: str = "", **more: Any
    ) -> Iterator[list[Live]]:
        """Workers in this process over an empty database. lost: the share of words that the bus loses; bus: "" for none."""
        place = place or self.postgres.place()
        running: list[Live] = []
        try:
            for index in range(number):
                running.append(self.worker(place, self.redis.url if bus is None else bus, lost, seed=index, **more))
            if bus is None:
                self._wait_for_ears(running)
            yield running
        finally:
            for each in running:
                if each.thread.is_alive():
                    each.stop()

    def _wait_for_ears(self, workers: list[Live]) -> None:
        """Wait until all of them listen: what is said before is lost to whoever does not yet."""
        deadline = time.monotonic() + PATIENCE
        channel = workers[0].app.state.manager.peers.bus._channel
        with redis.Redis.from_url(self.redis.url) as asking:
            while asking.pubsub_numsub(channel)[0][1] < len(workers):
                assert time.monotonic() < deadline
                time.sleep(0.005)

    def worker(self, place: str, bus: str, lost: float = 0.0, seed: int = 0, **more: Any) -> Live:
        store = PostgresStore(place)
        end = Forgetful(bus, store.id, lost, seed) if bus else None
        others = ClusterPeers(store, end)
        return Live(Path(), store=store, others=others, **more)
