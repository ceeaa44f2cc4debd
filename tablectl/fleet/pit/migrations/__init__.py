"""The schema of the pit server's PostgreSQL, step by step (Alembic). Its SQL is written out: what is kept is verbatim
bytes, and no class of this program describes them."""
