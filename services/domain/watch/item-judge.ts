import { anyOf } from "./patterns.ts";
import type { View } from "./view.ts";
import { numberOfLines } from "./watched-value.ts";

/** What is known of an item of a feed. */
export interface ItemText {
  title: string | null;
  /** The text without markup. */
  text: string | null;
  /** Language tag, where the item or its feed names one. */
  language?: string;
  /** It was known already, and has changed. */
  isUpdate: boolean;
}

/**
 * Whether an item of a feed counts: no pattern of `ignore` is found in its title or text, and what `when` wants is there.
 * Each item is judged once, so its number counts where it is below or above a limit, whatever the one before was.
 */
export function itemJudge({ ignore = [], when = {} }: View): (item: ItemText) => boolean {
  const { contains = [], not_contains: without = [], added_only: isAddedOnly, value } = when;
  const [isUnwanted, isWanted] = [anyOf([...ignore, ...without]), anyOf(contains)];
  return ({ title, text, language = "", isUpdate }) => {
    const whole = [title ?? "", text ?? ""].join("\n");
    if (isUpdate && isAddedOnly) return false;
    if (isUnwanted(whole)) return false;
    if (contains.length > 0 && !isWanted(whole)) return false;
    if (value === undefined) return true;
    const number = numberOfLines(whole.split("\n"), language);
    if (number === null) return false;
    const { below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY } = value;
    return number < below || number > above;
  };
}
