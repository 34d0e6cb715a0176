import type { ServiceBroker } from "moleculer";
import { call } from "../../contracts/action.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import { readLink, signLinks } from "../../contracts/session.contract.ts";
import type { Request } from "../request/request.ts";
import type { OwnRequest, Route } from "../routes/route.ts";
import type { Admission } from "./admission.ts";
import { type AuthContext, spend } from "./auth.ts";
import { requireUnexpired } from "./standing.ts";

/** How long a link works, in seconds: as long as the pictures that it leads to are kept. */
const linkSeconds = 86_400;
const signTimeoutMs = 5000;

/** Turns paths of this gateway into links that need no key for a day: pictures are opened by programs that send none. */
export async function linksTo(
  { broker }: { broker: ServiceBroker },
  { $ctx, admission }: Pick<OwnRequest, "$ctx" | "admission">,
  origin: string,
  paths: string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const expires = Math.floor(Date.now() / 1000) + linkSeconds;
  const meta = { caller: admission?.caller };
  const options = { timeout: signTimeoutMs, meta };
  const signatures = await call($ctx ?? broker, signLinks, { paths, expires }, options);
  return paths.map((path, at) => {
    const query = new URLSearchParams({ expires: String(expires), signature: signatures[at] ?? "" });
    return `${origin}${path}?${query}`;
  });
}

/** Whether a request comes by a link, right or wrong. */
export function isLink({ linked }: Route, { query }: Request): boolean {
  return linked === true && query?.has("signature") === true;
}

/**
 * Admits who has a link as the key that it was made for, to this path alone. It has a window of its own, as large as the
 * key's: a picture that many open must not keep the key from its work. Throws 401, 403, 410 and 429.
 */
export async function admitLink(
  context: Pick<AuthContext, "limiter" | "now"> & { broker: ServiceBroker },
  req: Request,
  res: Parameters<typeof spend>[3],
): Promise<Admission> {
  const [expires, signature] = takeFrom(req.query);
  const path = pathOf(req);
  const caller = await readBy(context.broker, { path, expires, signature });
  if (!caller) throw fail("forbidden", "This link was not made here, was changed, or its API key is gone.");
  if (expires * 1000 < Date.now())
    throw fail("expired", "This link has expired. Ask for the page again to get a new one.");
  requireUnexpired(caller, context.now(), "The API key of this link");
  await spend(context.limiter, `link:${caller.keyId}`, caller.limits, res);
  return { caller };
}

/** The parameters belong to the link, not to the operation. */
function takeFrom(query: Request["query"]): [expires: number, signature: string] {
  const found = ["expires", "signature"].map(name => query?.get(name) ?? "");
  for (const name of ["expires", "signature"]) query?.delete(name);
  const [expires = "", signature = ""] = found;
  return [/^\d{1,12}$/.test(expires) ? Number(expires) : 0, signature];
}

function pathOf({ originalUrl = "" }: Request): string {
  return originalUrl.replace(/^https?:\/\/[^/]*/i, "").replace(/\?.*$/s, "");
}

async function readBy(
  broker: ServiceBroker,
  link: { path: string; expires: number; signature: string },
): Promise<Caller | null> {
  if (link.signature.length > 1024 || link.path.length > 1024) return null;
  return await call(broker, readLink, link, { timeout: signTimeoutMs });
}
