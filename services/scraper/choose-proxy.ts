import { createHash, randomInt } from "node:crypto";

/**
 * A proxy for a country; undefined when there is none. The same tenant and session name choose the same proxy for as
 * long as the list stands, on every node, because the choice is a hash of them and nothing is kept.
 */
export function chooseProxy(
  proxies: Record<string, string[]>,
  location: string,
  session: { tenant: string; name?: string },
): string | undefined {
  const candidates = proxies[location.toUpperCase()] ?? [];
  if (candidates.length === 0) return undefined;
  if (session.name === undefined) return candidates[randomInt(candidates.length)];
  const digest = createHash("sha256").update(`${session.tenant}\n${session.name}`).digest();
  return candidates[digest.readUInt32BE() % candidates.length];
}
