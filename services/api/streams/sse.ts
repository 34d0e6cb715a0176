import type { Server } from "node:http";
import { type Periodic, periodic } from "../../../mixins/async/periodic.ts";
import type { Bounds } from "../../../mixins/event-log/event-log.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { Request, Response } from "../request/request.ts";
import { envelope, publicError } from "../response/public-error.ts";
import { write } from "../response/send.ts";
import { EventStream, type StreamContext, type StreamOptions, type Wire } from "./event-stream.ts";
import type { OutgoingEvent } from "./outgoing-event.ts";
import {
  type Ending,
  type HelloFrame,
  positionIn,
  type StreamQuery,
  sequence,
  sessionOver,
  streamQueryOf,
  tooSlow,
} from "./protocol.ts";

/** How long a client waits before it connects again. */
const retryMs = 2000;

/** The gateway's streams, and the server that they end with. */
interface EventSource {
  readonly streams: { readonly context: StreamContext };
  readonly server: Server;
}

/**
 * The stream as server-sent events (WHATWG HTML, 9.2). A position that cannot be read from is an HTTP error, after which a
 * client does not connect again. A stream that a session opened ends with it: `holds` says whether it still does.
 */
export async function serveSse(
  { streams: { context }, server }: EventSource,
  req: Request,
  res: Response,
  { keyId }: Caller,
  holds?: () => Promise<boolean>,
): Promise<void> {
  const { field, after, meaningful } = queryOfRequest(req);
  const bounds = await context.log.bounds(keyId);
  const position = positionIn(bounds, after);
  if (typeof position !== "number") return refuse(req, res, bounds, position, field);
  if (!server.listening) throw fail("overloaded", "The service is stopping. Try again shortly.");
  if (!beginSse(req, res)) return;
  const stream = new EventStream(context, keyId, new SseWire(res, context.options));
  const heartbeat = setInterval(() => beat(res, stream), context.options.heartbeatMs);
  const recheck = holds && endWithSession(stream, holds, context);
  res.on("drain", () => stream.writable());
  res.once("close", () => {
    clearInterval(heartbeat);
    void recheck?.stop();
    stream.close();
  });
  stream.start(bounds, position, { meaningful });
}

/** Sends the headers of a stream; false when nothing may follow them. */
export function beginSse(req: Request, res: Response): boolean {
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
  if (req.method !== "HEAD" && !res.destroyed) return true;
  res.end();
  return false;
}

/** `Last-Event-ID` is newer than the `after` of the URL. */
function queryOfRequest(req: Request): StreamQuery & { field: string } {
  const query = streamQueryOf(req.query ?? new URLSearchParams());
  const last = req.headers["last-event-id"];
  if (Array.isArray(last)) throw invalid("last-event-id", "string", "Send Last-Event-ID once.");
  const field = "last-event-id";
  return last ? { ...query, field, after: sequence(field, last) } : { ...query, field: "after" };
}

function refuse(req: Request, res: Response, { oldest }: Bounds, { error }: Ending, field: string): void {
  if (error?.oldest_seq === undefined)
    throw invalid(field, "too_large", `\`${field}\` is ahead of the newest event.`);
  const shown = publicError(fail("expired", error.message, { oldest_seq: oldest }));
  write(req, res, shown.status, envelope(shown, req.requestId));
}

/** Ends a stream with the session that opened it. */
export function endWithSession(
  stream: { end(ending: Ending): void },
  holds: () => Promise<boolean>,
  { options, onError }: StreamContext,
): Periodic {
  const check = async () => {
    if (!(await holds())) stream.end(sessionOver);
  };
  // Report a failed check, and end no stream for it.
  return periodic(check, { everyMs: options.recheckMs, onError, reportsOnce: true });
}

function beat(res: Response, stream: EventStream): void {
  stream.wake();
  // A stream that has ended may stay open until its client has read the end.
  if (!res.writableEnded && !res.writableNeedDrain) res.write(": still here\n\n");
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

  event({ sse }: OutgoingEvent): boolean {
    return this.#res.write(sse);
  }

  together(work: () => void): void {
    // A corked response says that it drains while it is written, before anybody can wait for that.
    const { socket } = this.#res;
    socket?.cork();
    work();
    socket?.uncork();
  }

  end(ending: Ending): void {
    endSse(this.#res, ending, this.#options);
  }
}

/** A client that reads nothing does not read the end either, but may do so later. */
export function endSse(
  res: Response,
  ending: Ending,
  { closeMs, lingerMs }: Pick<StreamOptions, "closeMs" | "lingerMs">,
): void {
  const { error } = ending;
  if (error) res.write(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
  const cut = setTimeout(() => res.destroy(), ending === tooSlow ? lingerMs : closeMs);
  res.once("close", () => clearTimeout(cut));
  res.end();
}
