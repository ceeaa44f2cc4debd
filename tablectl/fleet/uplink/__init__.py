"""Next to a table: follows its public stream and sends it to the pit server. The table deals without it."""
