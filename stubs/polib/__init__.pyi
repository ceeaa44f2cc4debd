# What the developer's tools and the tests use of polib 1.2.

class POEntry:
    msgid: str
    msgid_plural: str
    msgstr: str
    msgstr_plural: dict[int, str]
    msgctxt: str | None
    previous_msgid: str | None
    comment: str
    tcomment: str
    flags: list[str]
    obsolete: int
    def __init__(
        self,
        *,
        msgid: str = ...,
        msgid_plural: str = ...,
        msgstr: str = ...,
        msgstr_plural: dict[int, str] = ...,
        msgctxt: str | None = ...,
        comment: str = ...,
        tcomment: str = ...,
        flags: list[str] | None = ...,
    ) -> None: ...
    @property
    def fuzzy(self) -> bool: ...
    def translated(self) -> bool: ...

class POFile(list[POEntry]):
    header: str
    metadata: dict[str, str]
    wrapwidth: int
    def __init__(self, *, wrapwidth: int = ...) -> None: ...
    def save(self, fpath: str = ...) -> None: ...
    def to_binary(self) -> bytes: ...
    def untranslated_entries(self) -> list[POEntry]: ...
    def fuzzy_entries(self) -> list[POEntry]: ...
    def obsolete_entries(self) -> list[POEntry]: ...

def pofile(pofile: str, *, wrapwidth: int = ..., check_for_duplicates: bool = ...) -> POFile: ...
