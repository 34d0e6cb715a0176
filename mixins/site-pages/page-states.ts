import type { SiteCounts, SitePageState } from "./site-pages.ts";

/**
 * A stored state is its place in this list. The one of almost all pages is 0, so that an index of the others is small.
 */
export const states: readonly SitePageState[] = [
  "there",
  "new",
  "missing",
  "removed",
  "moved",
  "refused",
  "alias",
];

/** States of pages that count against the limit of a site. */
const counted: readonly SitePageState[] = ["new", "there", "missing"];

export function stateNumber(state: SitePageState): number {
  return states.indexOf(state);
}

export function stateOf(number: unknown): SitePageState {
  return states[Number(number)] ?? "there";
}

/** Pages by the number of their state. */
export function countsOf(pages: readonly number[]): SiteCounts {
  const entries = states.map((state, number) => [state, pages[number] ?? 0]);
  const byState = Object.fromEntries(entries) as Record<SitePageState, number>;
  return { pages: counted.reduce((sum, state) => sum + byState[state], 0), states: byState };
}

/** Sorts after every string that begins with this one. */
export function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/** Takes one from each side in turn, the first side first. */
export function inTurns<Item>(one: readonly Item[], other: readonly Item[], count: number): Item[] {
  const longest = Math.max(one.length, other.length);
  const turns = Array.from({ length: longest }, (_, at) => [one[at], other[at]]).flat();
  return turns.filter(item => item !== undefined).slice(0, count);
}

/** At least one slice, so that a step of nothing is checked, too. */
export function slicesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}
