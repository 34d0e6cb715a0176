import { createHash, randomInt } from "node:crypto";
import type { ProxyOptions } from "../contracts/page-options.ts";

/**
 * A proxy for a country; undefined when there is none. The same tenant and session name choose the same proxy for as
 * long as the list stands, on every node, because the choice is a hash of them and nothing is kept.
 */
export function chooseProxy(
  proxies: Record<string, string[]>,
  { location, sticky_session }: ProxyOptions,
  tenant: string,
): string | undefined {
  const candidates = proxies[location.toUpperCase()] ?? [];
  if (candidates.length === 0) return undefined;
  if (sticky_session === undefined) return candidates[randomInt(candidates.length)];
  const digest = createHash("sha256").update(`${tenant}\n${sticky_session}`).digest();
  return candidates[digest.readUInt32BE() % candidates.length];
}
