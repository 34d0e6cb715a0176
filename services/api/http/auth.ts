import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Limiter } from "../../../mixins/coordination/limiter/limiter.ts";
import { type Caller, defaultLimits, type KeyLimits } from "../../contracts/caller.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import type { AllowList } from "../../domain/url/address-policy.ts";
import { readSessionCookie } from "../session/session-cookie.ts";
import type { Sessions } from "../session/sessions.ts";
import { type Admission, type Auth, sentKey } from "./admission.ts";
import { clientAddress, type GuessLimiter } from "./guess-limiter.ts";
import type { LookupCache } from "./lookup-cache.ts";
import { requireUnexpired } from "./standing.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** What authentication works with. */
export interface AuthContext {
  keyCache: LookupCache<Caller>;
  /** Callers by the ids of their keys. */
  keyById: LookupCache<Caller>;
  /** Undefined where the dashboard is off, so nobody can sign in. */
  sessions: Sessions | undefined;
  limiter: Limiter;
  usage: Pick<UsageMeter, "count">;
  isAdmin: AdminCheck;
  adminGuesses: GuessLimiter;
  keyGuesses: GuessLimiter;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: Pick<AllowList, "hasAddress">;
}

const maxKeyLength = 512;

const unauthorized = {
  key: "A valid API key is required, in the x-api-key header or as Authorization: Bearer.",
  admin: "The admin key is required in the x-admin-key header.",
  either:
    "A valid API key in the x-api-key header or as Authorization: Bearer, or the admin key in the x-admin-key header, is required.",
  owner: "An owner who signed in with a password is required; no key will do.",
};

const misplaced = {
  adminKey:
    "This is the admin key, and no API key: send it in the x-admin-key header, with the id of a key in x-key-id.",
  apiKey:
    "The admin key is required in the x-admin-key header. The headers x-api-key and Authorization are for API keys, which do not do here.",
};

const needsKeyId =
  "Say which API key to act as: send its id in the x-key-id header. The admin key and an owner's session are no API keys.";

/**
 * Authenticates a request and spends one of its key's window, or throws 401, 403 or 429. Runs before the body is read: a
 * client without a key cannot make the gateway parse anything. Missing, malformed and unknown keys get the same answer. A
 * key in a header goes before a session.
 */
export async function admit(
  context: AuthContext,
  req: IncomingMessage,
  res: TakesHeaders,
  auth: Auth,
): Promise<Admission> {
  if (auth === "none") return {};
  const { "x-admin-key": adminKey } = req.headers;
  const apiKey = sentKey(req.headers);
  if (auth !== "owner" && adminKey !== undefined && (auth !== "key" || apiKey === undefined)) {
    if (await isAdmin(context, req)) return await asAdmin(context, req, auth);
    if (auth === "admin" || apiKey === undefined) throw fail("unauthorized", unauthorized[auth]);
  }
  if (apiKey !== undefined && (auth === "key" || auth === "either")) {
    const caller = await admitKey(context, req, apiKey, res, unauthorized[auth]);
    checkOwnId(req, caller);
    return { caller };
  }
  if (apiKey !== undefined && auth === "admin") throw fail("unauthorized", misplaced.apiKey);
  return await admitSession(context, req, res, auth);
}

/** The administrator needs no key where none is needed, and says elsewhere which one to act as. It has no rate limit. */
async function asAdmin(context: AuthContext, req: IncomingMessage, auth: Auth): Promise<Admission> {
  const needsKey = auth === "key" || (auth === "either" && req.headers["x-key-id"] !== undefined);
  return needsKey ? { caller: await keyNamed(context, req), acting: true } : {};
}

async function admitSession(
  context: AuthContext,
  req: IncomingMessage,
  res: TakesHeaders,
  auth: Exclude<Auth, "none">,
): Promise<Admission> {
  const { sessions } = context;
  const { token = "", refusal } = sessions ? readSessionCookie(req) : {};
  if (refusal !== undefined) throw fail("unauthorized", refusal);
  const known = token === "" ? null : await sessions?.find(token);
  if (!sessions || !known) throw fail("unauthorized", unauthorized[auth]);
  const { session } = known;
  const found = { session, holds: async () => (await sessions.find(token)) !== null };
  if (auth === "admin" || auth === "owner") {
    if (session.role !== auth) throw fail("forbidden", wrongRole[auth]);
    if (session.role === "owner") await spend(context.limiter, `owner:${session.owner}`, defaultLimits, res);
    return session.owner === null ? found : { ...found, owner: session.owner };
  }
  if (session.role === "admin") return { ...found, ...(await asAdmin(context, req, auth)) };
  const caller = known.caller ?? (await keyNamed(context, req, session.owner));
  checkOwnId(req, caller);
  // A page that is open asks every few seconds. Usage shows what programs do, and what people begin.
  if (req.method === "GET") await spend(context.limiter, caller.keyId, caller.limits, res);
  else await spendRequest(context, caller, res);
  return { ...found, caller, acting: true };
}

const wrongRole = {
  admin: "Only the administrator may do this.",
  owner: "Only an owner who signed in with a password may do this.",
};

/** The key that `x-key-id` names; of an owner only its own. */
async function keyNamed(
  { keyById, now }: AuthContext,
  req: IncomingMessage,
  owner: string | null = null,
): Promise<Caller> {
  const id = req.headers["x-key-id"];
  if (id === undefined) throw fail("unauthorized", needsKeyId);
  const caller = typeof id === "string" && id.length <= 64 ? await keyById.find(id) : null;
  if (!caller || (owner !== null && caller.owner !== owner))
    throw invalid("x-key-id", "not_found", "There is no such API key: `x-key-id` takes the id of a key.");
  requireUnexpired(caller, now(), "The API key that `x-key-id` names");
  return caller;
}

function checkOwnId({ headers: { "x-key-id": id } }: IncomingMessage, { keyId }: Caller): void {
  if (id !== undefined && id !== keyId) throw fail("forbidden", "An API key acts as no other (x-key-id).");
}

/** Authenticates a key value from a header or a frame, as one request of its window. Throws 401 and 429. */
export async function admitKey(
  context: AuthContext,
  req: IncomingMessage,
  key: unknown,
  res: TakesHeaders,
  refusal = unauthorized.key,
): Promise<Caller> {
  const caller = isPlausible(key) ? await context.keyCache.find(key) : null;
  if (!caller) throw await refuseKey(context, req, key, refusal);
  requireUnexpired(caller, context.now());
  await spendRequest(context, caller, res);
  return caller;
}

/**
 * Every API key is looked up, even after many wrong ones: clients that share an address must not lock each other out, and
 * a generated key cannot be guessed. The admin key is recognised in the place of an API key only after the try was counted:
 * nobody guesses it faster there than keys.
 */
async function refuseKey(
  context: AuthContext,
  req: IncomingMessage,
  key: unknown,
  refusal: string,
): Promise<Error> {
  if (!isPlausible(key)) return fail("unauthorized", refusal);
  await context.keyGuesses.count(clientAddress(req, context.trustedProxies));
  return fail("unauthorized", context.isAdmin(key) ? misplaced.adminKey : refusal);
}

/**
 * The right key passes whatever was tried before it: else a stranger could lock the administrator out at will, behind a
 * proxy from anywhere. Only wrong ones are counted.
 */
async function isAdmin(context: AuthContext, req: IncomingMessage): Promise<boolean> {
  const value = req.headers["x-admin-key"];
  if (!isPlausible(value)) return false;
  if (context.isAdmin(value)) return true;
  await context.adminGuesses.count(clientAddress(req, context.trustedProxies));
  return false;
}

function isPlausible(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxKeyLength;
}

export type AdminCheck = (value: string) => boolean;

/** Compares digests: the time taken then reveals neither the length nor a common prefix. */
export function adminCheck(adminKey: string): AdminCheck {
  const expected = digest(adminKey);
  return value => timingSafeEqual(digest(value), expected);
}

function digest(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}

const windowMs = 60_000;

/** An answer, or what collects the headers of one. */
interface TakesHeaders {
  setHeader(name: string, value: string): unknown;
}

/** Takes one request from the key's window, and counts it. */
async function spendRequest(context: AuthContext, caller: Caller, res: TakesHeaders): Promise<void> {
  await spend(context.limiter, caller.keyId, caller.limits, res);
  context.usage.count(caller.keyId);
}

/**
 * Takes one request from the sliding window of a key or an owner, and reports what is left, as in the IETF draft
 * draft-ietf-httpapi-ratelimit-headers: `q` quota, `w` window in seconds, `r` remaining, `t` seconds until the
 * quota is whole again. Throws 429 `rate_limited`.
 */
export async function spend(
  limiter: Limiter,
  place: string,
  { requestsPerMinute: limit }: KeyLimits,
  res: TakesHeaders,
): Promise<void> {
  const verdict = await limiter.consume(place, { limit, windowMs });
  res.setHeader("ratelimit-policy", `"default";q=${limit};w=${windowMs / 1000}`);
  res.setHeader("ratelimit", `"default";r=${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`);
  if (verdict.allowed) return;
  const retryAfter = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  throw fail(
    "rate_limited",
    `At most ${limit} requests a minute are allowed. Try again in ${retryAfter} s.`,
    {
      retry_after: retryAfter,
    },
  );
}
