import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Caller } from "../../contracts/caller.ts";
import { codeOf, fail, invalid } from "../../contracts/errors.ts";
import { admitKey } from "../auth/admit.ts";
import type { Gateway, Request } from "../gateway.ts";
import { publicError } from "../reply/public-error.ts";
import { baseHeaders } from "../reply/reply-headers.ts";
import { sendError } from "../reply/send-error.ts";
import { requestId } from "../request/request-id.ts";
import { cursorOf, positionIn } from "./cursor.ts";
import { firstFrameKey } from "./first-frame.ts";
import { type Ending, ending, endingOf, noAuth, stopping } from "./frames.ts";
import { endSocket, socketStream } from "./socket-wire.ts";

/** A WebSocket for /stream. Anything else is left to the routes, which know what to answer. */
export function takesUpgrade({ headers, url = "" }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket" && /^\/stream\/?(\?|$)/.test(url);
}

/** A frame carries no headers. */
const noHeaders = { setHeader: () => undefined };

/**
 * Opens a stream over a WebSocket (RFC 6455). What can be refused before the upgrade is, as an HTTP answer; without a
 * key in the headers, as from browsers, which cannot set them, the first frame brings it.
 */
export async function acceptUpgrade(
  gateway: Gateway,
  req: Request,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  // Until ws takes it over, a reset of the connection is nobody's event.
  socket.on("error", () => socket.destroy());
  req.requestId = requestId(req.headers);
  try {
    if (!gateway.server.listening) throw fail("overloaded", "The service is stopping. Try again shortly.");
    const after = cursorOf(new URL(req.url ?? "/", "http://gateway.test").searchParams);
    const value = req.headers["x-api-key"];
    const lines = [`x-request-id: ${req.requestId}`];
    req.upgradeHeaders = lines;
    const setHeader = (name: string, text: string) => lines.push(`${name}: ${text}`);
    const caller = value === undefined ? undefined : await admitKey(gateway, value, { setHeader });
    gateway.streams.sockets.handleUpgrade(req, socket, head, opened => {
      opened.on("error", error => gateway.logger.debug("stream.client_error", { error }));
      void run(gateway, opened, after, caller);
    });
  } catch (error) {
    refuseUpgrade(gateway, req, socket, error);
  }
}

/** The error envelope, on a connection that was to become something else. */
export function refuseUpgrade(gateway: Gateway, req: Request, socket: Duplex, error: unknown): void {
  const res = new ServerResponse<Request>(req);
  res.assignSocket(socket as Parameters<typeof res.assignSocket>[0]);
  res.shouldKeepAlive = false;
  res.once("finish", () => socket.end());
  baseHeaders(res, req.requestId);
  sendError(gateway, req, res, error);
}

/** What ws finds wrong with a handshake. */
export function badHandshake(error: Error): Error {
  return invalid("upgrade", "websocket", `This is not a WebSocket handshake: ${error.message}.`);
}

async function run(
  gateway: Gateway,
  socket: WebSocket,
  after: number | undefined,
  known: Caller | undefined,
): Promise<void> {
  const { options } = gateway.streams.house;
  try {
    const admitted = known ?? (await admitByFrame(gateway, socket));
    if (socket.readyState !== socket.OPEN) return;
    if (!gateway.server.listening) endSocket(socket, stopping, options);
    else if ("keyId" in admitted) await open(gateway, socket, admitted, after);
    else endSocket(socket, admitted, options);
  } catch (error) {
    gateway.logger.error("stream.failed", { error });
    endSocket(socket, endingOf(error), options);
  }
}

async function admitByFrame(gateway: Gateway, socket: WebSocket): Promise<Caller | Ending> {
  const value = await firstFrameKey(socket, gateway.streams.house.options.authMs);
  try {
    return value === undefined ? noAuth : await admitKey(gateway, value, noHeaders);
  } catch (error) {
    if (codeOf(error) === "unauthorized") return noAuth;
    const { status, code, sentence, extras } = publicError(error);
    return ending(status === 429 ? 4429 : 1013, code, sentence, extras.retry_after);
  }
}

async function open(
  gateway: Gateway,
  socket: WebSocket,
  { keyId }: Caller,
  after: number | undefined,
): Promise<void> {
  const { house } = gateway.streams;
  const stream = socketStream(house, keyId, socket);
  const bounds = await house.log.bounds(keyId);
  const position = positionIn(bounds, after);
  if (typeof position === "number") stream.start(bounds, position);
  else stream.end(position);
}
