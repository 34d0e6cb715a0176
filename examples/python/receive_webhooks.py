"""Receives webhooks, verifies them as Standard Webhooks says, and prints a line for each event. Needs Python 3.9."""
import base64, hashlib, hmac, json, os, sys, time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
# The ids of the last events: delivery is at least once. A real receiver keeps them in its database.
SEEN = OrderedDict()
REMEMBERED = 10_000


def is_genuine(headers, body):
    """True when one of the signatures is ours, and the request is not older than five minutes."""
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(SECRET[len("whsec_") :])
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(each, expected) for each in headers.get("webhook-signature", "").split())


def handle(event):
    if event["id"] in SEEN:
        return
    SEEN[event["id"]] = True
    if len(SEEN) > REMEMBERED:
        SEEN.popitem(last=False)
    print(event["timestamp"], event["type"], (event["data"].get("source") or {}).get("name", ""), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        # Answer within 5 seconds, and do the work afterwards.
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if not genuine:
            return
        message = json.loads(body)
        # An endpoint with the option `batch` gets several events in one request.
        for event in message["events"] if message["type"] == "batch" else [message]:
            handle(event)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if not SECRET.startswith("whsec_"):
        sys.exit("Set WEBHOOK_SECRET to the secret that POST /webhook answered with (whsec_…).")
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"receiving on http://127.0.0.1:{server.server_address[1]}/", flush=True)
    server.serve_forever()
