import { type CallMeta, call } from "../contracts/action.ts";
import { admit } from "./auth/admit.ts";
import { takeSlot } from "./auth/take-slot.ts";
import type { Gateway, Request, Response } from "./gateway.ts";
import { routeHeaders } from "./reply/reply-headers.ts";
import { sendResult } from "./reply/send-result.ts";
import { write } from "./reply/write.ts";
import { idempotencyKeyOf } from "./request/idempotency-key.ts";
import { readParams } from "./request/read-params.ts";
import { isAction, type OwnAnswer, type RoomAction, type Route } from "./route.ts";
import type { RouteMatch } from "./router.ts";

const defaultTimeoutMs = 15_000;

/** One request, from the known route to the sent answer. Whatever it throws becomes the error envelope. */
export async function serve(gateway: Gateway, req: Request, res: Response, match: RouteMatch): Promise<void> {
  const { route } = match;
  routeHeaders(res, route);
  const caller = await admit(gateway, req, res, route.auth);
  if ("stream" in route.action) {
    if (!caller) throw new TypeError(`${route.path}: a stream belongs to a key`);
    return route.action.stream(gateway, req, res, caller);
  }
  const idempotencyKey = route.idempotent ? idempotencyKeyOf(req.headers) : undefined;
  const params = await readParams(req, match);
  const release = await takeSlot(gateway, route, caller, params);
  try {
    if (isAction(route.action))
      await callRoom(gateway, req, res, { route, action: route.action }, params, { caller, idempotencyKey });
    else await answerAlone(gateway, req, res, route.action, params);
  } finally {
    release();
  }
}

async function callRoom(
  gateway: Gateway,
  req: Request,
  res: Response,
  { route, action }: { route: Route; action: RoomAction },
  params: Record<string, unknown>,
  meta: CallMeta,
): Promise<void> {
  const timeout = route.timeoutMs?.(params) ?? defaultTimeoutMs;
  const ctx = req.$ctx ?? gateway.broker;
  const result = await call(ctx, action, params, { timeout, meta });
  await sendResult(req, res, route, result, req.$ctx?.meta);
}

async function answerAlone(
  gateway: Gateway,
  req: Request,
  res: Response,
  own: OwnAnswer,
  params: Record<string, unknown>,
): Promise<void> {
  const { status = 200, type, headers = {}, body } = await own.answer(gateway, params, req.requestId);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  write(req, res, status, body, type);
}
