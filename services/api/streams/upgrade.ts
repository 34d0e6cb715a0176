import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Logger } from "moleculer";
import type { RawData, WebSocket, WebSocketServer } from "ws";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { Caller } from "../../contracts/caller.ts";
import { codeOf, fail, invalid } from "../../contracts/errors.ts";
import { JobWatcher, jobScopes } from "../firecrawl/job-watcher.ts";
import { admitWatcher, keyOfWatcher, type WatchedJob, watchedJob, watchJob } from "../firecrawl/watch-job.ts";
import { sentKey } from "../http/admission.ts";
import { type AuthContext, admitKey } from "../http/auth.ts";
import type { HostCheck } from "../http/hosts.ts";
import { requireScope } from "../http/standing.ts";
import { originOf } from "../request/negotiate.ts";
import { type Request, requestId } from "../request/request.ts";
import { publicError } from "../response/public-error.ts";
import { baseHeaders, sendError } from "../response/send.ts";
import type { AnswerContext } from "../routes/route.ts";
import type { StreamContext } from "./event-stream.ts";
import {
  type Ending,
  ending,
  endingOf,
  noAuth,
  positionIn,
  refusalEnding,
  type StreamQuery,
  stopping,
  streamQueryOf,
  streamScopes,
} from "./protocol.ts";
import { endSocket, socketStream } from "./web-socket.ts";

/** What an upgrade works with. */
interface Upgrade {
  readonly auth: AuthContext;
  readonly checkHost: HostCheck;
  readonly logger: Logger;
  readonly server: Server;
  readonly sockets: WebSocketServer;
  readonly streams: StreamContext;
  readonly answers: AnswerContext;
}

/**
 * Whether a request opens a WebSocket on /stream, or at a job of Firecrawl's clients. The routes answer any other, and an
 * upgrade that is pipelined behind a request without an answer yet: the connection still belongs to that answer.
 */
export function takesUpgrade({ headers, url = "", socket }: IncomingMessage): boolean {
  const { _httpMessage: pending } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (pending || headers.upgrade?.toLowerCase() !== "websocket") return false;
  return /^\/stream\/?(\?|$)/.test(url) || watchedJob(url) !== undefined;
}

/** Frames have no headers, so these are dropped. */
const noHeaders = { setHeader: () => undefined };

/**
 * Opens a stream over a WebSocket (RFC 6455). Refuses what it can before the upgrade, as an HTTP answer. Browsers cannot set
 * headers: without a key there, the first frame carries it.
 */
export async function acceptUpgrade(
  upgrade: Upgrade,
  req: Request,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  // Until ws takes the socket over, nothing else handles a reset.
  socket.on("error", () => socket.destroy());
  req.requestId = requestId(req.headers);
  try {
    upgrade.checkHost(req.headers.host);
    if (!upgrade.server.listening) throw fail("overloaded", "The service is stopping. Try again shortly.");
    const job = watchedJob(req.url ?? "");
    if (job) return await acceptWatcher(upgrade, req, socket, head, job);
    const query = streamQueryOf(new URL(req.url ?? "/", "http://gateway.test").searchParams);
    const value = sentKey(req.headers);
    const lines = [`x-request-id: ${req.requestId}`];
    req.upgradeHeaders = lines;
    const setHeader = (name: string, text: string) => lines.push(`${name}: ${text}`);
    const caller = value === undefined ? undefined : await admitKey(upgrade.auth, req, value, { setHeader });
    requireScope(caller, streamScopes);
    upgrade.sockets.handleUpgrade(req, socket, head, opened => {
      opened.on("error", error => logEvent(upgrade.logger, "stream_client.failed", { error }));
      void run(upgrade, req, { opened, connection: socket }, query, caller);
    });
  } catch (error) {
    refuseUpgrade(upgrade.logger, req, socket, error);
  }
}

/** Opens a WebSocket that tells of a job. */
async function acceptWatcher(
  { auth, answers, logger, sockets, streams }: Upgrade,
  req: Request,
  socket: Duplex,
  head: Buffer,
  job: WatchedJob,
): Promise<void> {
  const lines = [`x-request-id: ${req.requestId}`];
  req.upgradeHeaders = lines;
  const setHeader = (name: string, text: string) => lines.push(`${name}: ${text}`);
  const caller = await admitKey(auth, req, keyOfWatcher(req.headers), { setHeader });
  requireScope(caller, jobScopes);
  const asked = { context: answers, req: { ...ownRequest(req), admission: { caller } }, caller };
  const asking = { ...asked, origin: originOf(answers, req) };
  await admitWatcher(asking, job);
  sockets.handleUpgrade(req, socket, head, opened => {
    opened.on("error", error => logEvent(logger, "stream_client.failed", { error }));
    void watchJob(asking, job, new JobWatcher(streams, caller.keyId, opened));
  });
}

/** What the answers of a watched job read of its request. */
function ownRequest({ headers, socket, method, requestId }: Request) {
  return { headers, socket, method, requestId };
}

/** Answers an upgrade with the error envelope. */
export function refuseUpgrade(logger: Logger, req: Request, socket: Duplex, error: unknown): void {
  const res = new ServerResponse<Request>(req);
  res.assignSocket(socket as Parameters<typeof res.assignSocket>[0]);
  res.shouldKeepAlive = false;
  res.once("finish", () => socket.end());
  baseHeaders(res);
  sendError(logger, req, res, error);
}

/** The error for a handshake that ws refuses. */
export function badHandshake(error: Error): Error {
  return invalid("upgrade", "websocket", `This is not a WebSocket handshake: ${error.message}.`);
}

/** A WebSocket, and the connection below it. */
interface Opened {
  opened: WebSocket;
  connection: Duplex;
}

async function run(
  upgrade: Upgrade,
  req: Request,
  { opened: socket, connection }: Opened,
  query: StreamQuery,
  known: Caller | undefined,
): Promise<void> {
  const { options } = upgrade.streams;
  try {
    const admitted = known ?? (await admitByFrame(upgrade, req, socket));
    if (socket.readyState !== socket.OPEN) return;
    if (!upgrade.server.listening) endSocket(socket, stopping, options);
    else if ("keyId" in admitted) await open(upgrade, { opened: socket, connection }, admitted, query);
    else endSocket(socket, admitted, options);
  } catch (error) {
    logEvent(upgrade.logger, "stream.failed", { error });
    endSocket(socket, endingOf(error), options);
  }
}

async function admitByFrame(upgrade: Upgrade, req: Request, socket: WebSocket): Promise<Caller | Ending> {
  const value = await firstFrameKey(socket, upgrade.streams.options.authMs);
  try {
    if (value === undefined) return noAuth;
    const caller = await admitKey(upgrade.auth, req, value, noHeaders);
    requireScope(caller, streamScopes);
    return caller;
  } catch (error) {
    if (codeOf(error) === "unauthorized") return noAuth;
    const refused = refusalEnding(error);
    if (refused) return refused;
    const { status, code, message, extras } = publicError(error);
    return ending(status === 429 ? 4429 : 1013, code, message, extras.retry_after);
  }
}

async function open(
  upgrade: Upgrade,
  { opened, connection }: Opened,
  { keyId }: Caller,
  { after, meaningful }: StreamQuery,
): Promise<void> {
  const { streams: context } = upgrade;
  const stream = socketStream(context, keyId, opened, connection);
  const bounds = await context.log.bounds(keyId);
  const position = positionIn(bounds, after);
  if (typeof position === "number") stream.start(bounds, position, { meaningful });
  else stream.end(position);
}

/** The key value of the first frame, `{"type":"auth","key":"…"}`; undefined for any other frame, or none in time. */
function firstFrameKey(socket: WebSocket, withinMs: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const settle = (key: string | undefined) => {
      clearTimeout(timer);
      socket.off("message", onMessage).off("close", onClose);
      resolve(key);
    };
    const onMessage = (data: RawData, isBinary: boolean) =>
      settle(isBinary ? undefined : keyIn(String(data)));
    const onClose = () => settle(undefined);
    const timer = setTimeout(onClose, withinMs);
    socket.on("message", onMessage).on("close", onClose);
  });
}

function keyIn(text: string): string | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    const { type, key } = Object(frame) as { type?: unknown; key?: unknown };
    return type === "auth" && typeof key === "string" ? key : undefined;
  } catch {
    // A frame that is not JSON has no key.
    return undefined;
  }
}
