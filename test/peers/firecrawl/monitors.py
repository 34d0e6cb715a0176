"""Monitors by Firecrawl's client for Python, with nothing changed but the address. Prints what it got as JSON.

Arguments: the address, an API key, the address of the site.
"""

import json
import sys
import time
import urllib.request

from firecrawl import Firecrawl

api_url, api_key, site = sys.argv[1:4]
firecrawl = Firecrawl(api_url=api_url, api_key=api_key)

monitor = firecrawl.create_monitor(
    name="Lamps",
    schedule={"text": "hourly", "timezone": "Europe/Vienna"},
    targets=[{"type": "scrape", "urls": [f"{site}/lamp"]}],
    webhook={"url": f"{site}/hook/python", "metadata": {"by": "python"}},
)


def check():
    begun = firecrawl.run_monitor(monitor.id)
    while True:
        found = firecrawl.get_monitor_check(monitor.id, begun.id)
        if found.status != "running":
            return found
        time.sleep(0.5)


first = check()
urllib.request.urlopen(f"{site}/set?price=20").read()
second = check()
paused = firecrawl.update_monitor(monitor.id, status="paused")
print(
    json.dumps(
        {
            "secret": monitor.webhook["secret"],
            "zone": monitor.schedule.timezone,
            "first": [first.status, first.summary.new],
            "second": [second.status, second.summary.changed],
            "diff": second.pages[0].diff.text,
            "checks": len(firecrawl.list_monitor_checks(monitor.id)),
            "listed": [each.name for each in firecrawl.list_monitors()],
            "paused": paused.status,
            "removed": firecrawl.delete_monitor(monitor.id),
        }
    )
)
