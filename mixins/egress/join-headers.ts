import type { Dispatcher } from "undici";

/** A response's headers under lower-case names, several values joined by a comma. */
export function joinHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]);
  return Object.fromEntries(entries) as Record<string, string>;
}
