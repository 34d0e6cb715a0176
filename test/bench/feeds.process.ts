/** Feeds of some 15 KB, each at `/f/<number>`; tells the address, then answers each question with how often they were read. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { PNG } from "pngjs";
import { prose } from "./text.ts";

/**
 * `new`: each reading finds one item more. `same`: nothing is new, and who asks for that is told 304. `bytes`: nothing is
 * new, and the whole feed is sent again.
 */
export type FeedsMode = "new" | "same" | "bytes";

/** Readings since the last question. */
export interface Readings {
  count: number;
}

const shown = 15;
/** So little that the shortest interval is the right one: how a poll that finds nothing leaves it as it is. */
const apartMs = 1000;
const first = Date.now() - shown * apartMs;
const text = prose(11).paragraph(11);
/** Asked for by readers for people: once, where they find it. */
const iconPath = "/icon.png";
const icon = Buffer.from(PNG.sync.write(new PNG({ width: 16, height: 16, fill: true })));
const newest = new Map<string, number>();
let mode: FeedsMode = "same";
let count = 0;

const server = createServer((request, response) => {
  const path = request.url ?? "";
  if (path === iconPath) return response.writeHead(200, { "content-type": "image/png" }).end(icon);
  count += 1;
  const last = (newest.get(path) ?? shown) + (mode === "new" ? 1 : 0);
  newest.set(path, last);
  const validators = mode === "bytes" ? {} : { etag: `"${last}"` };
  if (validators.etag !== undefined && request.headers["if-none-match"] === validators.etag)
    return response.writeHead(304, validators).end();
  return response
    .writeHead(200, { ...validators, "content-type": "application/feed+json" })
    .end(feed(path, last, request.headers.host));
});
server.keepAliveTimeout = 60_000;
// All of 127.0.0.0/8: each address is a host of its own.
server.listen(0, "0.0.0.0", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("message", (asked: { mode: FeedsMode }) => {
  process.send?.({ count } satisfies Readings);
  count = 0;
  mode = asked.mode;
});
process.once("disconnect", () => process.exit());

function feed(path: string, last: number, host = ""): string {
  const items = Array.from({ length: shown }, (_, back) => ({
    id: `${path}-${last - back}`,
    url: `https://feeds.example${path}/${last - back}`,
    title: `Item ${last - back}`,
    content_text: text,
    date_published: new Date(first + (last - back) * apartMs).toISOString(),
  }));
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: `Feed ${path}`,
    favicon: `http://${host}${iconPath}`,
    items,
  });
}
