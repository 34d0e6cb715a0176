"""Crawl4AI beside Magpie. Takes a job a line as JSON, answers with pages per second.

Argument: the address of a browser to speak CDP with; without one, pages are read over HTTP. Its waits between pages and
before a page's content are zero, which is its faster way.
"""

import asyncio
import json
import os
import sys
import time

from crawl4ai import AsyncWebCrawler, BFSDeepCrawlStrategy, BrowserConfig, CrawlerRunConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy

# What it prints goes to standard error: standard output is for answers.
answers = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)

LEAST_CHARACTERS = 1000
NO_WAITS = {
    "wait_until": "load",
    "delay_before_return_html": 0,
    "mean_delay": 0,
    "max_range": 0,
    "verbose": False,
}


def open_crawler(cdp_url: str | None) -> AsyncWebCrawler:
    # Without a context of its own, pages of concurrent jobs close one another.
    config = BrowserConfig(cdp_url=cdp_url, create_isolated_context=cdp_url is not None, verbose=False)
    strategy = None if cdp_url else AsyncHTTPCrawlerStrategy()
    return AsyncWebCrawler(crawler_strategy=strategy, config=config)


async def scrape(crawler: AsyncWebCrawler, urls: list[str], lanes: int) -> float:
    """The whole of each page to Markdown, so many at a time."""
    config = CrawlerRunConfig(**NO_WAITS)
    queue = iter(urls)

    async def lane() -> None:
        for url in queue:
            check(await crawler.arun(url, config=config))

    started = time.perf_counter()
    await asyncio.gather(*(lane() for _ in range(lanes)))
    return len(urls) / (time.perf_counter() - started)


async def crawl(crawler: AsyncWebCrawler, url: str, pages: int, concurrency: int) -> float:
    """A whole site by its links, the main element of each page to Markdown."""
    config = CrawlerRunConfig(
        deep_crawl_strategy=BFSDeepCrawlStrategy(max_depth=100),
        semaphore_count=concurrency,
        target_elements=["main"],
        **NO_WAITS,
    )
    started = time.perf_counter()
    results = await crawler.arun(url, config=config)
    seconds = time.perf_counter() - started
    for result in results:
        check(result)
    read = {result.url for result in results}
    if len(read) != pages:
        raise RuntimeError(f"{len(read)} pages of {pages}")
    return pages / seconds


def check(result) -> None:
    if not result.success or len(result.markdown.raw_markdown) < LEAST_CHARACTERS:
        raise RuntimeError(f"{result.url} was not read: {result.error_message}")


async def main(cdp_url: str | None) -> None:
    async with open_crawler(cdp_url) as crawler:
        answers.write(json.dumps("ready") + "\n")
        while line := await asyncio.to_thread(sys.stdin.readline):
            job = json.loads(line)
            rate = await (scrape if "urls" in job else crawl)(crawler, **job)
            answers.write(json.dumps(rate) + "\n")


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else None))
