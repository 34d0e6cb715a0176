import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type ErrorCode, errorStatus } from "../../contracts/errors.ts";
import { envelope } from "../response/public-error.ts";
import { Pipelines } from "./pipelines.ts";

/** Enough for 10,000 streams and the requests beside them. */
const maxConnections = 20_000;

/** How long a client may take nothing of an answer. */
const defaultTakeMs = 30_000;

/**
 * The HTTP server. `upgrades` selects the requests that become another protocol. Others that ask for an upgrade, as HTTP
 * clients do for `h2c`, are answered as plain requests (RFC 9110, 7.8). Receiving a request has a time limit, and
 * so has taking an answer; making one has none, since a scrape may take ten minutes.
 */
export function createHttpServer(
  handler: RequestListener,
  upgrades: (req: IncomingMessage) => boolean,
  takeMs = defaultTakeMs,
): Server {
  const limits = {
    shouldUpgradeCallback: upgrades,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    // Longer than the idle timeout of common load balancers, so that they close first.
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000,
    // Node's own refusal has no envelope; the gateway asks for the header.
    requireHostHeader: false,
  };
  const pipelines = new Pipelines(handler);
  const server = createServer(limits, pipelines.handle);
  // Node calls back when a connection has neither brought nor taken anything for so long, and with a listener closes none.
  server.setTimeout(takeMs, socket => {
    if (socket.writableLength > 0 || !pipelines.isBusy(socket)) socket.destroy();
  });
  server.maxConnections = maxConnections;
  server.on("clientError", refuse);
  // The gateway answers 417 itself: Node's own refusal has no envelope.
  server.on("checkExpectation", pipelines.handle);
  return server;
}

/**
 * Resolves with the URL once the server listens; a taken port is an error that names it. `onFault` gets later errors:
 * connections that the system could not accept, as when it has no more file descriptors.
 */
export function listen(
  server: Server,
  port: number,
  host: string,
  onFault: (error: Error) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(listenError(error, port, host));
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError).on("error", onFault);
      const { port: taken } = server.address() as AddressInfo;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${taken}`);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE")
    return new Error(`PORT: ${host}:${port} is taken by another program; set PORT to a free one`, {
      cause: error,
    });
  if (error.code === "EACCES")
    return new Error(`PORT: this user may not listen on ${host}:${port}; set PORT to one above 1023`, {
      cause: error,
    });
  return new Error(`HOST, PORT: cannot listen on ${host}:${port} (${error.code})`, { cause: error });
}

const refusals: Record<string, [code: ErrorCode, message: string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "The URL and headers may have at most 16 KB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["request_timeout", "The request did not arrive in time."],
};

/** Answers what is not HTTP. Node refuses it before any handler runs. */
function refuse(
  error: NodeJS.ErrnoException,
  socket: Socket & { _httpMessage?: { headersSent?: boolean } },
): void {
  // A second answer must not be mixed into one that has started.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [code, message] = refusals[error.code ?? ""] ?? [
    "malformed_request",
    "This is not a valid HTTP request.",
  ];
  const status = errorStatus[code];
  const id = randomUUID();
  const body = JSON.stringify(envelope({ status, code, message, extras: {} }, id));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${id}\r\n` +
      `x-content-type-options: nosniff\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

const sweepEveryMs = 50;
/** How long the rest of a request may take to arrive once all others are answered. */
const arrivalMs = 1000;

/** Stops accepting, lets requests in flight finish, and cuts the rest after `graceMs`. */
export function drain(server: Server, inFlight: Set<ServerResponse>, graceMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve();
  for (const res of inFlight) if (!res.headersSent) res.setHeader("connection", "close");
  let quietSince = performance.now();
  return new Promise(resolve => {
    // A kept-alive connection goes idle only after its last answer, which may have begun before the stop. Node never counts
    // one as idle that has sent nothing yet, or half a header.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      if (inFlight.size > 0) quietSince = performance.now();
      else if (performance.now() - quietSince > arrivalMs) server.closeAllConnections();
    }, sweepEveryMs);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}
