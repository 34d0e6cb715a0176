import type { Frame, Outline } from "../content/outline.ts";
import { addressTokens, elementTokens, type TokenOdds, textTokens } from "../content/tokens.ts";

/** A page with the share of content of each of its blocks. */
export interface LabelledPage {
  site: string;
  url: string;
  outline: Outline;
  labels: Float32Array;
}

const minSites = 12;
const maxTokens = 8000;
/** As many sites of average content are added to every token. */
const prior = 3;
const limit = 3;
const maxWords = 40;

interface Count {
  sum: number;
  weight: number;
}

/**
 * The odds of tokens, each site counted once, and the same without some sites, for the pages of those. All pages of such
 * a part see the same odds: odds that differ from site to site would reveal each site's own share.
 */
export class TokenCounts {
  private readonly bySite = new Map<string, Map<string, Count>>();
  private readonly means = new Map<string, Count>();
  private readonly kept: Set<string>;
  private readonly average: number;

  constructor(pages: readonly LabelledPage[]) {
    for (const page of pages) this.count(page);
    let [sum, weight] = [0, 0];
    for (const tokens of this.bySite.values()) {
      for (const [token, count] of tokens) add(this.means, token, count.sum / count.weight, 1);
      const all = tokens.get(everything);
      sum += all?.sum ?? 0;
      weight += all?.weight ?? 0;
    }
    this.average = sum / weight;
    const known = [...this.means].filter(([token, mean]) => mean.weight >= minSites && token !== everything);
    const strength = ([, { sum, weight }]: [string, Count]) =>
      Math.abs(this.odds(sum, weight)) * Math.sqrt(weight);
    known.sort((a, b) => strength(b) - strength(a) || (a[0] < b[0] ? -1 : 1));
    this.kept = new Set(known.slice(0, maxTokens).map(([token]) => token));
  }

  /** The odds that all sites but these give. */
  without(sites: Iterable<string>): TokenOdds {
    const left = [...sites].map(site => this.bySite.get(site) ?? new Map<string, Count>());
    const odds = new Map<string, number>();
    for (const token of this.kept) {
      let { sum, weight } = this.means.get(token) as Count;
      for (const counts of left) {
        const there = counts.get(token);
        if (there === undefined) continue;
        sum -= there.sum / there.weight;
        weight--;
      }
      odds.set(token, this.odds(sum, weight));
    }
    return odds;
  }

  private odds(sum: number, weight: number): number {
    const share = (sum + prior * this.average) / (weight + prior);
    const odds = logOdds(Math.min(0.99, Math.max(0.01, share))) - logOdds(this.average);
    return Math.max(-limit, Math.min(limit, odds));
  }

  private count({ site, url, outline, labels }: LabelledPage): void {
    const counts = this.bySite.get(site) ?? new Map<string, Count>();
    this.bySite.set(site, counts);
    const address = new Set(addressTokens(url));
    outline.blocks.forEach(({ frame, text, shape }, at) => {
      const label = labels[at] ?? 0;
      const weight = Math.min(maxWords, shape.words) + 1;
      for (let around: Frame | null = frame; around !== null; around = around.parent)
        for (const token of elementTokens(around.element)) add(counts, token, label * weight, weight);
      for (const token of new Set(textTokens(text))) add(counts, token, label, 1);
      for (const token of address) add(counts, token, label * weight, weight);
      add(counts, everything, label * weight, weight);
    });
  }
}

const everything = "";

function add(counts: Map<string, Count>, token: string, sum: number, weight: number): void {
  const count = counts.get(token);
  if (count === undefined) counts.set(token, { sum, weight });
  else {
    count.sum += sum;
    count.weight += weight;
  }
}

function logOdds(share: number): number {
  return Math.log(share / (1 - share));
}
