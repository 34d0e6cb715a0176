import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    method: str
    url: str
    headers: dict[str, str]
    body: str


@dataclass
class FakeService:
    url: str
    asked: list[Asked] = field(default_factory=list)

    def count(self, method: str) -> int:
        return sum(each.method == method for each in self.asked)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Server"

    def handle_one(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        with self.server.lock:
            self.server.fake.asked.append(asked)
            number = len(self.server.fake.asked)
        answers = self.server.answers
        answers[min(number, len(answers)) - 1](asked, self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_one

    def log_message(self, format: str, *args: Any) -> None:
        pass


Answer = Callable[[Asked, Handler], None]


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.lock = threading.Lock()
        self.fake = FakeService(f"http://127.0.0.1:{self.server_port}")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has left is no error here."""


@contextmanager
def fake_service(*answers: Answer) -> Iterator[FakeService]:
    """A service that gives one answer after the other; the last one again and again."""
    server = Server(answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.fake
    finally:
        server.shutdown()
        server.server_close()


def respond(handler: Handler, status: int, headers: dict[str, str], body: bytes) -> None:
    handler.send_response(status)
    for name, value in {"content-length": str(len(body)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def answer(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    sent = {"content-type": "application/json", **(headers or {})}
    return lambda _, handler: respond(handler, status, sent, json.dumps(body).encode())


def failure(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> Answer:
    message = f"It is {code}."
    body = {"status": "error", "code": code, "error": message, "message": message, "request_id": "r-1", **more}
    return answer(body, status, headers)


def hang_up(_: Asked, handler: Handler) -> None:
    """End the connection without an answer."""
    handler.close_connection = True
    handler.connection.close()


def stream(text: str, stays: float = 0) -> Answer:
    """A stream that sends this text, and ends after so many seconds."""

    def send(_: Asked, handler: Handler) -> None:
        handler.close_connection = True
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(text.encode())
        handler.wfile.flush()
        threading.Event().wait(stays)

    return send
