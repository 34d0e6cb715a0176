import { type SourceKind, sourceKinds, splitNetwork } from "../../contracts/source.ts";
import type { TrackerContext } from "../context.ts";
import { publicSource, type StoredSource, type StoredSubscription, viewOf } from "../sources.store.ts";
import { sourcesOfKey } from "../tracking/tracked-sources.ts";
import { shownOptions } from "../watches/views.ts";

/** A source that a key tracks, as lists name it. */
export interface HeldSource {
  subscription: StoredSubscription;
  source: StoredSource;
  /** Without the view. */
  externalId: string;
}

/** All that a key tracks by itself: what its monitors have is theirs. */
export async function keyList(context: TrackerContext, keyId: string): Promise<HeldSource[]> {
  const held: HeldSource[] = [];
  for await (const [source, subscription] of sourcesOfKey(context, keyId, [...sourceKinds]))
    if (viewOf(source).monitor === undefined)
      held.push({ subscription, source, externalId: publicSource(source).externalId });
  return held;
}

/** What a key tracks as an OPML document. */
export async function exportOpml(context: TrackerContext, keyId: string): Promise<string> {
  const held = await keyList(context, keyId);
  const { writeOpml } = await import("../../domain/opml/write-opml.ts");
  return writeOpml(
    held.map(each => ({
      source: each.source.kind,
      sid: sidOf(each),
      name: each.source.name,
      tags: each.subscription.tags ?? [],
      listed: each.subscription.listed ?? {},
      ...optionsOf(each.source),
    })),
  );
}

/** A document is passed on: headers and cookies stay here. */
function optionsOf(source: StoredSource): { options?: object } {
  const { headers: _, cookies: __, ...options } = shownOptions(viewOf(source), {});
  return Object.keys(options).length > 0 ? { options } : {};
}

/** What `POST /track/{source}` takes for a source of this kind. */
function sidOf({ source: { kind, username }, externalId }: HeldSource): string {
  if (isAddress(kind)) return externalId;
  const { network, rest } = splitNetwork(externalId);
  if (rest.startsWith("channel:")) return externalId;
  return network === undefined ? username : `${network}:${username}`;
}

/** Whether sources of this kind are known by their URL. */
function isAddress(kind: SourceKind): boolean {
  return kind === "web" || kind === "rss" || kind === "site";
}

/** The source of a list under each of its addresses: that of the platform, and the one that a document had for it. */
export class ListIndex {
  readonly #byName = new Map<string, HeldSource>();

  constructor(held: HeldSource[]) {
    for (const each of held) {
      const { listed } = each.subscription;
      if (listed?.sid !== undefined) this.#byName.set(nameOf(listed.source ?? "rss", listed.sid), each);
    }
    for (const each of held) {
      this.#byName.set(nameOf(each.source.kind, each.externalId), each);
      this.#byName.set(nameOf(each.source.kind, sidOf(each)), each);
    }
  }

  /** A page may be tracked as its feed. */
  find(kind: SourceKind, sid: string): HeldSource | undefined {
    const found = this.#byName.get(nameOf(kind, sid));
    return found ?? (kind === "web" ? this.#byName.get(nameOf("rss", sid)) : undefined);
  }
}

function nameOf(kind: SourceKind, sid: string): string {
  const address = isAddress(kind) ? (URL.parse(sid)?.href ?? sid) : sid.toLowerCase();
  return `${kind} ${address}`;
}
