"""Uses every operation of a service with simulated networks, once, as a program outside this repository does.

Told by MAGPIE_URL, MAGPIE_API_KEY, MAGPIE_ADMIN_KEY, and SITE: a site with `/`, `/feed.xml`, `/slow` (no answer) and `/hook`.
"""

import asyncio
import os
import time
from contextlib import aclosing
from datetime import datetime, timedelta, timezone
from typing import cast

from magpie_client import AsyncMagpie, Magpie, MagpieError, inputs
from magpie_client.models import Event, Page, QueuedTrack

URL, SITE = os.environ["MAGPIE_URL"], os.environ["SITE"]
magpie = Magpie(URL, os.environ["MAGPIE_API_KEY"])
admin = Magpie(URL, admin_key=os.environ["MAGPIE_ADMIN_KEY"])
raw = magpie.raw


def main() -> None:
    scrapes()
    crawls()
    batches()
    tracking()
    history()
    sites()
    monitors()
    platforms()
    webhooks()
    endpoints()
    methods()
    administrator()
    lists()
    events()
    keys()
    owners()
    administration()
    pages()
    asyncio.run(asynchronous())
    print("every operation was used")


def scrapes() -> None:
    json_schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    scrape = magpie.scrape(
        url=f"{SITE}/",
        output={"formats": ["markdown", "json"], "json": {"json_schema": json_schema}},
        js_render={"enabled": False},
    )
    assert "Seven boats" in scrape.data.markdown
    assert scrape["data"]["markdown"] == scrape.data.markdown
    assert isinstance(scrape["data"]["json"]["title"], str)
    shot = magpie.scrape(url=f"{SITE}/", output={"formats": ["screenshot"]}, js_render={"enabled": True})
    key = shot["data"]["screenshot"]
    assert raw.get_screenshot(key) == magpie.screenshot(key)
    assert magpie.screenshot(key).startswith(b"\x89PNG")
    started = raw.scrape({"url": f"{SITE}/", "mode": "async"}, idempotency_key="boats-1")
    again = raw.scrape({"url": f"{SITE}/", "mode": "async"}, idempotency_key="boats-1")
    assert started["scrape_id"] == again["scrape_id"]
    assert magpie.finished_scrape(started["scrape_id"])["status"] == "completed"
    raw.get_scrape(started["scrape_id"])
    parsed = magpie.parse(b"Boat,Length\nHeron,12\n", name="boats.csv", output={"formats": ["markdown"]})
    assert "Heron" in parsed["data"]["markdown"]
    raw.list_scrapes(limit=5, status="completed")
    magpie.scrape(url=f"{SITE}/", session={"name": "boats"}, js_render={"enabled": False})
    session = raw.list_site_sessions(limit=5)["data"][0]["id"]
    assert raw.get_site_session(session)["data"]["name"] == "boats"
    raw.erase_site_session(session)
    raw.cancel_scrape(raw.scrape({"url": f"{SITE}/slow", "mode": "async"})["scrape_id"])
    admin.raw.cancel_any_scrape(raw.scrape({"url": f"{SITE}/slow", "mode": "async"})["scrape_id"])


def crawls() -> None:
    job = magpie.crawl(url=f"{SITE}/", crawler={"limit": 10}, js_render={"enabled": False})
    found: list[Page] = list(job)
    assert len(found) == 2
    assert job.status()["status"] == "completed"
    crawl_id = job.id or ""
    raw.get_crawl(crawl_id, limit=1)
    raw.list_crawl_errors(crawl_id)
    raw.list_crawls()
    found_urls = [page["url"] for page in magpie.map(url=f"{SITE}/", search="heron")["data"]]
    assert found_urls[0].endswith("/heron")
    raw.map_site({"url": f"{SITE}/"})
    raw.cancel_crawl(raw.start_crawl({"url": f"{SITE}/slow"})["crawl_id"])
    admin.raw.cancel_any_crawl(raw.start_crawl({"url": f"{SITE}/slow"})["crawl_id"])


def batches() -> None:
    urls = [f"{SITE}/", f"{SITE}/heron", f"{SITE}/none"]
    with magpie.batch(urls=urls, js_render={"enabled": False}) as job:
        assert len(list(job)) == 3
    raw.get_batch(job.id or "", limit=1)
    raw.list_batch_errors(job.id or "")
    raw.cancel_batch(raw.start_batch({"urls": [f"{SITE}/slow"]})["batch_id"])


def tracking() -> None:
    tracked = raw.track("rss", {"sid": f"{SITE}/feed.xml"})
    iid = tracked["data"]["id"]
    raw.change_source("rss", {"iid": iid, "options": {"tags": ["boats"]}})
    raw.list_sources(source="rss")
    raw.preview_source("rss", {"sid": f"{SITE}/feed.xml"})
    raw.poll_source("rss", {"iid": iid})
    admin.raw.list_all_sources()
    admin.raw.poll_any_source(iid)
    raw.find_sources("microblog", query="corvid")
    raw.track("microblog", {"sid": "corvid_lab"})
    raw.untrack("microblog", {"eid": "1002"})
    many = raw.track_many({"items": [{"source": "rss", "sid": f"{SITE}/feed.xml", "options": {"tags": ["boats"]}}]})
    raw.get_track_batch(many["data"]["id"], limit=10)
    gated = raw.track("messenger", {"sid": "https://messenger.example/+innernest2026"})
    raw.get_join("messenger", id=gated["jobId"])
    raw.list_joins()
    admin.raw.list_all_joins()
    admin.raw.remove_source(iid)


def history() -> None:
    tracked = raw.track("web", {"sid": f"{SITE}/"})
    page = magpie.source(tracked["data"]["id"])
    assert page.details()["versions"] == 1
    [first] = page.versions()
    assert page.version_at(datetime.now(timezone.utc)) == first
    assert "Seven boats" in page.version(first["id"])["text"]
    assert "Seven boats" in page.version_html(first["id"])
    assert page.diff()["from"] is None
    assert page.unified_diff(to=first["id"]).startswith("---")
    assert page.values(every="1d") == []
    assert page.rehearse(options={"select": ["h1"]}, days=30)["fired"] == 0
    assert [found["version"] for found in magpie.search("boats")] == [first["id"]]
    assert all(check["outcome"] == "same" for check in page.checks(outcome="same"))
    raw_history(page.id, first["id"])
    page.erase_versions()


def raw_history(id: str, version: str) -> None:
    """The operations below the methods."""
    raw.get_source(id)
    raw.list_checks(id, limit=5)
    raw.list_versions(id, all=True)
    raw.get_version(id, version)
    raw.diff_versions(id, to=version)
    raw.list_values(id, every="1d")
    raw.rehearse(id, {"days": 7})
    raw.search_history(q="boats")
    raw.erase_versions(id)


def sites() -> None:
    tracked = raw.track("site", {"sid": f"{SITE}/", "options": {"limit": 10}})
    site = magpie.source(tracked["data"]["id"])
    while len(list(site.pages(state="there"))) < 2:
        time.sleep(0.5)
    assert site.details()["site"]["pages"] == 2
    assert [branch["pages"] for branch in site.tree()] == [2]
    raw.list_site_pages(site.id, prefix="/", limit=5)
    raw.read_site_tree(site.id, changed_since="2026-01-01")
    raw.untrack("site", {"iid": site.id})


def monitors() -> None:
    made = magpie.monitors.create(
        name="Boats",
        schedule={"text": "daily at 9:00"},
        targets=[{"source": "web", "sids": [f"{SITE}/heron"]}],
    )
    monitor = magpie.monitor(made["id"])
    assert [each["id"] for each in magpie.monitors.list()] == [monitor.id]
    check = monitor.finished_check(monitor.run()["id"], poll=0.1)
    assert check["status"] == "completed"
    assert [page["status"] for page in monitor.pages(check["id"])] == ["new"]
    assert [each["id"] for each in monitor.checks(status="completed")] == [check["id"]]
    assert monitor.change(paused=True)["paused"]
    assert monitor.details()["paused"]
    raw_monitors(monitor.id, check["id"])
    monitor.delete()


def raw_monitors(id: str, check: str) -> None:
    """The operations below the methods."""
    raw.list_monitors(limit=5)
    raw.get_monitor(id)
    raw.change_monitor(id, {"paused": False})
    raw.list_monitor_checks(id, limit=5)
    raw.get_monitor_check(id, check, status="new")
    raw.run_monitor(id)
    other = raw.create_monitor(
        {"name": "B", "schedule": {"cron": "0 9 * * *"}, "targets": [{"source": "web", "sids": [f"{SITE}/"]}]}
    )
    raw.delete_monitor(other["data"]["id"])


def platforms() -> None:
    raw.track_user({"username": "quiet_wren"})
    raw.list_tracked_users()
    raw.track_chat({"channelId": "2031"})
    raw.search_messages(q="a", limit=5)
    raw.search_channel("bird_radio", q="a")
    raw.about_microblog_user(username="quiet_wren")
    post = admin.raw.backfill_posts({"uid": "1001", "limit": 2})[0]
    raw.get_microblog_post(postId=post["rest_id"])
    since, until = "2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"
    admin.raw.backfill_posts({"username": "corvid_lab", "since": since, "until": until, "limit": 2})
    admin.raw.dispatch_posts({"posts": cast(list[inputs.Post], [post]), "dry_run": True})
    admin.raw.dispatch_posts({"posts": cast(list[inputs.Post], [post])})


def webhooks() -> None:
    raw.set_webhook({"url": f"{SITE}/hook", "name": "boats"})
    raw.get_webhook()
    raw.list_webhooks()
    raw.change_webhook({"ordering": "none", "rotate_secret": True})
    raw.test_webhook()
    since = datetime.now(timezone.utc) - timedelta(minutes=1)
    raw.replay_deliveries({"since": since.isoformat()})
    while not (attempts := raw.list_deliveries(limit=1)["data"]):
        time.sleep(0.2)
    raw.get_delivery(attempts[0]["id"])
    raw.retry_delivery(attempts[0]["id"])
    admin.raw.list_all_deliveries(limit=5)
    lane = admin.raw.list_lanes()["data"][0]["webhook_id"]
    admin.raw.reactivate_lane(lane)
    admin.raw.replay_lane(lane, {"since": since.isoformat()})
    raw.delete_webhook()


def endpoints() -> None:
    endpoint = raw.create_endpoint({"url": f"{SITE}/hook", "event_types": ["webhook.test"]})["data"]["id"]
    raw.get_endpoint(endpoint)
    raw.change_endpoint(endpoint, {"name": "tests only", "asymmetric": True})
    assert len(raw.webhook_keys(endpoint)["keys"]) == 1
    event = raw.test_endpoint(endpoint)["data"]["event_id"]
    assert raw.test_transform(endpoint, {"transform": '{"text": type}'})["data"]["transform_problem"] is None
    while not (attempts := raw.list_endpoint_deliveries(endpoint)["data"]):
        time.sleep(0.2)
    raw.retry_endpoint_delivery(endpoint, attempts[0]["id"])
    raw.replay_endpoint(endpoint, {"event_ids": [event]})
    raw.delete_endpoint(endpoint)
    assert any(each["type"] == "rss.item.created" for each in raw.list_event_types()["data"])


def methods() -> None:
    """What has methods of its own, beside `raw`."""
    sources, hooks = magpie.sources, magpie.webhooks
    seen = sources.preview("web", f"{SITE}/heron", select=["h1"])
    assert seen.view is not None and "Heron" in (seen.view.text or "")
    tracked = sources.track("web", f"{SITE}/heron", tags=["boats"])
    assert not isinstance(tracked, QueuedTrack)
    id = sources.change("web", tracked.id, select=["h1"]).id
    sources.poll("web", id)
    batch = sources.track_many([{"source": "web", "sid": f"{SITE}/"}])
    assert sources.finished_batch(batch.id, poll=0.1).state == "completed"
    assert [entry.number for entry in sources.batch_entries(batch.id)] == [0]
    assert [each.id for each in sources.list(source="web") if "boats" in each.tags] == [id]
    assert sources.get(id).name
    assert sources.import_opml(sources.export_opml(), dry_run=True).failed == 0
    assert all(found.id for found in sources.find("microblog", "corvid"))
    sources.untrack("web", id)

    made = hooks.create(url=f"{SITE}/hook", event_types=["webhook.test"])
    assert hooks.get(made.id).status == "ACTIVE"
    hooks.update(made.id, name="boats")
    assert hooks.rotate_secret(made.id) != made.secret
    assert made.id in [endpoint.id for endpoint in hooks.list()]
    event = hooks.test(made.id)
    while not (attempts := list(hooks.deliveries(made.id, event_id=event))):
        time.sleep(0.2)
    assert magpie.deliveries.get(attempts[0].id).event_id == event
    assert hooks.try_transform(made.id, event_id=event, transform="type").body == "webhook.test"
    hooks.retry(made.id, attempts[0].id)
    magpie.deliveries.retry(attempts[0].id)
    assert next(magpie.deliveries.list(status="succeeded")).outcome == "succeeded"
    assert hooks.replay(made.id, event_ids=[event]) == 1
    assert len(hooks.event_types()) > 10
    hooks.delete(made.id)

    feed = magpie.feeds.create(name="boats")
    assert feed.id in [each.id for each in magpie.feeds.list()]
    magpie.feeds.delete(feed.id)
    owner = magpie.account.get().owner
    assert len(magpie.account.usage(days=1).data) == 1
    assert magpie.account.keys()
    key = admin.keys.create(owner=owner, name="methods")
    assert key.id in [each.id for each in admin.keys.list(owner=owner)]
    admin.keys.update(key.id, name="more")
    assert admin.keys.usage(key.id).data == [], "a new key has used nothing"
    admin.keys.delete(key.id)


def lists() -> None:
    opml = raw.export_sources()
    assert "<opml" in opml
    raw.import_sources(opml, mode="add", dry_run=True)
    feed = raw.create_feed({"name": "boats"})["data"]
    raw.list_feeds()
    assert b"<feed" in raw.read_feed(feed["atom_url"].split("/")[-1])
    raw.delete_feed(feed["id"])


def events() -> None:
    raw.read_events(after=0, limit=5)
    admin.raw.post_in_sandbox({"platform": "microblog", "username": "quiet_wren", "text": "Boats."})
    seqs: list[int] = []
    for event in magpie.events(after=0):
        seqs.append(event["seq"])
        if text_of(event) == "Boats.":
            break
    assert seqs == list(range(1, len(seqs) + 1))
    for event in magpie.events(after=0, sources=["microblog"], types=["microblog.post.created"]):
        if text_of(event) == "Boats.":
            break
    now = datetime.now(timezone.utc).isoformat()
    kept = [event["seq"] for event in magpie.events(until=now)]
    assert kept == list(range(1, len(kept) + 1)) and len(kept) >= len(seqs)
    assert list(magpie.events(since=now, until=now)) == []
    raw.untrack_user({"username": "quiet_wren"})
    raw.untrack_chat({"channelId": "2031"})


def text_of(event: Event) -> str | None:
    if event.type != "microblog.post.created":
        return None
    assert event.data.source.username
    return event.data.post.legacy.full_text


def keys() -> None:
    raw.set_messenger_default_key({"apiKeyId": raw.me()["data"]["key"]["id"]})
    raw.get_usage(days=7)
    raw.list_api_keys()
    limits = {"requestsPerMinute": 100}
    created = admin.raw.create_api_key({"owner": "acme", "name": "first", "limits": {"requestsPerMinute": 100}})
    assert created["data"]["limits"]["requestsPerMinute"] == limits["requestsPerMinute"]
    id = created["data"]["id"]
    admin.raw.list_all_api_keys(owner="acme")
    admin.raw.update_api_key(id, {"name": "second"})
    admin.raw.get_api_key_usage(id)
    admin.raw.delete_api_key(id)


def owners() -> None:
    """An owner signs in as a browser does: with a cookie, from a page of the service."""
    link = admin.raw.create_owner_link("acme")["data"]["path"]
    password = "correct horse battery"
    with Magpie(URL, headers={"origin": URL, "x-magpie-csrf": "1"}) as owner:
        owner.raw.set_password({"token": link.split("#")[1], "password": password})
        owner.raw.sign_in({"owner": "acme", "password": password})
        owner.raw.get_session()
        mine = owner.own_keys.create(name="mine")
        assert mine.id in [each.id for each in owner.own_keys.list()]
        owner.own_keys.update(mine.id, name="still mine", scopes=["read"])
        owner.own_keys.usage(mine.id, days=1)
        owner.own_keys.delete(mine.id)
        id = owner.raw.create_own_key({"name": "own"})["data"]["id"]
        owner.raw.list_own_keys()
        owner.raw.rename_own_key(id, {"name": "mine"})
        owner.raw.get_own_key_usage(id)
        owner.raw.delete_own_key(id)
        owner.raw.change_password({"current_password": password, "new_password": password + "!"})
        owner.raw.sign_out()
    admin.raw.list_owners()
    admin.raw.delete_owner_password("acme")
    erasure = admin.raw.start_erasure({"owner": "acme", "dry_run": True})["data"]
    admin.raw.get_erasure(erasure["id"])


def administration() -> None:
    admin.raw.get_overview()
    admin.raw.list_audit(actor="admin", limit=5)
    admin.raw.export_audit(as_="csv")
    admin.raw.get_total_usage(days=2)
    admin.raw.list_all_scrapes(status="failed")
    admin.raw.list_all_crawls()
    try:
        magpie.scrape(url="http://10.0.0.1/")
    except MagpieError as error:
        assert error.code == "url_not_allowed"
    else:
        raise AssertionError("a private address is refused")


def administrator() -> None:
    """What an administrator has methods for."""
    operator = admin.admin
    assert operator.overview().parts
    assert operator.usage(days=1)
    posts, cursor = operator.backfill(uid="1001", limit=1)
    assert len(posts) == 1 and cursor is not None
    assert operator.backfill(uid="1001", limit=1, cursor=cursor).posts[0].rest_id != posts[0].rest_id
    sent = cast(list[inputs.Post], posts)
    assert [each.rest_id for each in operator.plan_dispatch(sent)] == [posts[0].rest_id]
    assert operator.dispatch(sent)

    tracked = magpie.sources.track("web", f"{SITE}/heron")
    assert not isinstance(tracked, QueuedTrack)
    assert tracked.id in [each.id for each in operator.sources(source="web")]
    assert operator.poll(tracked.id)
    operator.remove_source(tracked.id)
    assert tracked.id not in [each.id for each in operator.sources(source="web")]
    list(operator.joins())

    scrape = raw.scrape({"url": f"{SITE}/", "mode": "async"})
    crawl = raw.start_crawl({"url": f"{SITE}/"})
    assert scrape["scrape_id"] in [each.scrape_id for each in operator.scrapes()]
    assert crawl["crawl_id"] in [each.crawl_id for each in operator.crawls()]
    for cancel in (
        lambda: operator.cancel_scrape(scrape["scrape_id"]),
        lambda: operator.cancel_crawl(crawl["crawl_id"]),
    ):
        try:
            cancel()
        except MagpieError as error:
            assert error.code == "already_finished"

    hook = magpie.webhooks.create(url=f"{SITE}/hook")
    assert hook.id in [each.webhook_id for each in operator.endpoints()]
    assert operator.reactivate(hook.id).status == "ACTIVE"
    since = datetime.now(timezone.utc) - timedelta(minutes=1)
    assert operator.replay(hook.id, since=since.isoformat()) >= 0
    next(operator.deliveries())
    magpie.webhooks.delete(hook.id)

    assert next(operator.acts(actor="admin")).data.actor.role == "admin"
    assert operator.export_acts(actor="admin", as_="csv").count("\n") > 1
    owner = magpie.account.get().owner
    assert owner in [each.owner for each in operator.owners()]
    assert operator.invite("invited").path
    operator.remove_password("invited")
    erasure = operator.erase(owner="invited", dry_run=True)
    assert operator.erasure(erasure.id).id == erasure.id


def pages() -> None:
    raw.check_liveness()
    raw.check_readiness()
    raw.get_open_api()
    raw.get_async_api()
    raw.home()
    raw.get_metrics()
    raw.read_docs()
    raw.open_dashboard()
    raw.search_guide(q="crawl")
    raw.read_guide("quickstart")
    raw.get_llms_index()
    raw.get_llms_text()


async def asynchronous() -> None:
    async with AsyncMagpie(URL, os.environ["MAGPIE_API_KEY"]) as client:
        one, two = await asyncio.gather(
            client.scrape(url=f"{SITE}/", js_render={"enabled": False}),
            client.scrape(url=f"{SITE}/heron", js_render={"enabled": False}),
        )
        assert one["url"] != two["url"]
        async with client.crawl(url=f"{SITE}/", js_render={"enabled": False}) as job:
            assert len([page async for page in job]) == 2
        async with aclosing(client.events(after=0)) as events:
            assert (await anext(events))["seq"] == 1


main()
