import type { Bounds, WrittenEvent } from "../../../mixins/log/log.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { Gateway, Request, Response } from "../gateway.ts";
import { envelope } from "../reply/envelope.ts";
import { publicError } from "../reply/public-error.ts";
import { write } from "../reply/write.ts";
import { cursorOf, positionIn, sequence } from "./cursor.ts";
import { EventStream, type Wire } from "./event-stream.ts";
import { type Ending, type HelloFrame, tooSlow } from "./frames.ts";
import type { StreamOptions } from "./options.ts";

/** How long a client waits before it connects again. */
const retryMs = 2000;

/**
 * The stream as server-sent events (WHATWG HTML, 9.2). A position that cannot be read from is an HTTP error, since a
 * client that gets one does not connect again.
 */
export async function serveSse(
  gateway: Gateway,
  req: Request,
  res: Response,
  { keyId }: Caller,
): Promise<void> {
  const { house } = gateway.streams;
  const { field, after } = cursorOfRequest(req);
  const bounds = await house.log.bounds(keyId);
  const position = positionIn(bounds, after);
  if (typeof position !== "number") return refuse(req, res, bounds, position, field);
  if (!gateway.server.listening) throw fail("overloaded", "The service is stopping. Try again shortly.");
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
  if (req.method === "HEAD" || res.destroyed) {
    res.end();
    return;
  }
  const stream = new EventStream(house, keyId, new SseWire(res, house.options));
  const heartbeat = setInterval(() => beat(res, stream), house.options.heartbeatMs);
  res.on("drain", () => stream.writable());
  res.once("close", () => {
    clearInterval(heartbeat);
    stream.close();
  });
  stream.start(bounds, position);
}

/** What a client has seen last is newer than what its URL says. */
function cursorOfRequest(req: Request): { field: string; after: number | undefined } {
  const after = cursorOf(req.query ?? new URLSearchParams());
  const last = req.headers["last-event-id"];
  if (Array.isArray(last)) throw invalid("last-event-id", "string", "Last-Event-ID may be given once.");
  const field = "last-event-id";
  return last ? { field, after: sequence(field, last) } : { field: "after", after };
}

function refuse(req: Request, res: Response, { oldest }: Bounds, { error }: Ending, field: string): void {
  if (error?.oldest_seq === undefined)
    throw invalid(field, "too_large", `\`${field}\` is ahead of the newest event.`);
  const shown = publicError(fail("expired", error.message));
  write(req, res, shown.status, { ...envelope(shown, req.requestId), oldest_seq: oldest });
}

function beat(res: Response, stream: EventStream): void {
  stream.wake();
  if (!res.writableNeedDrain) res.write(": still here\n\n");
}

class SseWire implements Wire {
  readonly #res: Response;
  readonly #options: Pick<StreamOptions, "closeMs" | "lingerMs">;

  constructor(res: Response, options: Pick<StreamOptions, "closeMs" | "lingerMs">) {
    this.#res = res;
    this.#options = options;
  }

  hello(frame: HelloFrame): void {
    this.#res.write(`retry: ${retryMs}\nevent: hello\ndata: ${JSON.stringify(frame)}\n\n`);
  }

  event({ seq, json }: WrittenEvent): boolean {
    return this.#res.write(`id: ${seq}\ndata: ${json}\n\n`);
  }

  /** Who takes nothing does not take the end either, but may do so later. */
  end(ending: Ending): void {
    const { error } = ending;
    if (error) this.#res.write(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
    const { closeMs, lingerMs } = this.#options;
    const cut = setTimeout(() => this.#res.destroy(), ending === tooSlow ? lingerMs : closeMs);
    this.#res.once("close", () => clearTimeout(cut));
    this.#res.end();
  }
}
