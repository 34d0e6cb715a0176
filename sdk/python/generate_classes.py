"""Makes classes of typed dictionaries: the types of answers, whose fields are attributes and keys."""

import ast
import keyword
from dataclasses import dataclass, field


@dataclass
class Field:
    """`attribute` is the field's name as an attribute: `from_` of `from`."""

    key: str
    type: str
    optional: bool
    doc: str | None

    @property
    def attribute(self) -> str:
        taken = keyword.iskeyword(self.key) or self.key in dir(dict)
        return f"{self.key}_" if taken else self.key


@dataclass
class Type:
    bases: list[str]
    fields: list[Field] = field(default_factory=list)
    doc: str | None = None


asked_for = ("markdown", "html", "raw_html", "links", "images", "summary", "json", "screenshot", "actions")
"""Fields of a page that it has when the request asks for them."""
pages = ("Page", "Document")


def classes_of(source: str) -> tuple[str, str]:
    """The module of the classes, and the module that names their optional fields."""
    types: dict[str, Type] = {}
    parts: list[str] = []
    for node in ast.parse(source).body:
        name, found = type_in(node, source)
        if found is None:
            if not isinstance(node, ast.ImportFrom):
                parts.append(ast.get_source_segment(source, node) or "")
            continue
        types[name] = found
        parts.append(class_of(name, found, types))
    missing = [name for name in pages if name not in types]
    if missing:
        raise SystemExit(f"The document has no {missing}: what is asked for would not be required.")
    optional = sorted({each.key for one in types.values() for each in one.fields if each.optional})
    names = ", ".join(f'"{name}"' for name in optional)
    head = "from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload\n\nfrom ._answer import Answer\n\n\n"
    return head + "\n\n".join(parts) + "\n", f"OPTIONAL = frozenset(({names}))\n"


def type_in(node: ast.stmt, source: str) -> tuple[str, Type | None]:
    """The typed dictionary that a statement declares."""
    if isinstance(node, ast.ClassDef):
        bases = [ast.unparse(base) for base in node.bases]
        found = Type([base for base in bases if base != "TypedDict"], doc=ast.get_docstring(node))
        for at, each in enumerate(node.body):
            if isinstance(each, ast.AnnAssign):
                found.fields.append(field_of(ast.unparse(each.target), each.annotation, doc_after(node.body, at)))
        return node.name, found
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "TypedDict":
        fields = node.value.args[1]
        assert isinstance(fields, ast.Dict)
        found = Type([])
        for key, value in zip(fields.keys, fields.values, strict=True):
            assert isinstance(key, ast.Constant)
            found.fields.append(field_of(str(key.value), value, None))
        return ast.unparse(node.targets[0]), found
    return "", None


def doc_after(body: list[ast.stmt], at: int) -> str | None:
    following = body[at + 1] if at + 1 < len(body) else None
    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
        return str(following.value.value).strip()
    return None


def field_of(key: str, annotation: ast.expr, doc: str | None) -> Field:
    optional = isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "NotRequired"
    kind = annotation.slice if optional and isinstance(annotation, ast.Subscript) else annotation
    return Field(key, ast.unparse(kind), optional, doc)


def class_of(name: str, found: Type, types: dict[str, Type]) -> str:
    lines = [f"class {name}({', '.join(found.bases) or 'Answer'}):"]
    if found.doc:
        lines += [f'    """{found.doc}"""', ""]
    lines += ["    __slots__ = ()", ""]
    if not found.fields:
        return "\n".join(lines)
    lines.append("    if TYPE_CHECKING:")
    for each in found.fields:
        has_it = not each.optional or (name in pages and each.key in asked_for)
        kind = each.type if has_it or each.type.endswith("| None") or each.type == "Any" else f"{each.type} | None"
        lines.append(f"        {each.attribute}: {kind}")
        if each.doc:
            lines.append(f'        """{each.doc}"""')
    lines.append("")
    for each in all_fields(found, types):
        lines += ["        @overload", f"        def __getitem__(self, key: Literal[{each.key!r}], /) -> {each.type}: ...", ""]
    lines += ["        @overload", "        def __getitem__(self, key: str, /) -> Any: ...", ""]
    lines.append("        def __getitem__(self, key: str, /) -> Any: ...")
    return "\n".join(lines)


def all_fields(found: Type, types: dict[str, Type]) -> list[Field]:
    """The fields with those of the types that it extends; its own take precedence."""
    inherited = {each.key: each for base in found.bases for each in all_fields(types[base], types)}
    return list({**inherited, **{each.key: each for each in found.fields}}.values())
