"""The steps, each in a file of its own. One that was released is never changed."""
