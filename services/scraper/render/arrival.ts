import type { Session } from "../../../mixins/browser/session.ts";
import { fail } from "../../contracts/errors.ts";
import { portOf } from "../../domain/url/admit-url.ts";

/**
 * A page may have gone on by itself. What the lane refuses or cannot reach looks like an ordinary page of 403 or 502;
 * its record tells. In a tunnel the browser shows an error page of its own.
 */
export function checkArrival({ page, lane }: Session, status: number): void {
  const { refused, unreachable, overBudget } = lane.record();
  const url = page.url();
  const isLost = url.startsWith("chrome-error:");
  if (refused.includes(endpoint(url)) || (isLost && refused.length > 0))
    throw fail("url_not_allowed", "This URL is not allowed.");
  if (overBudget && (isLost || status === 0)) throw tooLarge();
  if (isLost || (status >= 500 && unreachable.some(({ host }) => host === URL.parse(url)?.hostname)))
    throw fail("target_unreachable", "The site could not be reached.");
}

/** As the lane's record names it. */
function endpoint(url: string): string {
  return /^https?:/.test(url) ? `${new URL(url).hostname}:${portOf(new URL(url))}` : url;
}

/** What Chromium's net errors mean to the caller; anything else is the browser's own trouble and stays as it is. */
export function navigationError(
  message: string,
  record: { refused: string[]; overBudget: boolean },
  cause: unknown,
): unknown {
  if (record.refused.length > 0 && /net::/.test(message))
    return fail("url_not_allowed", "This URL is not allowed.");
  if (record.overBudget) return tooLarge();
  if (/net::ERR_(CERT|SSL|BAD_SSL)/.test(message))
    return fail("tls_error", "The site's certificate is not valid.", {}, cause);
  if (/ERR_TOO_MANY_REDIRECTS/.test(message))
    return fail("upstream_error", "The page redirects in a circle.", {}, cause);
  if (/net::ERR_ABORTED/.test(message))
    return fail("upstream_error", "The page turned into a download before it could be read.", {}, cause);
  if (/net::/.test(message)) return fail("target_unreachable", "The site could not be reached.", {}, cause);
  return cause;
}

function tooLarge(): Error {
  return fail("upstream_error", "The page loads more than a scrape may.");
}
