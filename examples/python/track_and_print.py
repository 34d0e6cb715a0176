"""Tracks a source and prints its events: python3 track_and_print.py rss https://example.com/feed.xml. Needs Python 3.9."""
import json, os, sys, time, urllib.error, urllib.request

SERVER = os.environ.get("MAGPIE_URL", "http://localhost:3000")
KEY = os.environ.get("MAGPIE_API_KEY", "")


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"x-api-key": KEY, "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers), timeout=60) as response:
        return json.load(response)


def text_of(data):
    """What a person wants to read of an event of any kind."""
    post, message, item, change = (data.get(each) or {} for each in ("post", "message", "item", "change"))
    texts = (
        post.get("legacy", {}).get("full_text"),
        message.get("content") or message.get("text"),
        item.get("title"),
        change.get("diff"),
        data.get("reason"),
    )
    return " ".join(next((text for text in texts if text), "").split())[:200]


def follow(source):
    """Prints what comes from now on. A program that must miss nothing keeps `after` where it survives a restart."""
    position = "since=" + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    while True:
        try:
            page = ask(f"/events?{position}&source={source}&wait=25")
        except urllib.error.HTTPError:
            raise
        except (urllib.error.URLError, TimeoutError) as error:
            print(f"{error}; asks again in 5 s", file=sys.stderr)
            time.sleep(5)
            continue
        for event in page["data"]:
            print(event["timestamp"], event["type"], text_of(event["data"]), flush=True)
        position = f"after={page['next_after']}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: track_and_print.py <microblog|chatserver|messenger|web|rss> <sid>")
    kind, sid = sys.argv[1:]
    answer = ask(f"/track/{kind}", {"sid": sid})
    print(f"{answer['data']['name']}: {answer['message']}", flush=True)
    follow(answer["data"]["id"])
