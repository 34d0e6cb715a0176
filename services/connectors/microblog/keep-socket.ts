import { on } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import type { DriverTools } from "../social/social-connector.ts";
import { isRefusal } from "./refusal.ts";

/** A live connection, as the network's protocol has it. */
export interface HeldSocket {
  /** Begins to connect. What it throws counts as a failed attempt. */
  dial(signal: AbortSignal): Promise<WebSocket>;
  /** The connection stands; messages that come meanwhile are handed on afterwards. */
  onOpen(): Promise<void>;
  /** One message; the next one waits for it. What it throws ends the connection. */
  onMessage(data: Buffer): Promise<void>;
  /** Told once for each time that the connection is lost, or cannot be made; the error is for the log. */
  onLost(error: Error): void;
  /** What the HTTP status of a refused handshake means; a refusal (`refusal.ts`) ends it all. */
  meaningOf(status: number): Error;
}

/** Milliseconds. */
const handshakeMs = 15_000;
const pingMs = 30_000;
const longestWaitMs = 60_000;

/** Messages that wait in memory; when there are more the connection is not read. */
const highWaterMark = 1024;

/** A connection that is being made, with bounds for what a peer may do. */
export function dialSocket(url: URL, headers: Record<string, string> = {}): WebSocket {
  const bounds = { handshakeTimeout: handshakeMs, maxPayload: 8 * 1024 * 1024, perMessageDeflate: false };
  return new WebSocket(url, { headers, ...bounds });
}

/**
 * Holds a connection until the signal fires, then resolves with everything closed. A lost one is made again, ever more
 * slowly. Rejects with a refusal only.
 */
export async function keepSocket(held: HeldSocket, tools: DriverTools, signal: AbortSignal): Promise<void> {
  let isLost = false;
  for (let waitMs = 0; !signal.aborted; ) {
    let stoodAt = Number.POSITIVE_INFINITY;
    const onOpen = async () => {
      stoodAt = tools.now();
      await held.onOpen();
      isLost = false;
    };
    const fault = await stand({ ...held, onOpen }, signal).catch(error => error);
    if (signal.aborted) return;
    if (isRefusal(fault)) throw fault;
    if (!isLost) held.onLost(fault as Error);
    isLost = true;
    waitMs = nextWait(waitMs, tools.now() - stoodAt, tools.reconnectMs);
    await pause(waitMs * (1 - tools.random() / 2), signal);
  }
}

/** All in milliseconds. A connection that stood for longer than the wait before it was a good one. */
export function nextWait(previousMs: number, stoodMs: number, reconnectMs: number): number {
  if (stoodMs > previousMs) return reconnectMs;
  return Math.min(Math.max(previousMs * 2, reconnectMs), longestWaitMs);
}

/** One connection, from its dial to its end; resolves with why it ended. */
async function stand(held: HeldSocket, signal: AbortSignal): Promise<Error> {
  const socket = await held.dial(signal);
  const messages = on(socket, "message", { close: ["close"], highWaterMark });
  // `on` listens for errors only until the first one.
  socket.on("error", () => undefined);
  const end = () => socket.terminate();
  signal.addEventListener("abort", end);
  const heartbeat = keepAlive(socket);
  try {
    if (signal.aborted) end();
    await opened(socket, held);
    await held.onOpen();
    for await (const [data] of messages) {
      if (signal.aborted) break;
      await held.onMessage(data as Buffer);
    }
    return new Error("The connection was closed.");
  } finally {
    clearInterval(heartbeat);
    signal.removeEventListener("abort", end);
    await closed(socket);
  }
}

async function opened(socket: WebSocket, { meaningOf }: HeldSocket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("The connection was closed.")));
    socket.once("unexpected-response", (request, response) => {
      reject(meaningOf(response.statusCode ?? 0));
      request.destroy();
    });
  });
}

/** A peer that answers no ping is gone, whatever its socket says. */
function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  return setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingMs);
}

async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const close = new Promise(resolve => socket.once("close", resolve));
  socket.terminate();
  await close;
}

/** Ends early, without an error, with the signal. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
