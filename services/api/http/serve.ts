import { Readable } from "node:stream";
import { call } from "../../contracts/action.ts";
import type { CallMeta } from "../../contracts/caller.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import { type Act, recordAct } from "../audit/acts.ts";
import type { Gateway } from "../context.ts";
import { serveMcp } from "../mcp/serve-mcp.ts";
import { checkParams } from "../request/check-params.ts";
import { asksForEvents } from "../request/negotiate.ts";
import { readParams } from "../request/read-params.ts";
import type { Request, Response } from "../request/request.ts";
import { idempotencyKeyOf, requestId } from "../request/request.ts";
import { sendUpload } from "../request/uploads.ts";
import { publicError } from "../response/public-error.ts";
import {
  baseHeaders,
  routeHeaders,
  sendError,
  sendResult,
  sendStream,
  statusOf,
  write,
} from "../response/send.ts";
import type { KeyEvents, OwnAnswer, Route, ServiceAction } from "../routes/route.ts";
import { serveAllEvents } from "../streams/all-events.ts";
import { serveSse } from "../streams/sse.ts";
import { admit } from "./auth.ts";
import { admitLink, isLink } from "./links.ts";
import type { RouteMatch } from "./router.ts";
import { requireScope } from "./standing.ts";

const defaultTimeoutMs = 15_000;

/**
 * Takes one request off the HTTP server: gives it its id and the headers of every answer, counts it, and refuses what HTTP
 * does not allow. `next` is moleculer-web's handler, which puts the id into the answer, finds the route and ends in `serve`.
 */
export async function accept(
  gateway: Gateway,
  req: Request,
  res: Response,
  next: () => Promise<void>,
): Promise<void> {
  req.requestId = requestId(req.headers);
  req.startedAt = performance.now();
  req.untaken = gateway.untaken;
  req.uploads = gateway.uploads;
  req.headers["x-request-id"] = req.requestId;
  // moleculer-web would let this header replace the request id, unchecked.
  delete req.headers["x-correlation-id"];
  baseHeaders(res);
  if (!gateway.server.listening) res.setHeader("connection", "close");
  gateway.inFlight.add(res);
  // It comes once, and `once` costs as much again.
  res.on("close", () => {
    gateway.inFlight.delete(res);
    gateway.untaken.release(res);
    req.endUpload?.();
    gateway.http.observe(req, res);
  });
  const refusal = refusalOf(gateway, req);
  if (refusal) return sendError(gateway.logger, req, res, refusal);
  if (req.method === "OPTIONS") return answerOptions(gateway, req, res);
  await next();
}

/** Serves one request, from its route to the answer. The caller turns what it throws into the error envelope. */
export async function serve(gateway: Gateway, req: Request, res: Response, match: RouteMatch): Promise<void> {
  routeHeaders(res, match.route);
  try {
    await answer(gateway, req, res, match);
  } catch (error) {
    if (!req.isRecorded) {
      const { status, code } = publicError(error, match.route, req.query);
      await recordAct(gateway, req, actOf(req, match), { status, code });
    }
    throw error;
  }
}

async function answer(gateway: Gateway, req: Request, res: Response, match: RouteMatch): Promise<void> {
  const { route } = match;
  req.admission = isLink(route, req)
    ? await admitLink(gateway, req, res)
    : await admit(gateway, req, res, route.auth);
  requireScope(req.admission.caller, route.scopes);
  const { action } = route;
  switch (action.kind) {
    case "service":
      return await callService(gateway, req, res, match, action);
    case "own":
      return await answerAlone(gateway, req, res, match, action);
    case "key-events":
      return await serveKeyEvents(gateway, req, res, match.route, action);
    case "all-events":
      return serveAllEvents(gateway, req, res, await readParams(req, match), req.admission.holds);
    case "mcp":
      return await serveMcp(gateway, req, res);
    default:
      return action satisfies never;
  }
}

function actOf({ params }: Request, { route, params: path }: RouteMatch): Act {
  return { route, path, params };
}

/** Keeps what was done, before its answer goes out. */
async function done(gateway: Gateway, req: Request, match: RouteMatch, status: number, body: unknown) {
  req.isRecorded = true;
  await recordAct(gateway, req, actOf(req, match), { status, body });
}

async function serveKeyEvents(
  gateway: Gateway,
  req: Request,
  res: Response,
  { path }: Route,
  { otherwise }: KeyEvents,
): Promise<void> {
  if (otherwise !== undefined && !asksForEvents(req)) throw invalid("upgrade", "required", otherwise);
  const { caller, holds } = req.admission ?? {};
  if (!caller) throw new TypeError(`${path}: a stream belongs to a key`);
  return await serveSse(gateway, req, res, caller, holds);
}

async function callService(
  gateway: Gateway,
  req: Request,
  res: Response,
  match: RouteMatch,
  action: ServiceAction,
): Promise<void> {
  const { route } = match;
  const { caller, owner, acting } = req.admission ?? {};
  const idempotencyKey = route.idempotent ? idempotencyKeyOf(req.headers) : undefined;
  const meta: CallMeta = { caller, owner, acting, idempotencyKey };
  const params = await readParams(req, match);
  req.params = params;
  const timeout = route.timeoutMs?.(params) ?? defaultTimeoutMs;
  const ctx = req.$ctx ?? gateway.broker;
  const result = await sendUpload(req, stream =>
    call(ctx, action, params, { timeout, meta, ...(stream && { stream }) }),
  );
  const answered = req.$ctx?.meta;
  await done(gateway, req, match, statusOf(route, answered), result);
  await sendResult(req, res, { route, params }, result, answered);
}

async function answerAlone(
  gateway: Gateway,
  req: Request,
  res: Response,
  match: RouteMatch,
  own: OwnAnswer,
): Promise<void> {
  const params = await readParams(req, match);
  req.params = params;
  if (match.route.method !== "GET") checkParams(own.params, params);
  const gone = new AbortController();
  // An abort makes an error with a stack: a client that has its answer has not gone.
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const { status = 200, type, headers = {}, body } = await own.answer(gateway, params, req, gone.signal);
  await done(gateway, req, match, status, body);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (status === 200 && isKnown(req, String(headers.etag ?? ""))) write(req, res, 304, null);
  else if (body instanceof Readable) await sendStream(req, res, status, body, type);
  else write(req, res, status, body, type);
}

/** Whether the client has this very answer (RFC 9110, 13.1.2). */
function isKnown({ headers }: Request, etag: string): boolean {
  const tags = headers["if-none-match"]?.split(",").map(tag => tag.trim().replace(/^W\//, "")) ?? [];
  return etag !== "" && (tags.includes(etag) || tags.includes("*"));
}

/** RFC 9112, 3.2: of two Host headers Node takes the first, and a proxy in front of it perhaps the second. */
function refusalOf(
  { checkHost }: Pick<Gateway, "checkHost">,
  { httpVersion, rawHeaders, headers: { expect, host } }: Request,
): unknown {
  const hosts = hostsIn(rawHeaders);
  const hasOneHost = hosts === 0 ? httpVersion !== "1.1" : hosts === 1;
  if (!hasOneHost) return invalid("host", "required", "HTTP/1.1 requires one Host header.");
  // RFC 9110, 10.1.1: `100-continue` is the only expectation. HTTP/1.0 has none.
  if (expect !== undefined && httpVersion === "1.1" && !/^100-continue$/i.test(expect.trim()))
    return fail("expectation_failed", "The only expectation that this server supports is 100-continue.");
  try {
    checkHost(host);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** How often the header occurs; names and values alternate. Node's lists by name cost as much as the check of a key. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
  return hosts;
}

/** moleculer-web treats a plain OPTIONS as a GET. */
function answerOptions(gateway: Gateway, req: Request, res: Response): void {
  try {
    const allow = gateway.router.allowed(splitTarget(req).url);
    res.writeHead(204, { "x-request-id": req.requestId, allow: allow.join(", ") }).end();
  } catch (error) {
    sendError(gateway.logger, req, res, error);
  }
}

/** The path and the query of a request. Accepts the absolute form of a target, too (RFC 9112, 3.2.2). */
export function splitTarget(req: { url?: string }): { url: string; query?: URLSearchParams } {
  const { url: target = "/" } = req;
  const url = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "");
  const at = url.indexOf("?");
  return at < 0 ? { url } : { url: url.slice(0, at), query: new URLSearchParams(url.slice(at + 1)) };
}
