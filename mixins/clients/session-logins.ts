import { call } from "../../services/contracts/action.ts";
import { fail, isCallTimeout, isServiceUnavailable } from "../../services/contracts/errors.ts";
import type { SessionOptions } from "../../services/contracts/page-actions.ts";
import { keepLogin, type SessionToKeep } from "../../services/contracts/site-sessions.contract.ts";
import { siteName } from "../../services/domain/url/same-site.ts";

/** Keeps the login of a session with that, encrypted. Rejects with a 400 that names the field of the request. */
export type KeepLogin = (wanted: SessionToKeep) => Promise<unknown>;

const timeoutMs = 10_000;

/** Asks the scraper, which has the sessions. While it does not answer, rejects with `overloaded`. */
export function keepLoginThrough(bus: Parameters<typeof call>[0]): KeepLogin {
  return async wanted => {
    try {
      await call(bus, keepLogin, wanted, { timeout: timeoutMs });
    } catch (error) {
      if (!isServiceUnavailable(error) && !isCallTimeout(error)) throw error;
      throw fail("overloaded", "The scraper does not answer. Try again shortly.", {}, error);
    }
  };
}

/** What a request names with the name of its session alone: a login is kept with that before anything is stored. */
export async function withoutLogin<Options extends { session?: SessionOptions | null | undefined }>(
  options: Options,
  of: Omit<SessionToKeep, "session">,
  keep: KeepLogin,
): Promise<Options> {
  const { session } = options;
  if (!session?.login) return options;
  await keep({ ...of, session });
  return { ...options, session: { name: session.name } };
}

/** Keeps a login that is there several times once for each site. */
export function keepingOnce(keep: KeepLogin): KeepLogin {
  const kept = new Set<string>();
  return async wanted => {
    const site = siteName({ hostname: URL.parse(wanted.url)?.hostname ?? "" });
    const name = JSON.stringify([site, wanted.session]);
    if (!kept.has(name)) await keep(wanted);
    kept.add(name);
  };
}
