/**
 * Small pages that link to as many others as it takes to make a site of N below `/N/`. One of them is kept back until a
 * message comes. Sends its address when it listens, and "released".
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Pages that are read of a site. */
const read = 200;
const kept: ServerResponse[] = [];

const server = createServer((request, response) => {
  const [, count, page = ""] = /^\/(\d+)\/(?:page-(\d+|last))?$/.exec(request.url ?? "") ?? [];
  if (count === undefined) return response.writeHead(404).end();
  response.setHeader("content-type", "text/html");
  if (page === "last") return kept.push(response);
  return response.end(html(Number(count), Number(page)));
});
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("message", () => {
  for (const response of kept.splice(0)) response.end(html(0, 0));
  process.send?.("released");
});
process.once("disconnect", () => process.exit());

/** The entry names the page that is kept back and those that are read; each of these its share of all others. */
function html(count: number, page: number): string {
  const own =
    page === 0 ? ["last", ...range(1, read)] : range(read + (page - 1) * share(count), share(count));
  const names = own.filter(name => name === "last" || Number(name) < count);
  const links = names.map(name => `<li><a href="/${count}/page-${name}">Page ${name}</a></li>`);
  return `<!doctype html><html><head><title>Page ${page}</title></head><body><main><h1>Page ${page}</h1><p>A page among others.</p><ul>${links.join("")}</ul></main></body></html>`;
}

function share(count: number): number {
  return Math.ceil(Math.max(count - read, 0) / (read - 1));
}

function range(from: number, length: number): string[] {
  return Array.from({ length }, (_, n) => String(from + n));
}
