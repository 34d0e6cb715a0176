/** The clients of streams, of Magpie or of a peer: a process that opens WebSockets and notes when each message came. */
import { once } from "node:events";
import { type RawData, WebSocket } from "ws";
import { quantile } from "./growth.ts";
import { sentAt, streamClock } from "./stream-clock.ts";

/** Opens so many sockets more, a hundred at a time. */
export interface Opening {
  url: string;
  headers?: Record<string, string>;
  /** What each socket sends once it is open, in order, each after an answer to the one before. */
  first?: string[];
  /** A message that is answered with itself: a ping of the peer's own protocol. */
  echo?: string;
  count: number;
}

/** Answers when so many messages have come since the last time this was answered, or when `withinMs` are over. */
export interface Awaiting {
  messages: number;
  withinMs: number;
}

export interface StreamReport {
  /** Open sockets, and those that closed by themselves. */
  open: number;
  lost: number;
  /** Of the messages since the last report: how many, and milliseconds from `stampedNow` to here. */
  messages: number;
  p50: number;
  p99: number;
  most: number;
}

const atATime = 100;
const open = new Set<WebSocket>();
let lost = 0;
let times: number[] = [];
let onMessage: () => void = () => undefined;

process.on("message", async (question: Opening | Awaiting) => {
  if ("messages" in question) await arrived(question);
  else await openMore(question);
  const report: StreamReport = {
    ...{ open: open.size, lost, messages: times.length },
    ...{ p50: quantile(times, 0.5), p99: quantile(times, 0.99), most: quantile(times, 1) },
  };
  times = [];
  process.send?.(report);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function openMore(opening: Opening): Promise<void> {
  for (let left = opening.count; left > 0; left -= atATime)
    await Promise.all(Array.from({ length: Math.min(left, atATime) }, () => connect(opening)));
}

async function connect({ url, headers = {}, first = [], echo }: Opening): Promise<void> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  const [before, ...others] = first;
  if (before !== undefined) {
    await once(socket, "open");
    socket.send(before);
  }
  await once(socket, "message");
  for (const frame of others) {
    socket.send(frame);
    await once(socket, "message");
  }
  open.add(socket);
  socket.on("close", () => {
    open.delete(socket);
    lost += 1;
  });
  socket.on("message", data => take(socket, data, echo));
}

function take(socket: WebSocket, data: RawData, echo: string | undefined): void {
  const text = String(data);
  const sent = sentAt(text);
  if (sent === undefined) {
    if (text === echo) socket.send(text);
    return;
  }
  times.push(streamClock() - sent);
  onMessage();
}

async function arrived({ messages, withinMs }: Awaiting): Promise<void> {
  const signal = AbortSignal.timeout(withinMs);
  await new Promise<void>(resolve => {
    signal.addEventListener("abort", () => resolve());
    onMessage = () => times.length >= messages && resolve();
    onMessage();
  });
  onMessage = () => undefined;
}
