/** A receiver of webhooks that takes everything; tells its address, then answers each question with its counts. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

/** What came in since the last question, and when each of the last path's deliveries did (Unix milliseconds). */
export interface Counts {
  count: number;
  arrivals: Record<string, number>;
}

let count = 0;
let arrivals: Record<string, number> = {};

const server = createServer((request, response) => {
  const { url = "", headers } = request;
  // Takes connections and never answers: a dead endpoint.
  if (url.startsWith("/dead")) return;
  request.resume();
  request.on("end", () => {
    count += 1;
    if (url.startsWith("/timed"))
      arrivals[String(headers["webhook-id"])] = performance.timeOrigin + performance.now();
    response.end("ok");
  });
});
server.keepAliveTimeout = 60_000;

process.on("message", () => {
  process.send?.({ count, arrivals } satisfies Counts);
  count = 0;
  arrivals = {};
});
process.on("disconnect", () => process.exit());

server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
