"""Firecrawl's client for Python, and the loaders that use it, with nothing changed but the address.

Prints what they got as JSON. Arguments: the address, an API key, the address of the site.
"""

import json
import re
import sys
import time
from urllib.parse import urlparse

from firecrawl import Firecrawl
from firecrawl.v1 import V1FirecrawlApp
from langchain_community.document_loaders.firecrawl import FireCrawlLoader
from llama_index.readers.web import FireCrawlWebReader

api_url, api_key, site = sys.argv[1:4]
v2 = Firecrawl(api_key=api_key, api_url=api_url)
v1 = V1FirecrawlApp(api_key=api_key, api_url=api_url)
schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}


def paths_of(job):
    return sorted(urlparse(page.metadata.source_url).path for page in job.data)


def error_of(ask):
    try:
        ask()
    except Exception as error:
        return [type(error).__name__, str(error)]


formats = ["markdown", "html", "rawHtml", "links", "images", "summary", {"type": "json", "schema": schema}]
page = v2.scrape(f"{site}/p/1", formats=formats, timeout=120_000)
# This client asks for what is at most four hours old.
again = v2.scrape(f"{site}/p/1", formats=formats, timeout=120_000)
crawl = v2.crawl(f"{site}/", limit=151, scrape_options={"formats": ["markdown"]}, poll_interval=1, timeout=240)
started = v2.start_crawl(f"{site}/held", limit=2)
cancelled = v2.cancel_crawl(started.id)
batch = v2.batch_scrape([f"{site}/p/{n}" for n in (1, 2, 3)], formats=["markdown"], poll_interval=1, wait_timeout=240)
missing = v2.start_batch_scrape([f"{site}/p/1", f"{site}/cut"], formats=["markdown"])
while v2.get_batch_scrape_status(missing.id).status == "scraping":
    time.sleep(1)
old = v1.crawl_url(f"{site}/", limit=120, poll_interval=1)
loader = {"api_key": api_key, "api_url": api_url}
lang_pages = FireCrawlLoader(url=f"{site}/p/", mode="crawl", params={"limit": 3}, **loader).load()
lang_page = FireCrawlLoader(url=f"{site}/p/1", mode="scrape", **loader).load()
llama_page = FireCrawlWebReader(mode="scrape", **loader).load_data(url=f"{site}/p/1")
llama_pages = FireCrawlWebReader(mode="crawl", params={"limit": 3}, **loader).load_data(url=f"{site}/p/")

compared = {"type": "changeTracking", "modes": ["git-diff"], "tag": "py"}
changes = [v2.scrape(f"{site}/live", formats=["markdown", compared], timeout=120_000).change_tracking for _ in range(2)]
to_watch = v2.start_crawl(f"{site}/few/", limit=10, scrape_options={"formats": ["markdown"]})
seen = []
watcher = v2.watcher(to_watch.id, kind="crawl", poll_interval=1, timeout=240)
watcher.add_listener(lambda job: seen.append(job.status))
watcher.start()
while not seen or seen[-1] == "scraping":
    time.sleep(1)
watcher.stop()

json.dump(
    {
        "changes": [each.model_dump(exclude_none=True) if hasattr(each, "model_dump") else each for each in changes],
        "seen": seen[-1],
        "tokens": v2.get_token_usage().plan_tokens,
        "page": page.model_dump(exclude_none=True),
        "again": [again.metadata.cache_state, again.markdown == page.markdown],
        "crawl": {"status": crawl.status, "total": crawl.total, "paths": paths_of(crawl)},
        "cancelled": cancelled,
        "afterCancel": v2.get_crawl_status(started.id).status,
        "batch": {"status": batch.status, "paths": paths_of(batch)},
        "batchErrors": [each.url for each in v2.get_batch_scrape_errors(missing.id).errors],
        "crawlErrors": len(v2.get_crawl_errors(crawl.id).errors),
        "map": len([each for each in v2.map(f"{site}/").links if re.search(r"/p/\d+$", each.url)]),
        "credits": v2.get_credit_usage().plan_credits,
        "v1": [old.status, len(old.data)],
        "v1Page": v1.scrape_url(f"{site}/p/2", formats=["markdown"]).markdown,
        "langchain": [[each.page_content for each in lang_page], len(lang_pages)],
        "llamaIndex": [[each.text for each in llama_page], len(llama_pages)],
        "errors": {
            "option": error_of(lambda: v2.scrape(f"{site}/", formats=["branding"])),
            "key": error_of(lambda: Firecrawl(api_key="wrong", api_url=api_url).scrape(f"{site}/")),
            "unknown": error_of(lambda: v2.get_crawl_status("crw_none")),
            "unreachable": error_of(lambda: v2.scrape(f"{site}/cut")),
        },
    },
    sys.stdout,
)
