"""What Alembic runs to bring a database to a schema, on the connection that `tablectl.fleet.pit.schema` gives it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
