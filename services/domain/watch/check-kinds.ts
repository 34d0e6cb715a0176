import type { RequestBudget } from "../../../reader/text/request-budget.ts";
import { PatternError, urlPatterns } from "../crawl/url-patterns.ts";
import type { DetailCode, FieldError } from "../errors/detail-codes.ts";
import { checkItemView, checkView } from "./check-view.ts";
import type { View } from "./view.ts";

/** Which pages belong to a site; as a crawl takes them. */
interface Patterns {
  include?: readonly string[] | null;
  exclude?: readonly string[] | null;
}

/** The first error in how the pages of a site are chosen and read: what concerns one page alone has no meaning there. */
export function checkSiteView(
  view: View,
  { include, exclude }: Patterns,
  budget: RequestBudget,
): FieldError | null {
  if (view.when?.value !== undefined)
    return wrong("when.value", "not_applicable", "A number is watched on one page: track that page.");
  return checkPatterns(include ?? [], exclude ?? [], budget) ?? checkView(view, "", budget);
}

function checkPatterns(
  include: readonly string[],
  exclude: readonly string[],
  budget: RequestBudget,
): FieldError | null {
  try {
    urlPatterns([...include], [...exclude], budget);
    return null;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return wrong(`${error.list}.${error.index}`, "invalid_pattern", error.message);
  }
}

/** The first error in how the results of a search are chosen: a result is a title and a text without numbers. */
export function checkSearchView(
  view: View,
  { domains }: { domains?: readonly string[] | null },
  budget: RequestBudget,
): FieldError | null {
  if (view.when?.value !== undefined)
    return wrong("when.value", "not_applicable", "A number is watched on one page: track that page.");
  return checkDomains(domains ?? []) ?? checkItemView(view, "", budget);
}

/** The first domain that is none. Its form in ASCII has at least two labels. */
function checkDomains(domains: readonly string[]): FieldError | null {
  const index = domains.findIndex(domain => domainOf(domain) === null);
  if (index < 0) return null;
  const message = "A domain is a host name alone, such as example.com.";
  return wrong(`domains.${index}`, "malformed", message);
}

/** The ASCII form of a domain, in lower case; null for a text that is none. */
export function domainOf(text: string): string | null {
  if (/[\s/:@?#[\]\\%*]/.test(text)) return null;
  const host = URL.parse(`http://${text}/`)?.hostname ?? "";
  return /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/.test(host)
    ? host
    : null;
}

function wrong(field: string, code: DetailCode, message: string): FieldError {
  return { field, code, message };
}
