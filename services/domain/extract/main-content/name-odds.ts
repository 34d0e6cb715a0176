import type { ElementNode } from "../tree.ts";
import type { Frame } from "./outline.ts";
import { elementTokens, kindTokens, mostNameChars, mostNames, nameTokens, type TokenOdds } from "./tokens.ts";

/** The odds of the names of each element, summed over its tokens, and what they come to with those around it. */
export class NameOdds {
  /** By the element's place in the outline: its own odds, and over it and all around it their sum, least and most. */
  readonly own: Float64Array;
  readonly sums: Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
  private readonly odds: TokenOdds;
  /** Many elements of a page share their classes. */
  private readonly byClass = new Map<string, { odds: number; names: number }>();

  /** `frames` has each element after the one around it. */
  constructor(frames: readonly Frame[], odds: TokenOdds) {
    this.odds = odds;
    this.own = new Float64Array(frames.length);
    this.sums = new Float64Array(frames.length);
    this.least = new Float64Array(frames.length);
    this.most = new Float64Array(frames.length);
    frames.forEach(({ element, parent }, at) => {
      const own = this.read(element);
      const above = parent?.index ?? 0;
      this.own[at] = own;
      this.sums[at] = this.sums[above]! + own;
      this.least[at] = Math.min(this.least[above]!, own);
      this.most[at] = Math.max(this.most[above]!, own);
    });
  }

  of(frame: Frame | null): number {
    return frame === null ? 0 : this.own[frame.index]!;
  }

  private read(element: ElementNode): number {
    const { name, attributes } = element;
    if (attributes.size === 0) return this.oddsOf([`<${name}`]);
    const [classes, id] = [attributes.get("class") ?? "", attributes.get("id") ?? ""];
    if (classes.length + id.length >= mostNameChars) return this.oddsOf(elementTokens(element));
    const named = this.classOdds(classes);
    if (named.names >= mostNames) return this.oddsOf(elementTokens(element));
    return this.oddsOf(kindTokens(element)) + named.odds + (id === "" ? 0 : this.oddsOf(nameTokens(id)));
  }

  private classOdds(classes: string): { odds: number; names: number } {
    const known = this.byClass.get(classes);
    if (known !== undefined) return known;
    const odds = {
      odds: classes === "" ? 0 : this.oddsOf(nameTokens(classes)),
      names: classes.length < 2 * mostNames - 1 ? 1 : classes.split(/\s+/, mostNames).length,
    };
    this.byClass.set(classes, odds);
    return odds;
  }

  private oddsOf(tokens: readonly string[]): number {
    let sum = 0;
    for (const token of tokens) sum += this.odds.get(token) ?? 0;
    return sum;
  }
}
