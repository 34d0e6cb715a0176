import type { Context } from "moleculer";
import { call } from "../contracts/action.ts";
import type { CallMeta } from "../contracts/caller.ts";
import type { JobVault } from "../contracts/clients/job-vault.ts";
import { hasHidden, unsealedSecrets, withFormer } from "../contracts/clients/watch-secrets.ts";
import { codeOf, isCallTimeout, isServiceUnavailable } from "../contracts/errors.ts";
import type { SourceKind } from "../contracts/source.ts";
import { heldSecrets, rememberedView } from "../contracts/tracker.contract.ts";
import type { WatchOptions } from "../contracts/watch.contract.ts";
import type { Remembered } from "./connector.ts";

const timeoutMs = 5000;

/** What a key's own watch of a page remembers, or why there is nothing to compare with. */
export async function rememberedBy(
  ctx: Context<unknown, CallMeta>,
  wanted: { keyId: string; externalId: string; options: WatchOptions },
): Promise<Remembered> {
  try {
    const { tracked, state } = await call(ctx as Context, rememberedView, wanted, { timeout: timeoutMs });
    if (state) return { state };
    return {
      reason: tracked
        ? "This key tracks the page with other options, so no earlier look shows what these see"
        : "This key does not track the page, so there is no earlier look to compare with",
    };
  } catch (error) {
    const isAbsent = isServiceUnavailable(error) || isCallTimeout(error) || codeOf(error) === "overloaded";
    if (!isAbsent) throw error;
    return { reason: "The tracker does not answer now, so there is no earlier look to compare with" };
  }
}

/**
 * The options with the values that an answer has hidden: those of the key's own watch of exactly this address. The address
 * is theirs, so that they go to no other site. Throws a 400 that names the first value that is not known.
 */
export async function withHeldSecrets(
  ctx: Context<unknown, CallMeta>,
  vault: JobVault,
  { options, ...address }: { keyId: string; kind: SourceKind; externalId: string; options: WatchOptions },
): Promise<WatchOptions> {
  const { headers, cookies } = options;
  if (!hasHidden(headers, cookies)) return options;
  const held = await call(ctx as Context, heldSecrets, address, { timeout: timeoutMs });
  const before = await unsealedSecrets(vault, held);
  return {
    ...options,
    ...(headers && { headers: withFormer("headers", headers, before.headers) }),
    ...(cookies && { cookies: withFormer("cookies", cookies, before.cookies) }),
  };
}
