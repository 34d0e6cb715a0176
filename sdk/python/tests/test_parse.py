import asyncio
import json
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest
from fake_service import Asked, FakeService, answer, failure, fake_service

from magpie_client import AsyncMagpie, Magpie, MagpieError

PARSED = {
    "data": {"markdown": "# Boats", "metadata": {"file_name": "boats.csv"}},
    "started_at": "2026-02-01T09:30:00.000Z",
    "ended_at": "2026-02-01T09:30:00.094Z",
}


def client(fake: FakeService) -> Magpie:
    return Magpie(fake.url, "mk_test")


def parts_of(asked: Asked) -> dict[str, Message]:
    form = Parser().parsestr(f"Content-Type: {asked.headers['content-type']}\n\n{asked.body}")
    parts = [part for part in form.walk() if not part.is_multipart()]
    return {str(part.get_param("name", header="content-disposition")): part for part in parts}


def test_a_path_is_sent_with_its_name_and_the_options(tmp_path: Path) -> None:
    file = tmp_path / "boats.csv"
    file.write_text("Boat,Length\nHeron,12")
    with fake_service(answer(PARSED)) as fake, client(fake) as magpie:
        parsed = magpie.parse(file, output={"formats": ["markdown", "links"]}, timeout=5000)
        assert parsed["data"]["markdown"] == "# Boats"
        asked = fake.asked[0]
        parts = parts_of(asked)
        assert (asked.method, asked.url, asked.headers["x-api-key"]) == ("POST", "/web/parse", "mk_test")
        assert parts["file"].get_filename() == "boats.csv"
        assert parts["file"].get_payload() == "Boat,Length\nHeron,12"
        assert json.loads(str(parts["options"].get_payload())) == {
            "output": {"formats": ["markdown", "links"]},
            "timeout": 5000,
        }


def test_bytes_are_sent_with_the_name_that_they_are_given() -> None:
    with fake_service(answer(PARSED)) as fake, client(fake) as magpie:
        magpie.parse(b"<h1>Boats</h1>", name="boats.html")
        magpie.parse(b"<h1>Boats</h1>")
        named, nameless = (parts_of(asked) for asked in fake.asked)
        assert named["file"].get_filename() == "boats.html"
        assert nameless["file"].get_filename() == "document"
        assert nameless["options"].get_payload() == "{}"


def test_a_form_is_sent_again_as_a_whole_where_the_service_has_no_time() -> None:
    busy = failure(429, "rate_limited", {"retry-after": "0"})
    with fake_service(busy, answer(PARSED)) as fake, client(fake) as magpie:
        magpie.parse(b"Boats", name="boats.txt")
        first, second = fake.asked
        assert first.body == second.body and "Boats" in second.body


def test_a_document_that_is_not_read_is_an_error() -> None:
    with fake_service(failure(422, "extraction_failed")) as fake, client(fake) as magpie:
        with pytest.raises(MagpieError) as caught:
            magpie.parse(b"\0", name="a.bin")
        assert caught.value.code == "extraction_failed"


def test_the_asynchronous_client_sends_the_same(tmp_path: Path) -> None:
    file = tmp_path / "boats.txt"
    file.write_text("Seven boats")

    async def read(fake: FakeService) -> None:
        async with AsyncMagpie(fake.url, "mk_test") as magpie:
            assert (await magpie.parse(str(file)))["data"]["markdown"] == "# Boats"

    with fake_service(answer(PARSED)) as fake:
        asyncio.run(read(fake))
        assert parts_of(fake.asked[0])["file"].get_filename() == "boats.txt"
