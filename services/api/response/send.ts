import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "moleculer";
import { logEvent } from "../../../mixins/log/log-events.ts";
import type { CallMeta } from "../../contracts/caller.ts";
import { challenge, scopeChallenge } from "../http/admission.ts";
import type { Untaken } from "../http/untaken.ts";
import type { Request, Response } from "../request/request.ts";
import type { ResponseDoc, Route } from "../routes/route.ts";
import { envelope, publicError } from "./public-error.ts";
import { addQuotaHeaders } from "./quota-headers.ts";

/** Sends the result of an action. Takes only a documented status and documented headers: nested calls leak theirs. */
export async function sendResult(
  req: Request,
  res: Response,
  { route, params }: { route: Route; params: Record<string, unknown> },
  result: unknown,
  { $statusCode, $responseHeaders = {}, $quotas = [] }: CallMeta = {},
): Promise<void> {
  const status = statusOf(route, { $statusCode });
  for (const name of Object.keys(route.responses[status]?.headers ?? {}))
    if (Object.hasOwn($responseHeaders, name)) res.setHeader(name, $responseHeaders[name] ?? "");
  addQuotaHeaders(res, $quotas, Date.now());
  const type = typeOf(route.responses[status], params);
  if (type?.startsWith("text/html")) res.setHeader("content-security-policy", foreignPagePolicy);
  if (result instanceof Readable) await sendStream(req, res, status, result, type);
  else write(req, res, status, result, type);
}

/** The status of an answer: the route's, unless the action has chosen another that is documented. */
export function statusOf({ responses, status }: Route, { $statusCode }: CallMeta = {}): number {
  return $statusCode && $statusCode in responses ? $statusCode : status;
}

/** Sends a body piece by piece, as its client takes it. */
export async function sendStream(
  req: Request,
  res: Response,
  status: number,
  body: Readable,
  type = "application/octet-stream",
): Promise<void> {
  if (req.method === "HEAD" || res.destroyed) body.destroy();
  res.writeHead(status, { "content-type": type });
  if (req.method === "HEAD") res.end();
  else await pipeline(body, res).catch(unlessLeft);
}

/**
 * The HTML of a service is that of other sites. It has no origin, runs no script, loads nothing, sends no form and leads
 * nowhere by itself; its own styles apply.
 */
const foreignPagePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function typeOf(doc: ResponseDoc | undefined, params: Record<string, unknown>): string | undefined {
  return doc?.forms ? doc.forms.types[String(params[doc.forms.by])] : doc?.type;
}

/** Ignores the error of a client that left in the middle of an answer. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

/** Answers with the error's envelope, and logs the cause of errors on our side. */
export function sendError(logger: Logger, req: Request, res: Response, error: unknown): void {
  const shown = publicError(error, req.match?.route, req.query);
  if (shown.status >= 500) reportError(logger, req, shown.status, error);
  if (res.headersSent) {
    // Half an answer must not look complete.
    res.destroy();
    return;
  }
  // Set it here: an error may occur before moleculer-web sets it.
  res.setHeader("x-request-id", req.requestId);
  const { retry_after, allow, quota, scopes } = shown.extras;
  if (quota) addQuotaHeaders(res, [quota], Date.now());
  if (retry_after !== undefined) res.setHeader("retry-after", retry_after);
  if (allow) res.setHeader("allow", allow.join(", "));
  if (scopes) res.setHeader("www-authenticate", scopeChallenge(scopes));
  if (shown.status === 401) res.setHeader("www-authenticate", challenge(req.headers));
  const { status, body } = req.match?.route.failure?.(shown, req.requestId) ?? {
    status: shown.status,
    body: envelope(shown, req.requestId),
  };
  write(req, res, status, body);
}

/** Logs the cause of an error on our side. */
export function reportError(logger: Logger, req: Request, status: number, error: unknown): void {
  const route = req.match?.route.path;
  const fields = { requestId: req.requestId, method: req.method, route, status, error };
  if (status === 500) logEvent(logger, "request.failed", fields);
  else logEvent(logger, "request.refused", fields);
}

const jsonType = "application/json; charset=utf-8";

/** Sends a body: strings and bytes as they are, null as nothing, anything else as JSON. */
export function write(req: Request, res: Response, status: number, body: unknown, type?: string): void {
  if (res.destroyed) return;
  res.statusCode = status;
  if (body === null || body === undefined || status === 204) {
    // Neither has a body, and the length of 304 would be that of the page (RFC 9110, 15.4.5).
    if (status !== 204 && status !== 304) res.setHeader("content-length", 0);
    res.end();
    return;
  }
  const isRaw = type !== undefined && (typeof body === "string" || Buffer.isBuffer(body));
  const payload = isRaw ? body : JSON.stringify(body);
  res.setHeader("content-type", type ?? jsonType);
  res.setHeader("content-length", Buffer.byteLength(payload));
  if (req.method === "HEAD") res.end();
  else sendBody(res, payload, req.untaken);
}

/** A longer body is given out in parts of this size, so that it shows whether its client takes it. */
const partBytes = 64 * 1024;

/**
 * Ends an answer with its body. A `Buffer` is a document that many answers share, and costs nothing while it waits; a text
 * is held for this answer alone.
 */
export function sendBody(res: ServerResponse, body: string | Buffer, untaken: Untaken | undefined): void {
  if (body.length <= partBytes) {
    res.end(body);
    return;
  }
  const isShared = Buffer.isBuffer(body);
  const bytes = isShared ? body : Buffer.from(body);
  void sendParts(res, partsOf(bytes), isShared ? 0 : bytes.length, untaken);
}

function* partsOf(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/** Writes each part once the client has taken the one before it. `bytes` are held in memory until the last one is taken. */
async function sendParts(
  res: ServerResponse,
  parts: Iterable<Buffer>,
  bytes: number,
  untaken: Untaken | undefined,
): Promise<void> {
  const holder = { destroy: () => res.destroy() };
  res.once("close", () => untaken?.release(holder));
  for (const part of parts) {
    if (res.write(part) || res.writableLength === 0) continue;
    untaken?.hold(holder, bytes);
    if (!(await isTaken(res))) return;
  }
  res.end();
}

/** Whether the client took what was written, rather than left. */
function isTaken(res: ServerResponse): Promise<boolean> {
  if (res.destroyed) return Promise.resolve(false);
  return new Promise(resolve => {
    const settle = (taken: boolean) => {
      res.off("drain", onDrain).off("close", onClose);
      resolve(taken);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    res.on("drain", onDrain).on("close", onClose);
  });
}

/** Headers of every answer, errors included. The strict content policy suits everything but the pages of /docs. */
export function baseHeaders(res: Response): void {
  res.setHeader("x-content-type-options", "nosniff");
  res.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  res.setHeader("cache-control", "no-store");
}

/** Pages of other origins may read what is public only: an API key does not belong in a browser. */
export function routeHeaders(res: Response, route: Route): void {
  if (route.anyOrigin) res.setHeader("access-control-allow-origin", "*");
}
