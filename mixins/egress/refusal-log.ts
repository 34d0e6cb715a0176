import type { Logger } from "moleculer";
import { permittingSetting } from "../../services/domain/url/refusals.ts";
import type { Refused } from "./guard.ts";

const windowMs = 60_000;
/** Hosts that a minute of the log holds. A client may name any number of them. */
const maxHosts = 100;

/**
 * Logs which setting would permit what the guard refused: once per host and minute, and no more than a hundred hosts a
 * minute. Those beyond are counted, and the next line has their number. What no setting permits is not logged.
 */
export function createRefusalLog(
  logger: Pick<Logger, "warn">,
  now: () => number = Date.now,
): (refused: Refused) => void {
  const loggedAt = new Map<string, number>();
  let unlogged = 0;
  return ({ host: spelt, port, rules }) => {
    const host = spelt.replace(/^\[|\]$/g, "");
    const settings = rules.flatMap(rule => permittingSetting(rule, host, port) ?? []);
    if (settings.length === 0) return;
    const time = now();
    for (const [known, at] of loggedAt) {
      // In the order of their times, so the rest is younger.
      if (time - at < windowMs) break;
      loggedAt.delete(known);
    }
    if (loggedAt.has(host)) return;
    if (loggedAt.size >= maxHosts) {
      unlogged += 1;
      return;
    }
    loggedAt.set(host, time);
    logger.warn("egress.refused", {
      host,
      port,
      rules,
      permittedBy: settings.join(" "),
      ...(unlogged > 0 && { unlogged }),
    });
    unlogged = 0;
  };
}
