import { on } from "node:events";
import WebSocket from "ws";
import { insist } from "../social/insist.ts";
import type { DriverTools } from "../social/social-connector.ts";

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

/** Messages that wait in memory; when there are more the connection is not read. */
const highWaterMark = 1024;

/** A connection that is being made, with bounds for what a peer may do. */
export function dialSocket(url: URL, headers: Record<string, string> = {}): WebSocket {
  const bounds = { handshakeTimeout: handshakeMs, maxPayload: 8 * 1024 * 1024, perMessageDeflate: false };
  return new WebSocket(url, { headers, ...bounds });
}

/**
 * Holds a connection until the signal fires, then resolves with everything closed. A lost one is made again, ever more
 * slowly until one holds. Rejects with a refusal only.
 */
export async function keepSocket(held: HeldSocket, tools: DriverTools, signal: AbortSignal): Promise<void> {
  await insist(stands => stand(held, stands, signal), held.onLost, tools, signal);
}

/** One connection, from its dial to its end; throws why it ended. */
async function stand(held: HeldSocket, stands: () => void, signal: AbortSignal): Promise<never> {
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
    stands();
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

/** A peer that answers no ping is gone, whatever its socket says; one that is not listened to just now is not judged. */
function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let isAlive = true;
  const hear = () => {
    isAlive = true;
  };
  socket.on("pong", hear);
  socket.on("message", hear);
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
