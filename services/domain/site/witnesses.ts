import type { Witness } from "./page-fate.ts";
import { pageHash } from "./page-visit.ts";
import { type SiteMemory, sampleSize, withEntries } from "./site-memory.ts";

/*
 * What other pages of a site say, where one is missing: a site that fails answers as if none of its pages were there, and may
 * lead all of them to one address.
 */

const fewWitnesses = 3;

/** What the pages of the sample say that were visited since a time (ms), about a page that is missing since then. */
export function witnessOf({ sample, looked }: SiteMemory, key: string, since: number): Witness {
  const others = new Set(sample.filter(each => each !== key).map(pageHash));
  if (others.size === 0) return "there";
  const said = looked.filter(([page, at]) => others.has(page) && at >= since).map(([, , found]) => found);
  const missing = said.filter(found => found === "missing").length;
  const there = said.filter(found => found === "same" || found === "changed").length;
  if (there + missing < Math.min(fewWitnesses, others.size)) return "none";
  return there >= missing ? "there" : "missing";
}

/**
 * The sample: pages that are there, chosen by chance and kept as long as they are. `candidates`: keys of such pages from all
 * parts of the site, in any order.
 */
export function renewedSample(
  { sample }: SiteMemory,
  isGone: (key: string) => boolean,
  candidates: readonly string[],
): string[] {
  const kept = sample.filter(key => !isGone(key));
  const byChance = candidates
    .filter(key => !kept.includes(key))
    .map(key => ({ key, rank: pageHash(key) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return [...kept, ...byChance.map(({ key }) => key)].slice(0, sampleSize);
}

/** Addresses that are remembered, and pages of each. */
const [maxTargets, maxSources] = [200, 4];

/** The memory with the address (its key) to which a page leads in place of itself. */
export function noteTarget(memory: SiteMemory, key: string, to: string): SiteMemory {
  const [name, page] = [pageHash(to), pageHash(key)];
  const known = memory.targets[name] ?? [];
  if (known.includes(page)) return memory;
  const entry = new Map([[name, [...known, page].slice(-maxSources)]]);
  return { ...memory, targets: withEntries(memory.targets, entry, maxTargets) };
}

/** Whether other pages led to an address of late. */
export function isSharedTarget({ targets }: SiteMemory, key: string, to: string): boolean {
  return (targets[pageHash(to)] ?? []).some(page => page !== pageHash(key));
}
