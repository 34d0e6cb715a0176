/** A local site of so many pages, in a process of its own. Sends the address of its entry page when it listens. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { benchAssets } from "./assets.ts";
import { crawlEntry, crawlPages } from "./crawl-pages.ts";
import type { Script } from "./pages.ts";

const [scripts = "none", count = "2000"] = process.argv.slice(2);
const answers = new Map<string, { type: string; body: Buffer }>();
for (const { path, html } of crawlPages(scripts as Script, Number(count)))
  answers.set(path, { type: "text/html; charset=utf-8", body: gzipSync(html, { level: 1 }) });
for (const [path, { type, body }] of benchAssets())
  answers.set(path, {
    type,
    body: gzipSync(typeof body === "string" ? body : Buffer.from(body), { level: 1 }),
  });

const server = createServer((request, response) => {
  const found = answers.get(request.url?.replace(/\?.*/, "") ?? "");
  if (!found) return response.writeHead(404).end();
  const { type, body } = found;
  const caching =
    type.startsWith("text/html") || request.url?.startsWith("/api/") ? "no-cache" : "max-age=3600";
  response.writeHead(200, {
    "content-type": type,
    "content-encoding": "gzip",
    "content-length": body.length,
    "cache-control": caching,
  });
  return response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}${crawlEntry}`);
});
process.once("disconnect", () => process.exit());
