"""A PostgreSQL of Debian's package in a folder of its own: one for a test process, with a database for each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from simulators.fleet.debian import Postgres
from tablectl.fleet.pit.schema import migrate


class Cluster(Postgres):
    """A server with a database `made` that has the schema of this program, and an `empty` one."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = count(1)
        self.run("CREATE DATABASE empty")
        self.run("CREATE DATABASE made")
        migrate(self.conninfo("made"))

    def ask_for_password(self, user: str) -> None:
        """Of this user, who is let in without one otherwise."""
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text(encoding='utf-8')}", encoding="utf-8")
        self.run("SELECT pg_reload_conf()")

    @contextmanager
    def database(self, template: str = "made") -> Iterator[str]:
        """The name of a new one, with the schema of this program, or `empty`."""
        name = self.new_name()
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        try:
            yield name
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def user_in(self, role: str) -> str:
        """A new user with this role."""
        name = self.new_name()
        self.run(f"CREATE ROLE {name} LOGIN IN ROLE {role}")
        return name

    def new_name(self) -> str:
        """Of a database or a user."""
        return f"pit_{next(self._numbers)}"
