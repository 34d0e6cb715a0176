/** The local pages, in a process of their own. Sends its address when it listens. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { benchAssets } from "./assets.ts";
import { benchPages } from "./pages.ts";

interface Answer {
  headers: Record<string, string>;
  body: Buffer;
}

const answers = new Map<string, Answer>();
for (const scripts of ["none", "trackers", "own"] as const)
  for (const { path, html } of benchPages(scripts))
    answers.set(path, answer("text/html; charset=utf-8", html, "no-cache"));
for (const [path, { type, body }] of benchAssets())
  answers.set(path, answer(type, body, path.startsWith("/api/") ? "no-store" : "public, max-age=3600"));

const server = createServer((request, response) => {
  const found = answers.get(request.url?.replace(/\?.*/, "") ?? "");
  if (found) response.writeHead(200, found.headers).end(found.body);
  else response.writeHead(404).end();
});
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("disconnect", () => process.exit());

function answer(type: string, content: string | Uint8Array, caching: string): Answer {
  const isText = typeof content === "string";
  const body = isText ? gzipSync(content) : Buffer.from(content);
  return {
    body,
    headers: {
      "content-type": type,
      "content-length": String(body.length),
      "cache-control": caching,
      ...(isText && { "content-encoding": "gzip" }),
    },
  };
}
