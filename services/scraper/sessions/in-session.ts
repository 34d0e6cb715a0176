import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../contracts/errors.ts";
import type { LoginAction } from "../../contracts/page-actions.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import type { PageTools } from "../context.ts";
import type { PageOrder } from "../page-request.ts";
import { blocked, jobFor, type ReadPage } from "../read-page.ts";
import { noAdBlocking } from "../render/ad-filters.ts";
import { renderPage } from "../render/render-page.ts";
import { isOfSite } from "./jar.ts";
import type { Claim, SiteSessions, Visit } from "./sessions.store.ts";

/**
 * Reads a page in the session of its request, if it has one: with the cookies of its jar, which keeps what the site sets.
 * Where the site asks for a login, signs in and reads it once more. Throws `target_blocked` where it asks still.
 */
export async function inSession<Result>(
  request: ScrapeRequest,
  order: PageOrder,
  tools: PageTools,
  read: (order: PageOrder) => Promise<Result>,
  asksForLogin: (result: Result, visit: Visit) => boolean,
): Promise<Result> {
  const { session } = request;
  const of = order.session ?? (session && { keyId: order.keyId, name: session.name });
  const { sessions } = tools;
  if (!of || !sessions) return await read(order);
  const visit = await sessions.open(of, request.url);
  const visiting = { ...order, visit };
  let isSignedIn = false;
  const readIn = async () => {
    const result = await read(visiting);
    isSignedIn = !asksForLogin(result, visit);
    return isSignedIn ? { result } : null;
  };
  try {
    const found =
      (await readIn()) ?? (await signIn({ visit, request, order: visiting, tools, sessions }, readIn));
    if (typeof found === "string") throw blocked("login", found);
    return found.result;
  } finally {
    // What a site has renewed holds whatever came of the page.
    await sessions.keep(visit, isSignedIn);
  }
}

/** Whether a page asks for a login. */
export function isWalled({ digest, status }: Pick<ReadPage, "digest" | "status">): boolean {
  return digest.wall === "login" || status === 401;
}

interface Door {
  visit: Visit;
  request: ScrapeRequest;
  order: PageOrder;
  tools: PageTools;
  sessions: SiteSessions;
}

/** The page; null where it asks for a login. */
type ReadIn<Result> = () => Promise<{ result: Result } | null>;

/** How long a login may take beyond the deadline of its page before others no longer wait for it. */
const graceMs = 30_000;
const pollMs = 250;

/** Signs in, or waits for the visit that does, and reads again. Answers why nobody is signed in, if so. */
async function signIn<Result>(door: Door, readIn: ReadIn<Result>): Promise<{ result: Result } | string> {
  const { visit, order, sessions } = door;
  const claim = await sessions.claimLogin(visit, Math.max(0, order.deadline - Date.now()) + graceMs);
  if (claim.kind === "mine") return await signInNow(door, claim, readIn);
  if (claim.kind === "busy" || claim.kind === "done") {
    while (await sessions.isSigningIn(visit)) await sleep(pollMs, undefined, { signal: order.signal });
    await sessions.reopen(visit);
    const found = await readIn();
    if (found) return found;
  }
  return await sessions.explain(visit, claim.kind === "no login" ? noLogin : tooSoon);
}

const noLogin = "This session has no login.";
const tooSoon = "Its login was tried within the last hour, and the site asks for it again.";

async function signInNow<Result>(
  door: Door,
  { token, triedBefore, actions }: Extract<Claim, { kind: "mine" }>,
  readIn: ReadIn<Result>,
): Promise<{ result: Result } | string> {
  const { visit, order, sessions } = door;
  try {
    const problem = await carryOut(door, actions);
    // Those who wait for this login begin with its cookies.
    await sessions.keep(visit, problem === null);
    const found = problem ?? (await readIn()) ?? "Its login has failed: the site asks for it again at once.";
    await sessions.endLogin(visit, token, typeof found === "string" ? found : null);
    return found;
  } catch (error) {
    if (codeOf(error) === "overloaded") await sessions.returnLogin(visit, token, triedBefore);
    else await sessions.endLogin(visit, token, failureOf(error, order.signal));
    throw error;
  }
}

/** Carries out the actions of a login in the browser, within the site. Answers why it could not; null when it is done. */
async function carryOut(
  { visit, request, order, tools }: Door,
  actions: LoginAction[],
): Promise<string | null> {
  const left: string[] = [];
  const { site } = visit.jar;
  const plain = { ...request, output: { ...request.output, formats: [] }, js_render: { enabled: true } };
  const job = {
    ...jobFor(plain, undefined, await noAdBlocking.filters(), { ...order, views: [] }),
    url: visit.login?.url ?? request.url,
    login: { actions, field: "session.login.actions" },
    ...{ isHandled: true, isPutOff: true },
    onlyWithin: {
      isOfSite: (host: string) => isOfSite(host, site),
      onLeave: (host: string) => void left.push(host),
    },
  };
  try {
    await renderPage(tools.browser, job, order.signal);
    return null;
  } catch (error) {
    if (order.signal.aborted || codeOf(error) === "overloaded") throw error;
    if (left[0] === undefined) return failureOf(error, order.signal);
    return `Its login has failed: it leads to another site, ${left[0]}. A session signs in at its own site only.`;
  }
}

/** Errors of the browser that have no code may quote what was typed. */
function failureOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "Its login has failed: it was not done in the time of the page.";
  const why = codeOf(error) === undefined ? "The browser could not carry it out." : (error as Error).message;
  return `Its login has failed: ${why}`;
}
