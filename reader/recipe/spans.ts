import { fieldOf } from "./by-form.ts";
import { shareOf, slotsIn } from "./entries.ts";
import { readForm } from "./forms.ts";
import { amount } from "./judges.ts";
import type { Site } from "./name-index.ts";
import type { Field } from "./recipe.ts";
import type { Want } from "./want.ts";

const ends: [names: RegExp, as: "least" | "most"][] = [
  [/^(?:min(?:imum)?|from|lowest)[_ ]?(.+)$|^(.+?)[_ ]?(?:low|min|minimum|from|least)$/i, "least"],
  [/^(?:max(?:imum)?|highest)[_ ]?(.+)$|^(.+?)[_ ]?(?:high|max|maximum|upto|up_to|to|most)$/i, "most"],
];

/** Which end of a span a name asks for, and of what. */
export function spanOf({ name, kind }: Want): { stem: string; as: "least" | "most" } | undefined {
  if (kind !== "number" && kind !== "integer") return undefined;
  for (const [names, as] of ends) {
    const [, after, before] = names.exec(name) ?? [];
    const stem = after ?? before;
    if (stem !== undefined && stem.length > 2) return { stem, as };
  }
  return undefined;
}

/** The one place of the entries with a span of amounts of money. */
export function* spansOfMoney(sites: Site[], as: "least" | "most"): Generator<Field> {
  const isSpan = (text: string) => amount.test(text) && text.length < 80 && readForm(as, text) !== undefined;
  const found = slotsIn(sites).filter(slot => shareOf(slot, isSpan) >= 0.6);
  if (new Set(found.map(slot => slot.elements[0])).size === 1 && found[0]) yield { ...fieldOf(found[0]), as };
}
