"""Writes what follows from the service's document: the types in `inputs.py` and `models.py`, the operations, and the synchronous client.

Run as `python generate.py [FOLDER]`; the folder is that of the package, `src/magpie_client`, unless told.
"""

import json
import keyword
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import unasync
from generate_classes import classes_of

here = Path(__file__).parent
Json = dict[str, Any]

head = '''# Written by generate.py from ../openapi.json: change neither this file nor the document by hand.
'''


def main(package: Path) -> None:
    document = json.loads((here.parent / "openapi.json").read_text())
    operations = [
        operation(document, method, path, spec, shared.get("parameters", []))
        for path, shared in document["paths"].items()
        for method, spec in shared.items()
        if method != "parameters" and answers_whole(spec)
    ]
    write_types(document["components"]["schemas"], operations, package)
    (package / "_async" / "operations.py").write_text(head + operations_module(operations))
    write_sync(package)
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(package)], check=True)


def answers_whole(spec: Json) -> bool:
    """Streams have no answer that is read as a whole; `events()` reads them. Forms with a file are written by hand."""
    media = [kind for answer in spec["responses"].values() for kind in answer.get("content", {})]
    sent = spec.get("requestBody", {}).get("content", {})
    if "multipart/form-data" in sent:
        return False
    return "text/event-stream" not in media and "101" not in spec["responses"]


def operation(document: Json, method: str, path: str, spec: Json, shared: list[Json]) -> Json:
    """What a method needs to know. Schemas that have no name yet get one from the operation."""
    schemas = document["components"]["schemas"]
    name = spec["operationId"]
    title = name[0].upper() + name[1:]
    parameters = [resolved(document, each) for each in [*shared, *spec.get("parameters", [])]]
    sent = spec.get("requestBody", {}).get("content", {})
    body = sent.get("application/json", {}).get("schema")
    text_type = next((kind for kind in sent if kind.startswith("text/")), None)
    return {
        "name": snake(name),
        "method": method.upper(),
        "path": path,
        "doc": spec["summary"],
        "path_names": [each["name"] for each in parameters if each["in"] == "path"],
        "query": [each for each in parameters if each["in"] == "query"],
        "keyed": any(each["name"] == "Idempotency-Key" for each in parameters),
        "body": "str | bytes" if text_type else body and named(schemas, body, f"{title}Request"),
        "text_type": text_type,
        "body_required": spec.get("requestBody", {}).get("required", False),
        "answers": answers(document, spec, title),
    }


def answers(document: Json, spec: Json, title: str) -> list[str]:
    """The types of the successful answers, each once."""
    schemas = document["components"]["schemas"]
    found: list[str] = []
    for status, answer in spec["responses"].items():
        if not status.startswith("2"):
            continue
        content = resolved(document, answer).get("content", {})
        if "application/json" in content:
            suffix = "Response" if status == "200" else f"Response{status}"
            found.append(named(schemas, content["application/json"]["schema"], title + suffix))
        else:
            found.append("bytes" if content and not is_text(content) else "str" if content else "None")
    return sorted(set(found), key=found.index)


def is_text(content: Json) -> bool:
    return all(kind.startswith("text/") for kind in content)


def resolved(document: Json, value: Json) -> Json:
    if "$ref" not in value:
        return value
    found: Json = document
    for step in value["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def named(schemas: Json, schema: Json, name: str) -> str:
    """The name of a schema; one without gets this name."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if not schema or schema.get("type") == "object" and not schema.get("properties"):
        return "dict[str, Any]"
    while name in schemas:
        name += "_"
    schemas[name] = {"title": name, **schema}
    return name


def typed(schema: Any) -> Any:
    """The schema without what a type cannot say, such as which fields need one another."""
    if isinstance(schema, list):
        return [typed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: typed(value) for key, value in schema.items() if key not in untyped}
    if "properties" in schema:
        kept["properties"] = {name: typed(value) for name, value in schema["properties"].items()}
        for key in ("allOf", "anyOf", "oneOf"):
            if key in kept and not any("type" in each or "$ref" in each for each in kept[key]):
                del kept[key]
    if kept.get("additionalProperties") is False:
        del kept["additionalProperties"]
    return kept


untyped = {"if", "then", "else", "not", "default", "example", "examples", "propertyNames", "properties"}


def write_types(schemas: Json, operations: list[Json], package: Path) -> None:
    """What is sent as typed dictionaries, and what is answered as classes."""
    scrape = schemas["ScrapeRequest"]
    # What `scrape()` takes: it waits for the page, so there is nothing to announce later.
    rest = {name: value for name, value in scrape["properties"].items() if name not in ("mode", "webhook")}
    schemas["PageRequest"] = {**scrape, "title": "PageRequest", "properties": rest}
    bodies = {each["body"] for each in operations if each["body"]} & set(schemas)
    sent = reached(schemas, bodies | {"PageRequest", "ParseOptions"})
    answered = reached(schemas, set(schemas) - sent | {name for each in operations for name in each["answers"]} & set(schemas))
    inputs = types_of({name: schemas[name] for name in schemas if name in sent})
    kinds = schemas["TrackManyRequest"]["properties"]["items"]["items"]["properties"]["source"]["enum"]
    kind = f"\n\nSourceKind: TypeAlias = Literal[{', '.join(map(json.dumps, kinds))}]\n"
    (package / "inputs.py").write_text(head + final(inputs) + kind)
    classes, optional = classes_of(types_of({name: schemas[name] for name in schemas if name in answered}))
    (package / "models.py").write_text(head + classes)
    (package / "_optional.py").write_text(head + optional)


def reached(schemas: Json, names: set[str]) -> set[str]:
    """The schemas with these names, and those that they refer to."""
    found: set[str] = set()
    open_names = set(names)
    while open_names:
        found |= open_names
        text = json.dumps([schemas[name] for name in open_names])
        open_names = set(re.findall(r'"#/components/schemas/(\w+)"', text)) - found
    return found


def types_of(schemas: Json) -> str:
    """The schemas as typed dictionaries."""
    document: Json = {"openapi": "3.1.0", "info": {"title": "Magpie", "version": "1"}, "paths": {}}
    document["components"] = {"schemas": {name: typed(each) for name, each in schemas.items()}}
    with tempfile.TemporaryDirectory() as folder:
        source, file = Path(folder) / "openapi.json", Path(folder) / "types.py"
        source.write_text(json.dumps(document))
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(file)]
        subprocess.run([*command, *model_options], check=True)
        return file.read_text().lstrip()


def final(text: str) -> str:
    """The types as final, where none extends them: then `"data" in request` tells requests of different types apart."""
    extended = {base for bases in re.findall(r"^class \w+\((.*)\):", text, re.M) for base in bases.split(", ")}
    found = re.compile(r"^(class (\w+)\()", re.M)
    text = found.sub(lambda each: each[1] if each[2] in extended else "@final\n" + each[1], text)
    return text.replace("from typing import ", "from typing import final, ", 1)


model_options = [
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"),
    *("--target-python-version", "3.11", "--disable-timestamp", "--disable-future-imports"),
    *("--enum-field-as-literal", "all", "--use-union-operator", "--use-standard-collections"),
    *("--custom-file-header", " ", "--formatters", "builtin", "--naming-strategy", "parent-prefixed"),
    *("--use-schema-description", "--use-field-description"),
]


def operations_module(operations: list[Json]) -> str:
    bodies = sorted({each["body"] for each in operations if each["body"] and each["body"][0].isupper()})
    types = sorted({name for each in operations for name in each["answers"] if name[0].isupper() and name != "None"})
    return f'''from typing import Any

from .._request import compact, path_of
from ..inputs import {", ".join(bodies)}
from ..models import {", ".join(types)}
from .transport import AsyncTransport


class AsyncOperations:
    """Every operation of the service, as its document has it."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

{"".join(method_of(each) for each in operations)}'''


def method_of(each: Json) -> str:
    answer = " | ".join(each["answers"])
    read = {"None": "nothing", "bytes": "content", "str": "text"}.get(answer, "json")
    arguments = ["self", *(f"{name}: str" for name in each["path_names"])]
    if each["body"]:
        arguments.append(f"body: {each['body']}" + ("" if each["body_required"] else " | None = None"))
    keywords = [f"{identifier(query['name'])}: {query_type(query)}" for query in each["query"]]
    if each["keyed"]:
        keywords.append("idempotency_key: str | None = None")
    arguments += ["*", *keywords] if keywords else []
    given = [f'"{each["method"]}"', f'path_of("{each["path"]}"{"".join(f", {name}={name}" for name in each["path_names"])})']
    if each["query"]:
        pairs = ", ".join(f'"{query["name"]}": {identifier(query["name"])}' for query in each["query"])
        given.append(f"query=compact({{{pairs}}})")
    if each["text_type"]:
        given.append(f'content=body, content_type="{each["text_type"]}"')
    elif each["body"]:
        given.append("body=body")
    if each["keyed"]:
        given.append("idempotency_key=idempotency_key")
    lead = "" if answer == "None" else "result: " + answer + " = "
    tail = "" if answer == "None" else "\n        return result"
    return f'''    async def {each["name"]}({", ".join(arguments)}) -> {answer}:
        """{each["doc"]}."""
        {lead}await self._transport.{read}({", ".join(given)}){tail}

'''


def query_type(query: Json) -> str:
    schema = query["schema"]
    kinds = schema.get("type", "string")
    kind = next(each for each in ([kinds] if isinstance(kinds, str) else kinds) if each != "null")
    plain = {"integer": "int", "number": "float", "boolean": "bool"}.get(kind, "str")
    return plain if query.get("required") else f"{plain} | None = None"


def identifier(name: str) -> str:
    """The name of an argument; words of Python get a `_`, as `from_`."""
    plain = re.sub(r"\W", "_", name)
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def write_sync(package: Path) -> None:
    """The synchronous client: the asynchronous one without its waits."""
    rule = unasync.Rule("/_async/", "/_sync/", additional_replacements=replacements)
    unasync.unasync_files([str(file) for file in sorted((package / "_async").glob("*.py"))], [rule])
    for file in (package / "_sync").glob("*.py"):
        text = file.read_text().removeprefix(head)
        file.write_text("# Written by generate.py from the asynchronous client: change that.\n" + text)


replacements = {
    "AsyncAccount": "Account",
    "AsyncAdministration": "Administration",
    "AsyncAsk": "Ask",
    "AsyncBaseTransport": "BaseTransport",
    "AsyncBatchJob": "BatchJob",
    "AsyncBatchWay": "BatchWay",
    "AsyncClient": "Client",
    "AsyncCrawlJob": "CrawlJob",
    "AsyncCrawlWay": "CrawlWay",
    "AsyncDeliveries": "Deliveries",
    "AsyncFeeds": "Feeds",
    "AsyncJob": "Job",
    "AsyncKeys": "Keys",
    "AsyncMagpie": "Magpie",
    "AsyncMonitors": "Monitors",
    "AsyncNamedMonitor": "NamedMonitor",
    "AsyncOperations": "Operations",
    "AsyncOwnKeys": "OwnKeys",
    "AsyncSources": "Sources",
    "AsyncTrackedSource": "TrackedSource",
    "AsyncTransport": "Transport",
    "AsyncWay": "Way",
    "AsyncWebhooks": "Webhooks",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_sse": "iter_sse",
    "aread": "read",
    "async_pause": "pause",
}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here / "src" / "magpie_client")
