"""Pit servers of one store with all that they stand on, each a process, in one folder: database, broker, authority."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from simulators import processes
from simulators.fleet.debian import Mosquitto, Postgres, free_port
from simulators.fleet.programs import TABLECTL, Program, run
from simulators.parts import Parts

CASINO: Final = "Casino de Ejemplo"


class Servers(Parts):
    """Entering raises `NotInstalled`, `DoesNotStart`, `NotStarted`."""

    def __init__(
        self,
        folder: Path,
        *,
        postgres: bool = False,
        mqtt: bool = False,
        count: int = 1,
        overview: int = 0,
        is_idle: bool = False,
    ) -> None:
        """`count`: of pit servers; one alone is heard through a broker. `overview`: the port of the first one's, 0 for
        any free one. `is_idle`: pit servers run where no other process wants to."""
        super().__init__()
        self._folder = folder
        self._has_broker = mqtt
        self._overview = overview
        self.configs = [folder / f"pit-{number}.toml" for number in range(count)]
        self._ports = [free_port() for _ in self.configs]
        self._broker_port = free_port()
        self._needs_postgres = postgres
        #: the database and the broker, where there are any
        self.postgres: Postgres | None = None
        self.broker: Mosquitto | None = None
        self.programs = [
            Program.of_tablectl(config.with_suffix(".log"), "pit", "run", config, says=2, is_idle=is_idle)
            for config in self.configs
        ]
        #: where the overview of each answers
        self.overviews: list[str] = []

    def _begin(self) -> None:
        if self._needs_postgres:
            self.postgres = self._stack.enter_context(Postgres())
            self.postgres.run("CREATE DATABASE pit")
        for number, config in enumerate(self.configs):
            config.write_text("\n".join(self._lines(number)) + "\n", encoding="utf-8")
        run("pit", "init", self.config)
        if self._needs_postgres:
            run("pit", "migrate", self.config)
        if self._has_broker:
            run("pit", "broker", self.config, self._folder / "broker")
            self.broker = self._stack.enter_context(Mosquitto(self._folder / "broker"))
        for program in self.programs:
            self._stack.callback(program.end)
            self.overviews.append(program.start()[1])

    def _lines(self, number: int) -> list[str]:
        overview = self._overview if number == 0 else 0
        lines = ["[pit]", f'casino = "{CASINO}"', f"port = {self._ports[number]}"]
        lines.append(f"overview_port = {overview or free_port()}")
        if self.postgres is not None:
            lines.append(f'database = "{self.postgres.conninfo("pit")}"')
        if self._has_broker:
            lines.append(f'broker = "{self.broker_url}"')
        return lines

    @property
    def config(self) -> Path:
        """Of the first one; all of them have the same store and authority."""
        return self.configs[0]

    def uplink_lines(self, name: str) -> tuple[str, ...]:
        """The section `uplink` of a table with this name."""
        broker = [f'broker = "{self.broker_url}"'] if self._has_broker else []
        return (f'url = "https://127.0.0.1:{self._ports[0]}"', f'name = "{name}"', *broker)

    @property
    def broker_url(self) -> str | None:
        """None where there is no broker."""
        return f"mqtts://127.0.0.1:{self._broker_port}" if self._has_broker else None

    def admit(self) -> None:
        """The broker lets in all tables that are enrolled by now."""
        if self.broker is not None:
            run("pit", "broker", self.config, self._folder / "broker")
            self.broker.reload()

    def enrol(self, config: Path, name: str) -> None:
        """A table with its file, by a code. Raises `NotStarted`."""
        run("uplink", config, "--enrol", said=run("pit", "enrol", self.config, name))
        self.admit()

    def killable(self, dice: random.Random) -> Mapping[str, Callable[[], None]]:
        """How each of them is killed at once and started again; `dice` choose among the pit servers."""
        found = {"pit servers": lambda: _restart(dice.choice(self.programs))}
        if self.postgres is not None:
            found["the database"] = self.restart_postgres
        if self.broker is not None:
            found["the broker"] = self.restart_broker
        return found

    def verified(self) -> subprocess.CompletedProcess[str]:
        """What `tablectl pit verify` says of all that they have."""
        verify = [*TABLECTL, "pit", "verify", str(self.config)]
        return processes.run(verify, capture_output=True, text=True, check=False)

    def restart_broker(self) -> None:
        """Killed at once, and there again."""
        assert self.broker is not None, "there is one"
        self.broker.kill()
        self.broker.start()

    def restart_postgres(self) -> None:
        """Killed at once, and there again."""
        assert self.postgres is not None, "there is one"
        self.postgres.kill()
        self.postgres.start()


def _restart(program: Program) -> None:
    program.kill()
    program.start()
