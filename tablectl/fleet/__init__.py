"""Many tables: what travels from a table to the pit server, the process that sends it, and the server that keeps it.

`batches`, `epochs` and `heads` are pure and know neither network nor disk. `uplink` runs next to a table and reads
its public stream; `pit` is the server. Neither is needed for a card to be dealt (ADR 13).
"""
