import type { Store } from "../../../mixins/store/store.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import { splitNetwork } from "../../contracts/source.ts";
import { addressedNetworks, networkNames } from "./addresses.ts";
import { followId, type Platform, type StoredFollow } from "./platform.ts";
import type { SocialKind } from "./social-connector.ts";

/*
 * An id belongs to a network. Ids of the default network are as the network has them; those of another one have its name
 * before them, such as `bluesky:did:plc:…`. The mark of a follow says on which network it was made, so that an id keeps
 * its network when another one becomes the default.
 */

/** The networks of a social platform. */
export interface Networks {
  kind: SocialKind;
  /** The first is the default. */
  platforms: [Platform, ...Platform[]];
  follows: Store<StoredFollow>;
  /** Ids of followed sources that belong to another network than they name, with that network. */
  strays: Map<string, string>;
}

/** The platform that a text of a client means, by a prefix, an address or else the default, and what its driver takes. */
export function platformNamed(
  { kind, platforms: [first, ...others] }: Networks,
  text: string,
  field: string,
): { platform: Platform; text: string } {
  const wanted = splitNetwork(text.trim());
  const { network, rest } = networkNames[kind].includes(wanted.network ?? "") ? wanted : { rest: text };
  const drivers = network === undefined ? addressedNetworks(kind, text) : namesOf(network);
  if (drivers === null) return { platform: first, text };
  const all = [first, ...others];
  const found = all.filter(({ driver }) => drivers.includes(driver));
  const platform = found.find(({ driver }) => driver === network) ?? found[0];
  if (platform) return { platform, text: rest };
  // A simulated platform has no addresses of its own, and takes those of the networks.
  if (
    network === undefined &&
    all.every(({ driver }) => driver === "sandbox") &&
    /^https?:/i.test(text.trim())
  )
    return { platform: first, text };
  const [driver = ""] = drivers;
  throw invalid(
    field,
    "not_configured",
    `\`${field}\` names ${driver}, which this installation does not have. ${howTo(kind, driver)}`,
  );
}

/** A channel of Telegram is read by either driver. */
function namesOf(network: string): string[] {
  return network === "telegram" ? ["telegram", "telegram-preview"] : [network];
}

const credentials: Record<string, string> = {
  x: "X_BEARER_TOKEN",
  bluesky: "BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD",
  mastodon: "MASTODON_URL and MASTODON_ACCESS_TOKEN",
  discord: "DISCORD_BOT_TOKEN",
  telegram: "TELEGRAM_API_ID and TELEGRAM_API_HASH",
};

function howTo(kind: SocialKind, driver: string): string {
  const list = `add ${driver} to ${kind.toUpperCase()}_DRIVER`;
  const needed = credentials[driver];
  return needed === undefined ? `Its operator can ${list}.` : `Its operator can set ${needed}, and ${list}.`;
}

/** The platform of a stored id; undefined where it is on none of these networks. Another process may have let it go. */
export async function platformOfId(networks: Networks, externalId: string): Promise<Platform | undefined> {
  const { kind, follows, strays } = networks;
  if (!strays.has(externalId)) return platformInForm(networks, externalId);
  const mark = await follows.findById(followId(kind, externalId));
  noteMark(networks, externalId, mark?.network);
  return platformKnown(networks, externalId);
}

/** The platform of a stored id, as far as this process knows. */
export function platformKnown(networks: Networks, externalId: string): Platform | undefined {
  const stray = networks.strays.get(externalId);
  if (stray === undefined) return platformInForm(networks, externalId);
  return networks.platforms.find(({ network }) => network === stray);
}

/** The platform that an id names by itself. */
function platformInForm({ kind, platforms }: Networks, externalId: string): Platform | undefined {
  const { network } = splitNetwork(externalId);
  if (network === undefined || !networkNames[kind].includes(network)) return platforms[0];
  return platforms.find(({ driver }) => driver === network);
}

/** Notes on which network an id is followed; undefined when it is not. */
export function noteMark({ kind, platforms, strays }: Networks, externalId: string, network?: string): void {
  const named = platformInForm({ kind, platforms } as Networks, externalId);
  if (network === undefined || network === named?.network) strays.delete(externalId);
  else strays.set(externalId, network);
}

/** Reads which ids belong to another network than they name: the default was another one when they were followed. */
export async function readStrays(networks: Networks): Promise<void> {
  const { kind, follows, platforms } = networks;
  const marks = await follows.find({ query: { network: { $ne: platforms[0].network } } });
  const prefix = followId(kind, "");
  for (const { _id, network } of marks)
    if (_id.startsWith(prefix)) noteMark(networks, _id.slice(prefix.length), network);
}

/** The id of a source as this installation has it, from the network's own. */
export async function idOn(
  { kind, platforms: [first], follows }: Networks,
  { driver, network }: Platform,
  ownId: string,
): Promise<string> {
  const prefixed = `${driver}:${ownId}`;
  const networkOfMark = async (id: string) => (await follows.findById(followId(kind, id)))?.network;
  const bareMark = await networkOfMark(ownId);
  if (bareMark === network) return ownId;
  const prefixedMark = await networkOfMark(prefixed);
  if (prefixedMark === network) return prefixed;
  if (bareMark === undefined && driver === first.driver) return ownId;
  if (prefixedMark === undefined) return prefixed;
  throw fail(
    "conflict",
    `The id ${prefixed} is still tracked as a source of another network, from before this installation's ${kind} moved. Stop tracking that one first.`,
  );
}

/** Why a source on none of the networks cannot be read. */
export function otherNetworkReason(kind: SocialKind): string {
  return `This installation's ${kind} has moved to another network, which does not have this source. Stop tracking it.`;
}
