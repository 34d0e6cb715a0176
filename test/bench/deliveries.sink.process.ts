/** Receivers of webhooks, each on a port of its own; tells their addresses, then answers each question with its counts. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

/** The argument: how many receivers there are. Without a slash at the end, the addresses. */
export type Addresses = string[];

/** What came in since the last question, and when the last byte of each item for `/timed` did (Unix milliseconds). */
export interface Counts {
  count: number;
  /** Events that `/after` answered with 200. */
  taken: number;
  arrivals: Record<string, number>;
  /** The last body that came. */
  last: string;
}

let count = 0;
let taken = 0;
let requests = 0;
let arrivals: Record<string, number> = {};
let last = "";

/**
 * What the path asks for: `/hang` never answers, `/error` says 500, `/slow` says 200 after 2 to 4 s, `/after/<ms>/<n>`
 * says 200 after so many milliseconds, and 500 to each n-th request (0 for none); all else 200.
 */
function receive({ url = "" }: IncomingMessage, text: string, response: ServerResponse): void {
  if (url.startsWith("/timed"))
    arrivals[JSON.parse(text).data.item.id] = performance.timeOrigin + performance.now();
  if (url.startsWith("/hang")) return;
  if (url.startsWith("/error")) response.writeHead(500);
  const [, ms, every] = /^\/after\/(\d+)\/(\d+)/.exec(url) ?? [];
  if (ms !== undefined) receiveAfter(Number(ms), Number(every), text, response);
  else if (url.startsWith("/slow")) setTimeout(() => response.end("ok"), 2_000 + Math.random() * 2_000);
  else response.end("ok");
}

/** Events that are taken count, whether they come alone or in a batch. */
function receiveAfter(ms: number, every: number, text: string, response: ServerResponse): void {
  requests += 1;
  const fails = every > 0 && requests % every === 0;
  const { events } = JSON.parse(text) as { events?: unknown[] };
  if (!fails) taken += events?.length ?? 1;
  setTimeout(() => response.writeHead(fails ? 500 : 200).end("ok"), ms);
}

async function open(): Promise<string> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", chunk => {
      text += chunk;
    });
    request.on("end", () => {
      count += 1;
      last = text;
      receive(request, text, response);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.on("message", () => {
  process.send?.({ count, taken, arrivals, last } satisfies Counts);
  count = 0;
  taken = 0;
  arrivals = {};
});
process.on("disconnect", () => process.exit());

process.send?.(
  (await Promise.all(Array.from({ length: Number(process.argv[2]) }, open))) satisfies Addresses,
);
