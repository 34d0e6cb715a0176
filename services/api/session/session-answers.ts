import { fail, invalid } from "../../contracts/errors.ts";
import { nothing, rule, withMessage } from "../../contracts/schema.ts";
import {
  newPassword,
  type OpenedSession,
  password,
  type Session,
  session,
} from "../../contracts/session.contract.ts";
import { sessionMs } from "../../domain/session/session-token.ts";
import type { AnswerContext, OwnAnswer, OwnReply, OwnRequest } from "../routes/route.ts";
import {
  cannotKeepCookie,
  deviceCookie,
  expiredCookie,
  isForeignPage,
  readSessionCookie,
  refusalOf,
  sessionCookie,
} from "./session-cookie.ts";
import { deviceMs } from "./sessions.ts";
import type { Credentials, SignIn } from "./sign-in.ts";

const credential = (description: string) =>
  rule({ type: "string", min: 1, max: 512, optional: true, description });

export const openSession: OwnAnswer = {
  kind: "own",
  params: {
    $$strict: true,
    key: credential("The admin key or an API key, whichever it is."),
    admin_key: credential("The admin key."),
    api_key: credential("An API key."),
    owner: { type: "string", trim: true, min: 1, max: 100, optional: true, description: "The owner's name." },
    password: { ...password, optional: true, description: "The owner's password." },
  },
  result: withMessage(session),
  async answer(context, params, req) {
    checkPage(req);
    const signIn = signInOf(context);
    return signedIn(signIn, req, await signIn.open(req, credentialsIn(params)));
  },
};

/** Reads exactly one of the ways to sign in. */
function credentialsIn({ key, admin_key, api_key, owner, password }: Record<string, unknown>): Credentials {
  const ways = [key, admin_key, api_key, owner ?? password].filter(way => way !== undefined);
  if (ways.length !== 1)
    throw invalid(
      "",
      "exactly_one",
      "Sign in with one of `key`, `admin_key`, `api_key`, or `owner` with `password`.",
    );
  if (key !== undefined) return { way: "any", value: String(key) };
  if (admin_key !== undefined) return { way: "admin", value: String(admin_key) };
  if (api_key !== undefined) return { way: "key", value: String(api_key) };
  if (owner === undefined) throw invalid("owner", "required", "`owner` is required beside `password`.");
  if (password === undefined) throw invalid("password", "required", "`password` is required beside `owner`.");
  return { way: "owner", owner: String(owner), value: String(password) };
}

/** Sets an owner's password by its one-time link. */
export const setPassword: OwnAnswer = {
  kind: "own",
  params: {
    $$strict: true,
    token: { type: "string", min: 1, max: 200, description: "What follows `#` in the link." },
    password: newPassword,
  },
  result: withMessage(session),
  async answer(context, { token, password }, req) {
    checkPage(req);
    const signIn = signInOf(context);
    return signedIn(signIn, req, await signIn.redeem(req, String(token), String(password)));
  },
};

export const changePassword: OwnAnswer = {
  kind: "own",
  params: {
    $$strict: true,
    current_password: { ...password, description: "The password until now." },
    new_password: newPassword,
  },
  result: withMessage(session),
  async answer(context, { current_password, new_password }, req) {
    const owner = req.admission?.owner;
    if (owner === undefined) throw new TypeError("Only an owner has a password");
    const signIn = signInOf(context);
    const opened = await signIn.change(req, owner, String(current_password), String(new_password));
    return { ...signedIn(signIn, req, opened), status: 200 };
  },
};

export const currentSession: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  result: withMessage(session),
  async answer(context, _params, req) {
    const { token, refusal } = readSessionCookie(req);
    const known = token === undefined ? null : await signInOf(context).sessions.find(token);
    if (!known) throw fail("unauthorized", refusal ?? "Nobody is signed in, or the session has ended.");
    return { body: { data: known.session, message: "Signed in." } };
  },
};

/** Deletes the cookie, whether its session has ended or not, and ends the session for every copy of it. */
export const closeSession: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  result: nothing,
  async answer(context, _params, req) {
    const refusal = refusalOf(req);
    if (refusal !== undefined) throw fail("unauthorized", refusal);
    const { token } = readSessionCookie(req);
    const { sessions } = signInOf(context);
    const known = token === undefined ? null : await sessions.find(token);
    if (token !== undefined && known) {
      await spendSignOut(context, known.session);
      await sessions.end(token, known);
      req.admission = { session: known.session };
    }
    return { status: 204, headers: { "set-cookie": expiredCookie(req.headers) }, body: null };
  },
};

/** Sign-outs a minute of one key, of one owner, and of the administrator: each is stored until its session would have ended. */
const [mostSignOuts, windowMs] = [60, 60_000];

async function spendSignOut({ limiter }: AnswerContext, { key, owner }: Session): Promise<void> {
  const of = key ? `key ${key.id}` : owner === null ? "administrator" : `owner ${owner}`;
  const verdict = await limiter.consume(`sign-outs:${of}`, { limit: mostSignOuts, windowMs });
  if (verdict.allowed) return;
  const retry_after = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000));
  throw fail("rate_limited", `Too many sign-outs. Try again in ${retry_after} s.`, { retry_after });
}

/** A page of another origin must not sign its visitor in. Programs may: they have no cookies to lose. */
function checkPage({ headers }: OwnRequest): void {
  if (isForeignPage(headers))
    throw fail("unauthorized", "Only a page of this origin can sign in (Sec-Fetch-Site, Origin).");
  if (cannotKeepCookie(headers))
    throw fail(
      "forbidden",
      "Over plain http a browser keeps the session cookie on the gateway's own machine only. Open the page by https, or at http://localhost.",
    );
}

/**
 * The answer that carries a new session's cookie, and for an owner that of the device. From here on the request is that of
 * who has signed in.
 */
function signedIn({ sessions }: SignIn, req: OwnRequest, { token, session: data }: OpenedSession): OwnReply {
  const { headers } = req;
  req.admission = { session: data };
  const cookies = [sessionCookie(headers, token, sessionMs / 1000)];
  if (data.role === "owner" && data.owner !== null)
    cookies.push(deviceCookie(headers, sessions.markDevice(data.owner), deviceMs / 1000));
  return { status: 201, headers: { "set-cookie": cookies }, body: { data, message: "Signed in." } };
}

/** The rows of these answers are served only where somebody can sign in. */
function signInOf({ signIn }: AnswerContext): SignIn {
  if (!signIn) throw new TypeError("Nobody can sign in here");
  return signIn;
}
