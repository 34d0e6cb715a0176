import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { refuseForeign } from "./foreign.ts";
import type { Platform } from "./platform.ts";
import type { SocialConnector } from "./social-connector.ts";

/** Finds what a `sid` means on the platform's network. */
export async function resolve(
  platform: Platform,
  connector: SocialConnector,
  sid: string,
  signal: AbortSignal,
): Promise<ResolvedSource> {
  const found = await connector.resolve(sid, signal);
  await refuseForeign(platform, found.externalId);
  return found;
}
