"""Many simulated tables for a pit server: real chains and signatures, made of the records of hands that were dealt.

Like the stage it may use `tablectl`. A table here has no controller: `hands` takes the records of a real journal apart,
`tables` makes a chain of any length of them, `client` sends it as an uplink does, `fleet` runs any number of them.
"""
