import { once } from "node:events";
import { WebSocket } from "ws";
import type { Event } from "../../services/contracts/events.ts";
import { until } from "./until.ts";

/** A frame as it came in; the fields depend on `type`. */
export interface Received {
  type: string;
  event?: Event;
  seq?: number;
  oldest_seq?: number;
  heartbeat_ms?: number;
  code?: string;
  message?: string;
}

/** A WebSocket client that keeps what it gets. */
export interface StreamClient {
  socket: WebSocket;
  frames: Received[];
  seqs(): number[];
  /** Close code and reason. */
  closed: Promise<[code: number, reason: string]>;
  hello(): Promise<Received>;
}

export function streamClient(
  url: string,
  path: string,
  headers: Record<string, string>,
  options: { autoPong?: boolean } = {},
): StreamClient {
  const socket = new WebSocket(url.replace("http", "ws") + path, { headers, ...options });
  const frames: Received[] = [];
  socket.on("message", data => frames.push(JSON.parse(String(data))));
  const closed = once(socket, "close").then(([code, reason]): [number, string] => [code, String(reason)]);
  return {
    socket,
    frames,
    closed,
    seqs: () => frames.flatMap(({ event }) => event?.seq ?? []),
    hello: async () => {
      await until("hello", () => frames.length > 0);
      return frames[0] as Received;
    },
  };
}

/** The HTTP answer to an upgrade that is refused. */
export async function refusedUpgrade(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> & { code: string } }> {
  const socket = new WebSocket(url.replace("http", "ws") + path, { headers });
  socket.on("error", () => socket.terminate());
  const [, response] = await once(socket, "unexpected-response");
  let text = "";
  for await (const chunk of response) text += chunk;
  socket.terminate();
  return { status: response.statusCode, body: JSON.parse(text) };
}
