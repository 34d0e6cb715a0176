/** Feeds of some 15 KB, each at `/f/<number>`; tells the address, then answers each question with how often they were read. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { prose } from "./text.ts";

/** `new`: each reading finds one item more. `same`: nothing is new, and who asks for that is told 304. */
export type FeedsMode = "new" | "same";

/** Readings since the last question. */
export interface Readings {
  count: number;
}

const shown = 15;
/** So little that the shortest interval is the right one: how a poll that finds nothing leaves it as it is. */
const apartMs = 1000;
const first = Date.now() - shown * apartMs;
const text = prose(11).paragraph(11);
const newest = new Map<string, number>();
let mode: FeedsMode = "same";
let count = 0;

const server = createServer((request, response) => {
  const path = request.url ?? "";
  count += 1;
  const last = (newest.get(path) ?? shown) + (mode === "new" ? 1 : 0);
  newest.set(path, last);
  const etag = `"${last}"`;
  if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
  else response.writeHead(200, { etag, "content-type": "application/feed+json" }).end(feed(path, last));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("message", (asked: { mode: FeedsMode }) => {
  process.send?.({ count } satisfies Readings);
  count = 0;
  mode = asked.mode;
});
process.once("disconnect", () => process.exit());

function feed(path: string, last: number): string {
  const items = Array.from({ length: shown }, (_, back) => ({
    id: `${path}-${last - back}`,
    url: `https://feeds.example${path}/${last - back}`,
    title: `Item ${last - back}`,
    content_text: text,
    date_published: new Date(first + (last - back) * apartMs).toISOString(),
  }));
  return JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: `Feed ${path}`, items });
}
