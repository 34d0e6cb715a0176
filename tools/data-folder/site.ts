import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Where the sources and the webhooks of the kept folder are: an address of this machine that nothing else uses. */
const host = "127.77.2.0";
const port = 8077;
export const siteAddress = `${host}:${port}`;
export const siteUrl = `http://${siteAddress}`;

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A shop with a feed, pages that change with `edition`, and two receivers, of which `/hooks/away` may refuse. */
export interface KeptSite {
  edition: number;
  isAway: boolean;
  received: Received[];
  stop(): Promise<void>;
}

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${text}</main></html>`;

const words = `<p>The lamp stands on a foot of brass, and its shade is made of paper that was folded by hand. It is sold
by the piece, with a bulb, and comes within three days.</p>`;

function lamp(edition: number): string {
  return page(
    "Lamp",
    `<p class="price">${59 - edition}.00 €</p><p>Edition ${edition} of the lamp.</p>${words}`,
  );
}

function feed(edition: number): string {
  const items = Array.from({ length: edition }, (_, at) => {
    const link = `${siteUrl}/news/${at + 1}`;
    return `<item><title>News ${at + 1}</title><link>${link}</link><guid>${link}</guid><description>Lantern ${at + 1} is here.</description></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News of the shop</title><link>${siteUrl}/</link>
<description>Lamps</description>${items.reverse().join("")}</channel></rss>`;
}

function contentOf(path: string, edition: number): [type: string, text: string] | undefined {
  const html = "text/html; charset=utf-8";
  if (path === "/feed.xml") return ["application/rss+xml", feed(edition)];
  if (path === "/lamp") return [html, lamp(edition)];
  if (path === "/shop/")
    return [
      html,
      page("Shop", `${words}<a href="/shop/tables">Tables</a> <a href="/shop/chairs">Chairs</a>`),
    ];
  const [, name] = /^\/shop\/(tables|chairs)$/.exec(path) ?? [];
  return name === undefined
    ? undefined
    : [html, page(name, `<p>All ${name}, edition ${edition}.</p>${words}`)];
}

export async function startSite(edition: number): Promise<KeptSite> {
  const site = { edition, isAway: true, received: [] as Received[] };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const body = Buffer.concat(await request.toArray()).toString();
    if (path.startsWith("/hooks/")) {
      if (path === "/hooks/away" && site.isAway) return response.writeHead(503).end();
      site.received.push({ path, headers: request.headers, body });
      return response.writeHead(204).end();
    }
    const found = contentOf(path, site.edition);
    if (!found) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": found[0] }).end(found[1]);
  });
  await listening(server);
  return Object.assign(site, {
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  });
}

/** Another run on this machine may have the address: it is waited for. */
async function listening(server: ReturnType<typeof createServer>): Promise<void> {
  for (;;) {
    server.listen(port, host);
    try {
      await once(server, "listening");
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      await sleep(500);
    }
  }
}
