"""Writes the events of a key into PostgreSQL, each once. Needs Python 3.9 and psycopg: pip install 'psycopg[binary]'."""
import json, os, time, urllib.error, urllib.request

import psycopg

SERVER = os.environ.get("MAGPIE_URL", "http://localhost:3000")
KEY = os.environ["MAGPIE_API_KEY"]
TABLES = """
create table if not exists magpie_events (
  id text primary key, seq bigint not null, type text not null, at timestamptz not null, source text, data jsonb not null);
create table if not exists magpie_position (name text primary key, after bigint not null);
insert into magpie_position values ('events', 0) on conflict do nothing;
"""


def events_after(after):
    """The next events, in their order. It waits up to 25 seconds where there is none."""
    request = urllib.request.Request(f"{SERVER}/events?after={after}&limit=100&wait=25", headers={"x-api-key": KEY})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


with psycopg.connect(os.environ["DATABASE_URL"]) as database:
    database.execute(TABLES)
    (after,) = database.execute("select after from magpie_position where name = 'events'").fetchone()
    database.commit()
    print(f"continues after event {after}")
    while True:
        try:
            page = events_after(after)
        except (urllib.error.URLError, TimeoutError) as error:
            # What is refused stays so: a wrong key, or a position of events that are gone.
            if 400 <= getattr(error, "code", 0) < 500 and error.code != 429:
                raise
            print(f"{error}; asks again in 5 s")
            time.sleep(5)
            continue
        # The events and the position, or none of them: a program that dies here reads the same events again.
        with database.transaction():
            for event in page["data"]:
                source = (event["data"].get("source") or {}).get("name")
                row = (event["id"], event["seq"], event["type"], event["timestamp"], source, json.dumps(event["data"]))
                database.execute(
                    "insert into magpie_events values (%s, %s, %s, %s, %s, %s) on conflict (id) do nothing", row
                )
            after = page["next_after"]
            database.execute("update magpie_position set after = %s where name = 'events'", (after,))
        if page["data"]:
            print(f"{len(page['data'])} events, up to {after}", flush=True)
