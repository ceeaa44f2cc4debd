"""PostgreSQL and Mosquitto of Debian's packages, each in a folder of its own, for as long as somebody needs them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

import psycopg

from simulators import processes
from simulators.processes import End

#: PostgreSQL refuses to run as root: then as the user that the package made.
POSTGRES_USER: Final = "postgres"
#: As Debian sets it up, but reached by a socket alone, and by no more than its users here.
_SETTINGS: Final = {"listen_addresses": "", "max_connections": "40"}
START_S: Final = 60.0


class NotInstalled(Exception):
    """A program that is not on this machine. The text says which package has it."""


class DoesNotStart(Exception):
    """A program that is there and ends at once. The text says where it says why."""


class Postgres:
    """A server that can be killed and started again. Its superuser is `owner`, without a password."""

    def __init__(self) -> None:
        """Made and started. Raises `NotInstalled`, `DoesNotStart`."""
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
        if not found:
            raise NotInstalled("PostgreSQL is not installed: apt install postgresql")
        self._bin = found[-1].parent
        self.folder = Path(tempfile.mkdtemp(prefix="tablectl-pg-"))
        self._process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            shutil.chown(self.folder, POSTGRES_USER, POSTGRES_USER)
        initdb = ["initdb", "--pgdata", str(self.folder / "data"), "--username", "owner", "--auth", "trust"]
        done = self._as_user([*initdb, "--encoding", "UTF8", "--locale", "C", "--no-sync"])
        if done.wait(START_S):
            raise DoesNotStart(f"initdb failed; {self.folder}.log says why")
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    def _as_user(self, words: list[str]) -> subprocess.Popen[bytes]:
        """A program of PostgreSQL: it removes its shared memory where it is told to end at once."""
        end = End(signal=signal.SIGQUIT, user=POSTGRES_USER if os.geteuid() == 0 else None)
        with (self.folder.parent / f"{self.folder.name}.log").open("ab") as log:
            return processes.start([self._bin / words[0], *words[1:]], end=end, stdout=log, stderr=log, cwd="/")

    def start(self) -> None:
        """Until it answers. Raises `DoesNotStart`."""
        settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        self._process = self._as_user(["postgres", "-D", str(self.folder / "data"), "-k", str(self.folder), *settings])
        _await(self._answers, self._process, f"PostgreSQL does not start; {self.folder}.log says why")

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.conninfo("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """At once, as in a crash; what was committed stays."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(START_S)
            self._process = None

    def kill(self) -> None:
        """`kill -9` of the server and of all its processes."""
        if self._process is None:
            return
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        self.stop(signal.SIGKILL)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        while any(_holds_memory(Path("/proc", child, "stat")) for child in children):
            time.sleep(0.01)

    def remove(self) -> None:
        """With everything that was in it."""
        self.stop()
        shutil.rmtree(self.folder)
        (self.folder.parent / f"{self.folder.name}.log").unlink()

    def conninfo(self, database: str, user: str = "owner") -> str:
        """How a database of it is reached."""
        return f"host={self.folder} dbname={database} user={user}"

    def run(self, sql: str, database: str = "postgres") -> None:
        """As its owner."""
        with psycopg.connect(self.conninfo(database), autocommit=True) as connection:
            connection.execute(sql.encode())


def _await(answers: Callable[[], bool], process: subprocess.Popen[bytes], reason: str) -> None:
    """Until it does. Raises `DoesNotStart` with this reason where its process ended."""
    while not answers():
        if process.poll() is not None:
            raise DoesNotStart(reason)
        time.sleep(0.02)


def _holds_memory(stat: Path) -> bool:
    """Whether this process is there, and no zombie."""
    try:
        return stat.read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Mosquitto:
    """A broker with the configuration that `tablectl pit broker` makes."""

    def __init__(self, folder: Path) -> None:
        """`folder`: what that command made. Raises `NotInstalled`."""
        found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        if found is None:
            raise NotInstalled("Mosquitto is not installed: apt install mosquitto")
        self._program = found
        self._config = folder / "mosquitto.conf"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Until it listens. Raises `DoesNotStart`."""
        self._as_root()
        self._process = processes.start([self._program, "-c", str(self._config)], stderr=subprocess.DEVNULL)
        reason = f"Mosquitto does not start: mosquitto -c {self._config}"
        _await(lambda: is_listening(self._port), self._process, reason)

    def reload(self) -> None:
        """It reads its configuration and permissions anew."""
        self._as_root()
        if self._process is not None:
            self._process.send_signal(signal.SIGHUP)

    def _as_root(self) -> None:
        """Where it starts as root it would become another user, who cannot read the keys."""
        config = self._config.read_text(encoding="utf-8")
        if os.geteuid() == 0 and "\nuser root\n" not in config:
            self._config.write_text(f"{config}user root\n", encoding="utf-8")

    @property
    def _port(self) -> int:
        lines = self._config.read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("listener ")).split()[1])

    def kill(self) -> None:
        """At once; it keeps nothing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def free_port() -> int:
    """One that nobody listens at now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def is_listening(port: int) -> bool:
    """Whether somebody does, on this machine."""
    with socket.socket() as knock:
        return knock.connect_ex(("127.0.0.1", port)) == 0
