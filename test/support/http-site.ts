import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** What a route answers: a body (HTML), or status, headers and body. */
export type Reply =
  | string
  | Uint8Array
  | { status?: number; headers?: OutgoingHeaders; body?: string | Uint8Array };
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;
/** Path without the query -> reply or handler. Anything else is a 404. */
export type Routes = Record<string, Reply | Handler>;

type OutgoingHeaders = Record<string, string | string[]>;

export interface Hit {
  method: string;
  /** Path and query, or the absolute form when a proxy sent it so. */
  url: string;
  headers: IncomingMessage["headers"];
}

export interface Site {
  /** `http://127.0.0.1:<port>`, or with another host; without a slash at the end. */
  url: string;
  port: number;
  /** Every request that came in, oldest first. */
  hits: Hit[];
  /** Connections that are open. */
  readonly connections: number;
  readonly server: Server;
  /** Stops listening and cuts what is open. */
  close(): Promise<void>;
}

/** Starts a site on a free port of 127.0.0.1, or of `host`; with `tls` (key and certificate) it speaks HTTPS. */
export async function startSite(
  site: Handler | Routes,
  tls?: ServerOptions,
  host = "127.0.0.1",
): Promise<Site> {
  const handler = typeof site === "function" ? site : router(site);
  const hits: Hit[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    hits.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    response.on("error", () => response.destroy());
    return handler(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const sockets = new Set<Socket>();
  server.on("connection", socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://${host}:${port}`,
    port,
    hits,
    server,
    get connections() {
      return sockets.size;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

function router(routes: Routes): Handler {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.test");
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (typeof route === "function") return route(request, response);
    answer(response, route ?? { status: 404, body: "not found" });
  };
}

function answer(response: ServerResponse, reply: Reply): void {
  const bare = typeof reply === "string" || reply instanceof Uint8Array;
  const { status = 200, headers = {}, body = "" } = bare ? { body: reply } : reply;
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
  response.end(body);
}
