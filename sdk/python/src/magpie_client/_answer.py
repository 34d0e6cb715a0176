from typing import Any

from ._optional import OPTIONAL

FORMATS = frozenset(
    ("markdown", "html", "raw_html", "links", "images", "summary", "json", "screenshot", "actions")
)
"""What a page has when the request asks for it."""


class Answer(dict[str, Any]):
    """An object of the service: a dictionary whose fields are attributes, too.

    `page.markdown` is `page["markdown"]`. A field that Python or a dictionary has a word for gets a `_`: `diff.from_`,
    `source.values_`. An optional field that is absent is None as an attribute, and a KeyError as a key.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        key = name.removesuffix("_")
        for each in (name, key):
            if each in self:
                return self[each]
        if key in FORMATS and "metadata" in self:
            raise AttributeError(f"The page has no `{key}`: name it in `output.formats` of the request.")
        if key in OPTIONAL:
            return None
        raise AttributeError(f"The answer has no field `{name}`; it has {', '.join(self) or 'none'}.")

    def __dir__(self) -> list[str]:
        taken = dir(dict)
        return [*super().__dir__(), *(f"{key}_" if key in taken else key for key in self if key.isidentifier())]
