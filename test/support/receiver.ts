import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Event } from "../../services/contracts/events.ts";

/** What a receiver does with a delivery: a status, with headers and body, or none at all. */
export type Behaviour =
  | number
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string;
      afterMs?: number;
      /** Answers when it resolves. */
      after?: Promise<unknown>;
    }
  | "hang"
  | "reset"
  /** Headers of a 200 and then nothing. */
  | "stall"
  /** A 200 whose body never ends. */
  | "endless";

export interface Received {
  method: string;
  path: string;
  id: string;
  body: string;
  event: Event;
  headers: IncomingMessage["headers"];
  /** Whether one of the secrets verifies the signature; false when none is known. */
  verified: boolean;
  behaviour: Behaviour;
}

export interface Receiver {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  port: number;
  /** Every delivery that came in, oldest first. */
  received: Received[];
  /** Those that were answered with a 2xx. */
  taken(): Received[];
  /** What is done from now on: always the same, or as a function of the delivery tells. */
  behave(behaviour: Behaviour | ((delivery: Received) => Behaviour)): void;
  /** Secrets to verify signatures with. */
  trust(...secrets: string[]): void;
  /** The most deliveries that were unanswered at a time. */
  busiest(): number;
  /** Deliveries that wait for their answer. */
  unanswered(): number;
  connections(): number;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on a free port of 127.0.0.1; it answers 200 until told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let secrets: Webhook[] = [];
  let choose = (_delivery: Received): Behaviour => 200;
  let [open, busiest, connections] = [0, 0, 0];
  const server = createServer(async (request, response) => {
    open += 1;
    busiest = Math.max(busiest, open);
    response.on("close", () => {
      open -= 1;
    });
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    const delivery = read(request, Buffer.concat(chunks).toString(), secrets);
    delivery.behaviour = choose(delivery);
    received.push(delivery);
    answer(response, delivery.behaviour);
  });
  server.on("connection", socket => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    taken: () => received.filter(({ behaviour }) => isTaken(behaviour)),
    behave: behaviour => {
      choose = typeof behaviour === "function" ? behaviour : () => behaviour;
    },
    trust: (...texts) => {
      secrets = texts.map(text => new Webhook(text));
    },
    busiest: () => busiest,
    unanswered: () => open,
    connections: () => connections,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

function read(request: IncomingMessage, body: string, secrets: Webhook[]): Received {
  const headers = request.headers;
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    id: String(headers["webhook-id"]),
    body,
    // A form of a hub or a plain text is no event.
    event: (isJson(headers) ? JSON.parse(body) : {}) as Event,
    headers,
    verified: secrets.some(secret => verifies(secret, body, headers)),
    behaviour: 200,
  };
}

function verifies(secret: Webhook, body: string, headers: IncomingMessage["headers"]): boolean {
  try {
    secret.verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function isTaken(behaviour: Behaviour): boolean {
  const status = typeof behaviour === "object" ? behaviour.status : behaviour;
  return typeof status === "number" && status >= 200 && status < 300;
}

function answer(response: ServerResponse, behaviour: Behaviour): void {
  response.on("error", () => response.destroy());
  if (behaviour === "hang") return;
  if (behaviour === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (behaviour === "stall" || behaviour === "endless") {
    response.writeHead(200);
    response.flushHeaders();
    if (behaviour === "endless") pour(response);
    return;
  }
  reply(response, typeof behaviour === "number" ? { status: behaviour } : behaviour);
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(16_384, "x");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

function reply(
  response: ServerResponse,
  { status, headers = {}, body = "", afterMs, after }: Exclude<Behaviour, number | string>,
): void {
  const end = () => response.writeHead(status, headers).end(body);
  if (after !== undefined) void after.then(end);
  else if (afterMs === undefined) end();
  else setTimeout(end, afterMs);
}

function isJson({ "content-type": type = "application/json" }: IncomingMessage["headers"]): boolean {
  return type.startsWith("application/json");
}
