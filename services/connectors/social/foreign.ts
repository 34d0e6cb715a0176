import type { SocialConfig } from "../../../mixins/config/social.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { fail } from "../../contracts/errors.ts";
import { followId } from "./follow-id.ts";
import type { SocialKind } from "./kinds.ts";
import type { Platform, StoredFollow } from "./platform.ts";

/*
 * What was tracked while a platform stood on another network is foreign: its ids mean others here, or nothing. It is
 * neither followed nor read, so that nobody is told a stranger's posts, until it is let go or its network is back.
 */

/** What the ids of a platform's sources belong to: the network, or the home server where each has ids of its own. */
export function networkOf(settings: SocialConfig[SocialKind]): string {
  return settings.driver === "mastodon" ? `mastodon ${settings.url}` : settings.driver;
}

/** The external ids of what is foreign. */
export async function foreignSources(
  kind: SocialKind,
  network: string,
  follows: Store<StoredFollow>,
): Promise<Set<string>> {
  const prefix = `${kind} `;
  const marks = await follows.find({ query: { network: { $ne: network } } });
  const ids = marks.map(({ _id }) => _id).filter(id => id.startsWith(prefix));
  return new Set(ids.map(id => id.slice(prefix.length)));
}

/** Whether an id still stands for a source of another network; another process may have let that go. */
export async function isForeign(
  { kind, network, foreign, follows }: Pick<Platform, "kind" | "network" | "foreign" | "follows">,
  externalId: string,
): Promise<boolean> {
  if (!foreign.has(externalId)) return false;
  const mark = await follows.findById(followId(kind, externalId));
  if (mark && mark.network !== network) return true;
  foreign.delete(externalId);
  return false;
}

/** Throws `conflict` where an id still stands for a source of another network. */
export async function refuseForeign(
  platform: Pick<Platform, "kind" | "network" | "foreign" | "follows">,
  externalId: string,
): Promise<void> {
  const { kind } = platform;
  if (await isForeign(platform, externalId))
    throw fail(
      "conflict",
      `Another network's source is tracked under the id ${externalId}, from before this installation's ${kind} moved. Stop tracking that one first.`,
    );
}

/** Why a foreign source cannot be read. */
export function foreignReason(kind: SocialKind): string {
  return `This installation's ${kind} has moved to another network, on which this source is not. Stop tracking it.`;
}
