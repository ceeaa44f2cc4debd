"""The pit server: takes the records of many tables, keeps each exactly once, and says how far it has them."""
