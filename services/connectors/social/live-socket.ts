import { on } from "node:events";
import WebSocket from "ws";
import { product } from "../../../mixins/egress/identity.ts";
import { retryUntilStopped } from "./retry-until-stopped.ts";
import type { DriverTools } from "./social-connector.ts";

/** What a network's protocol does with a live connection. */
export interface LiveSocket {
  /** Opens a connection. An error counts as a failed attempt. */
  dial(signal: AbortSignal): Promise<WebSocket>;
  /** The connection is open. Messages that arrive meanwhile wait until it resolves. */
  onOpen(): Promise<void>;
  /** Handles one message; the next one waits for it. An error ends the connection. */
  onMessage(data: Buffer): Promise<void>;
  /** Called once each time the connection is lost or cannot be opened; the error is for the log. */
  onLost(error: Error): void;
  /** The error that the HTTP status of a refused handshake means; a `refusal` ends the retries. */
  errorOfStatus(status: number): Error;
}

/** Milliseconds. */
const handshakeMs = 15_000;
const pingMs = 30_000;

/** Messages that wait in memory; above this the socket is not read. */
const highWaterMark = 1024;

/** Opens a WebSocket, with limits on what the peer may do. */
export function dialSocket(url: URL, headers: Record<string, string> = {}): WebSocket {
  const bounds = { handshakeTimeout: handshakeMs, maxPayload: 8 * 1024 * 1024, perMessageDeflate: false };
  return new WebSocket(url, { headers: { "user-agent": userAgent, ...headers }, ...bounds });
}

/**
 * Keeps a connection open until the signal fires, then resolves with everything closed. Reconnects with growing waits
 * until a connection lasts. Rejects with a refusal only.
 */
export async function keepSocket(held: LiveSocket, tools: DriverTools, signal: AbortSignal): Promise<void> {
  await retryUntilStopped(connected => runConnection(held, connected, signal), held.onLost, tools, signal);
}

/** Runs one connection from dial to end. Throws why it ended. */
async function runConnection(held: LiveSocket, connected: () => void, signal: AbortSignal): Promise<never> {
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
    connected();
    for await (const [data] of messages) {
      if (signal.aborted) break;
      await held.onMessage(data as Buffer);
    }
    throw new Error("The connection was closed.");
  } finally {
    clearInterval(heartbeat);
    signal.removeEventListener("abort", end);
    await closed(socket);
  }
}

async function opened(socket: WebSocket, { errorOfStatus }: LiveSocket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("The connection was closed.")));
    socket.once("unexpected-response", (request, response) => {
      reject(errorOfStatus(response.statusCode ?? 0));
      request.destroy();
    });
  });
}

/** Terminates a socket whose peer answers no ping. A paused socket is not checked, since its pongs are not read. */
function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let isAlive = true;
  const markAlive = () => {
    isAlive = true;
  };
  socket.on("pong", markAlive);
  socket.on("message", markAlive);
  return setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN || socket.isPaused) return;
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

/** The user agent of this service. Some servers refuse connections without one. */
export const userAgent = product;
