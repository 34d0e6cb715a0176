import json

import pytest
from fake_service import FakeService, answer, failure, fake_service, hang_up, respond

from magpie_client import Magpie, MagpieConnectionError, MagpieError

SCRAPED = {"scrape_id": "scr_1", "status": "completed", "data": {"markdown": "# Boats"}}
NOW = {"retry-after": "0"}


def client(fake: FakeService, **options: float) -> Magpie:
    return Magpie(f"{fake.url}/", "mk_test", **options)  # type: ignore[arg-type]


def test_a_scrape_sends_the_key_and_asks_for_a_synchronous_answer() -> None:
    with fake_service(answer(SCRAPED)) as fake, client(fake) as magpie:
        assert magpie.scrape(url="https://example.com")["data"]["markdown"] == "# Boats"
        assert fake.asked[0].headers["x-api-key"] == "mk_test"
        assert json.loads(fake.asked[0].body) == {"url": "https://example.com", "mode": "sync"}


def test_429_and_503_are_asked_again_as_the_same_job() -> None:
    answers = failure(429, "rate_limited", NOW), failure(503, "overloaded", NOW), answer(SCRAPED)
    with fake_service(*answers) as fake, client(fake) as magpie:
        magpie.scrape(url="https://example.com")
        keys = {each.headers["idempotency-key"] for each in fake.asked}
        assert len(fake.asked) == 3
        assert len(keys) == 1 and len(keys.pop()) == 36


def test_a_connection_that_breaks_is_a_request_that_is_sent_again() -> None:
    with fake_service(hang_up, answer(SCRAPED)) as fake, client(fake) as magpie:
        magpie.scrape(url="https://example.com")
        assert len(fake.asked) == 2


def test_what_may_have_begun_something_is_not_sent_again_without_an_idempotency_key() -> None:
    with fake_service(failure(503, "overloaded", NOW)) as fake, client(fake) as magpie:
        with pytest.raises(MagpieError) as caught:
            magpie.raw.test_webhook()
        assert caught.value.code == "overloaded"
        assert len(fake.asked) == 1


def test_a_change_of_the_password_is_not_sent_again() -> None:
    """The first one ended the session that asks for it."""
    with fake_service(hang_up, failure(401, "unauthorized")) as fake, client(fake) as magpie:
        with pytest.raises(MagpieConnectionError):
            magpie.raw.change_password({"current_password": "correct horse", "new_password": "battery"})
        assert len(fake.asked) == 1


def test_a_delete_whose_answer_was_lost_is_done_when_there_is_nothing_left() -> None:
    missing = failure(404, "not_found")
    for lost in hang_up, failure(503, "overloaded", NOW):
        with fake_service(lost, missing) as fake, client(fake) as magpie:
            magpie.webhooks.delete("w1")
            assert len(fake.asked) == 2


def test_a_404_is_an_error_where_no_delete_can_have_been_the_cause() -> None:
    missing = failure(404, "not_found")
    for before in [], [failure(429, "rate_limited", NOW)]:
        with fake_service(*before, missing) as fake, client(fake) as magpie, pytest.raises(MagpieError):
            magpie.webhooks.delete("w1")
    with fake_service(hang_up, missing) as fake, client(fake) as magpie, pytest.raises(MagpieError):
        magpie.raw.cancel_crawl("c1")


def test_a_wait_longer_than_the_client_waits_is_an_error_that_says_how_long() -> None:
    late = failure(429, "rate_limited", {"retry-after": "900"}, retry_after=900)
    with fake_service(late) as fake, client(fake) as magpie:
        with pytest.raises(MagpieError) as caught:
            magpie.scrape(url="https://example.com")
        error = caught.value
        assert (error.status, error.code, error.retry_after) == (429, "rate_limited", 900)
        assert error.request_id == "r-1"
        assert len(fake.asked) == 1


def test_an_error_has_the_fields_of_its_body() -> None:
    details = [{"field": "url", "code": "required", "message": "`url` is required."}]
    with fake_service(failure(400, "validation_failed", details=details)) as fake, client(fake) as magpie:
        with pytest.raises(MagpieError, match="It is validation_failed") as caught:
            magpie.scrape(url="")
        assert caught.value.details == details


def test_a_scrape_that_takes_too_long_names_the_scrape_that_continues() -> None:
    answers = failure(408, "scrape_timeout", scrape_id="scr_1"), answer({"status": "pending"}), answer(SCRAPED)
    with fake_service(*answers) as fake, client(fake) as magpie:
        with pytest.raises(MagpieError) as caught:
            magpie.scrape(url="https://example.com")
        scrape_id = caught.value.scrape_id
        assert scrape_id == "scr_1"
        assert magpie.finished_scrape(scrape_id, poll=0)["data"]["markdown"] == "# Boats"
        assert fake.asked[-1].url == "/web/scrape/scr_1"


def test_an_answer_of_a_proxy_is_an_error_too() -> None:
    page = {"content-type": "text/html"}
    with fake_service(lambda _, handler: respond(handler, 502, page, b"<h1>Bad</h1>")) as fake, client(fake) as magpie:
        with pytest.raises(MagpieError) as caught:
            magpie.scrape(url="https://example.com")
        assert (caught.value.status, caught.value.code) == (502, "http_502")


def test_no_answer_at_all_is_a_connection_error_once_the_attempts_are_used_up() -> None:
    with fake_service(hang_up) as fake, client(fake, retries=1) as magpie:
        with pytest.raises(MagpieConnectionError):
            magpie.raw.get_webhook()
        assert len(fake.asked) == 2


def test_parts_of_a_path_are_escaped() -> None:
    with fake_service(answer(SCRAPED)) as fake, client(fake) as magpie:
        magpie.raw.get_scrape("a/b?c")
        assert fake.asked[0].url == "/web/scrape/a%2Fb%3Fc"
