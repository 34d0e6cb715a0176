import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import { admits, type KeyScope } from "../../contracts/key-scopes.ts";

/** Throws 401 `key_expired` for a key whose time is over. */
export function requireUnexpired(
  { expiresAt }: Pick<Caller, "expiresAt">,
  now: number,
  which = "This API key",
): void {
  if (expiresAt === undefined || Date.parse(expiresAt) > now) return;
  const message = `${which} expired at ${expiresAt}. Use another key, or ask for a later \`expires_at\`.`;
  throw fail("key_expired", message);
}

/**
 * Throws 403 `insufficient_scope` unless any of the scopes admits the key. Requests without a key pass: the administrator's
 * and an owner's session are no keys. Whoever acts as a key has its scopes.
 */
export function requireScope(
  caller: Pick<Caller, "scopes"> | undefined,
  wanted: readonly KeyScope[] | undefined,
): void {
  if (!caller || !wanted || admits(caller.scopes, wanted)) return;
  throw fail("insufficient_scope", missing(wanted), { scopes: wanted });
}

function missing(wanted: readonly KeyScope[]): string {
  if (wanted.length === 0) return "This is for API keys without scopes only.";
  const named = wanted.map(scope => `\`${scope}\``);
  const what = named.length === 1 ? `the scope ${named}` : `one of the scopes ${named.join(", ")}`;
  return `This needs an API key with ${what}. Use another key, or ask its owner or the administrator to change its scopes.`;
}
