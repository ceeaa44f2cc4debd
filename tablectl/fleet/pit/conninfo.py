"""How a PostgreSQL database is reached, as libpq takes it: an address, or words such as `host=… dbname=…`."""

from __future__ import annotations

from typing import Final

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

#: What holds where `pit.database` does not say otherwise: a server that is gone is noticed within seconds, so that the
#: tables are told and keep their records.
DEFAULTS: Final = {"application_name": "tablectl pit", "connect_timeout": "5", "tcp_user_timeout": "10000"}


def conninfo_of(database: str, password: str = "") -> str:
    """What libpq connects by: what the configuration says, and what it leaves out. Raises `ValueError` where that is no
    address of a database, or has the password in it."""
    try:
        said = conninfo_to_dict(database)
    except ProgrammingError as wrong:
        raise ValueError(str(wrong).strip()) from None
    if "password" in said:
        raise ValueError("without the password: that stands in a file of its own (database_password, or passfile)")
    return make_conninfo("", **{**DEFAULTS, **said, **({"password": password} if password else {})})
