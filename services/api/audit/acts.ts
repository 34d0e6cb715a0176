import { monotonicFactory } from "ulid";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { diskCause } from "../../../mixins/runtime/disk-trouble.ts";
import { call } from "../../contracts/action.ts";
import { type AuditAct, type AuditActor, keepAct } from "../../contracts/audit.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { Gateway } from "../context.ts";
import type { Admission } from "../http/admission.ts";
import { addressOf, clientAddress } from "../http/guess-limiter.ts";
import type { Request } from "../request/request.ts";
import type { Route } from "../routes/route.ts";

type Json = Record<string, unknown>;

const reads = "It reads the web for its answer, and usage counts it.";

/** The operations that are no acts although their method is not GET, each with the reason. All others are acts. */
export const noActs: Readonly<Record<string, string>> = {
  testTransform: "Nothing is sent or changed.",
  scrape: reads,
  parse: reads,
  mapSite: reads,
  previewSource: reads,
  rehearse: "It reads what is kept.",
  firecrawlV1Scrape: reads,
  firecrawlV1Map: reads,
  firecrawlV1Extract: reads,
  firecrawlV1Search: reads,
  firecrawlV2Scrape: reads,
  firecrawlV2Map: reads,
  firecrawlV2Extract: reads,
  firecrawlV2Search: reads,
  firecrawlV2Parse: reads,
  openWebui: reads,
  mcp: "Each tool that it calls is an act of its own.",
  receiveWebsub: "A hub sends it, no person and no key.",
};

/** Whether an operation changes something. A dry run of it does not. */
export function isAct({ name, method }: Pick<Route, "name" | "method">): boolean {
  return method !== "GET" && !Object.hasOwn(noActs, name);
}

/** An operation that was asked for. */
export interface Act {
  route: Route;
  /** The parameters of the path. */
  path: Record<string, string>;
  /** All parameters; undefined where they were not read. Of their values only those that `owner` names is kept. */
  params: Json | undefined;
}

/** How it is answered. */
interface Outcome {
  status: number;
  /** Missing unless it is a refusal. */
  code?: string;
  /** The body of the answer. */
  body?: unknown;
}

const newId = monotonicFactory();
const timeoutMs = 5000;

/**
 * Keeps an act in the audit log before it is answered: first the act, then its event, then the answer. So what is missing
 * after a kill was never answered. Throws 503 where the log cannot be written. It does not for a sign-in: somebody has to
 * get in to find out why.
 */
export async function recordAct(gateway: Gateway, req: Request, act: Act, outcome: Outcome): Promise<void> {
  if (!(await isKept(gateway, req, act, outcome))) return;
  const id = `evt_${newId()}`;
  const event = { id, timestamp: new Date().toISOString(), data: dataOf(gateway, req, act, outcome) };
  try {
    // The deadline of the request is that of the act.
    await call(gateway.broker, keepAct, event, { timeout: timeoutMs });
  } catch (error) {
    logEvent(gateway.logger, "audit_act.failed", { ...event, error });
    if (outcome.code === undefined && act.route.path !== "/session") throw unrecorded(error);
  }
}

function unrecorded(cause: unknown): Error {
  const why = diskCause() ?? "The audit log cannot be written right now.";
  const message = `It was done, but not kept in the audit log. ${why} Look at what is there before you send it again.`;
  return fail("overloaded", message, { retry_after: 5 }, cause);
}

/**
 * All acts of people are kept, also those that are refused. Of a key those that were or may have been done: a program
 * repeats a mistake at will. A stranger can only guess, which is kept so many times a minute.
 */
async function isKept(
  gateway: Gateway,
  req: Request,
  { route, params }: Act,
  { status, code }: Outcome,
): Promise<boolean> {
  if (isWrongAdmin(req, route, code)) return await mayGuess(gateway, req);
  if (!isAct(route) || params?.dry_run === true) return false;
  const { role } = actorOf(req.admission, route);
  if (role === "key") return status < 400 || status >= 500;
  if (role !== "nobody") return true;
  const isWanted = isSignIn(route) ? refusals.has(code) : status < 400 && route.name !== "signOut";
  return isWanted && (await mayGuess(gateway, req));
}

/** Codes of sign-ins that were refused for what was sent with them. */
const refusals: ReadonlySet<unknown> = new Set(["unauthorized", "expired", "rate_limited"]);

/** A wrong admin key is a try to sign in, whatever was asked for. */
function isWrongAdmin({ headers, admission }: Request, { auth }: Route, code: string | undefined): boolean {
  const takesIt = auth === "admin" || auth === "either" || auth === "key";
  return takesIt && !admission && code === "unauthorized" && headers["x-admin-key"] !== undefined;
}

function isSignIn({ name }: Route): boolean {
  return name === "signIn" || name === "setPassword";
}

/** Acts of nobody that are kept a minute: of one client its guesses that are compared and the first that is not; of all. */
const [mostOfClient, mostOfAll, windowMs] = [6, 60, 60_000];

async function mayGuess({ strangers, trustedProxies }: Gateway, req: Request): Promise<boolean> {
  const may = async (place: string, limit: number) =>
    (await strangers.consume(place, { limit, windowMs })).allowed;
  return (await may(clientAddress(req, trustedProxies), mostOfClient)) && (await may("all", mostOfAll));
}

function dataOf(
  { trustedProxies }: Pick<Gateway, "trustedProxies">,
  req: Request,
  { route, path, params }: Act,
  { status, code, body }: Outcome,
): AuditAct {
  const actor = actorOf(req.admission, route);
  const named = actor.role === "nobody" && isSignIn(route) ? namedOwner(params) : null;
  return {
    actor: named === null ? actor : { ...actor, owner: named },
    operation: route.name,
    // Where no key is needed, the address itself is the secret.
    path: route.auth === "none" ? {} : shortened(path),
    fields: Object.keys(params ?? {}).filter(name => isField(route, name)),
    target: code === undefined ? targetIn(body) : null,
    status,
    code: code ?? null,
    request_id: req.requestId,
    client: addressOf(req, trustedProxies),
  };
}

const longest = 200;

function shortened(path: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(path).map(([name, value]) => [name, value.slice(0, longest)]));
}

/** A name that no rule knows is the client's own text. */
function isField({ action, path }: Route, name: string): boolean {
  return !name.startsWith("$$") && Object.hasOwn(action.params, name) && !path.includes(`{${name}}`);
}

function namedOwner({ owner }: Json = {}): string | null {
  return typeof owner === "string" && owner.trim() !== "" ? owner.trim().slice(0, 100) : null;
}

/** `id` of what the answer is about, by the names that answers have for it. */
function targetIn(body: unknown): string | null {
  const { data, id, crawl_id, batch_id, jobId }: Json = Object(body);
  const found = [Object(data).id, id, crawl_id, batch_id, jobId].find(each => typeof each === "string");
  return found === undefined ? null : String(found).slice(0, longest);
}

/** Who does it. Nobody was admitted where the admission is missing; without a session and a key it is the admin key's. */
function actorOf(admission: Admission | undefined, { auth }: Pick<Route, "auth">): AuditActor {
  const { caller, acting, session } = admission ?? {};
  const key_id = caller?.keyId ?? session?.key?.id ?? null;
  if (session)
    return { role: session.role as AuditActor["role"], owner: session.owner, key_id, signed_in: true };
  if (caller && !acting) return { role: "key", owner: caller.owner, key_id, signed_in: false };
  const role = admission && auth !== "none" ? "admin" : "nobody";
  return { role, owner: null, key_id, signed_in: false };
}
