"""Keeps a search index of a tracked site: fresh_index.py <id of the source> follows it, fresh_index.py ask <words> asks it."""
import json, os, re, sqlite3, sys, time, urllib.error, urllib.parse, urllib.request

SERVER = os.environ.get("MAGPIE_URL", "http://localhost:3000")
KEY = os.environ.get("MAGPIE_API_KEY", "")
index = sqlite3.connect("index.db")
index.executescript("""
create virtual table if not exists chunks using fts5(url unindexed, heading, text, tokenize = 'porter');
create table if not exists position (after integer not null);
""")


def ask(path, **query):
    request = urllib.request.Request(f"{SERVER}{path}?{urllib.parse.urlencode(query)}", headers={"x-api-key": KEY})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                raise
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            pass
        time.sleep(5)


def delete(url):
    index.execute("delete from chunks where url = ?", (url,))


def upsert(url, markdown):
    """A chunk for each heading. For a vector store, embed each chunk here, and write it under its address."""
    delete(url)
    for heading, text in chunks(markdown):
        index.execute("insert into chunks values (?, ?, ?)", (url, heading, text))


def chunks(markdown):
    """Each heading with the text below it. A line in a block of code is no heading."""
    heading, lines, in_code = "", [], False
    for line in markdown.splitlines():
        in_code ^= line.startswith("```")
        match = None if in_code else re.match(r"#{1,3} (.*)", line)
        if match:
            if lines:
                yield heading, "\n".join(lines)
            heading, lines = match.group(1), []
        lines.append(line)
    if lines:
        yield heading, "\n".join(lines)


def read(source, url):
    """The page as it was read last, out of what Magpie keeps: the site is not asked again."""
    latest = ask(f"/sources/{source}/versions", item=url, limit=1)["data"]
    if latest:
        upsert(url, ask(f"/sources/{source}/versions/{latest[0]['id']}")["data"]["markdown"])


def fill(source):
    """All pages, once. The position comes first: what has changed of late, or changes meanwhile, is read again."""
    lately = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 600))
    after, cursor = ask("/events", source=source, since=lately, limit=1)["next_after"], None
    while True:
        page = ask(f"/sources/{source}/pages", state="there", **({"cursor": cursor} if cursor else {}))
        for each in page["data"]:
            read(source, each["url"])
        cursor = page["next_cursor"]
        if cursor is None:
            return after


def follow(source):
    row = index.execute("select after from position").fetchone()
    after = row[0] if row else fill(source)
    while True:
        # The chunks and the position are written together: a program that dies does its last step again.
        index.execute("delete from position")
        index.execute("insert into position values (?)", (after,))
        index.commit()
        print(f"{index.execute('select count(*) from chunks').fetchone()[0]} chunks, after event {after}", flush=True)
        events = []
        while not events:
            page = ask("/events", after=after, source=source, wait=25)
            events, after = page["data"], page["next_after"]
        for event in events:
            kind, data = event["type"], event["data"]
            if kind == "site.page.moved":
                delete(data["from"])
            if kind == "site.page.removed":
                delete(data["page"]["url"])
            elif kind.startswith("site.page."):
                read(source, data["page"]["url"])
            print(kind, (data.get("page") or {}).get("url", ""), flush=True)


def answer(words):
    query = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", words))
    ranked = "select url, heading, text from chunks where chunks match ? order by bm25(chunks, 0, 2, 1) limit 3"
    for url, heading, text in index.execute(ranked, (query,)):
        # The fragment opens the page at its heading, in any browser.
        print(f"{url}#:~:text={urllib.parse.quote(heading)}")
        print("   ", " ".join(text.split())[:100])


if __name__ == "__main__":
    if sys.argv[1] == "ask":
        answer(" ".join(sys.argv[2:]))
    else:
        follow(sys.argv[1])
