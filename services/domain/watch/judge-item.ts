import { anyOf } from "./patterns.ts";
import { numberOfLines } from "./read-value.ts";
import type { View } from "./view.ts";

/** What is known of an item of a feed. */
export interface ItemText {
  title: string | null;
  /** Without markup. */
  text: string | null;
  /** It was known already, and has changed. */
  isUpdate: boolean;
}

/**
 * Whether an item of a feed counts: no pattern of `ignore` is found in its title or text, and what `when` wants is there.
 * Each item is looked at once, so its number counts where it is below or above a limit, whatever the one before was.
 */
export function judgeItem({ title, text, isUpdate }: ItemText, { ignore = [], when = {} }: View): boolean {
  const whole = [title ?? "", text ?? ""].join("\n");
  const { contains = [], not_contains: without = [], added_only: isAddedOnly, value } = when;
  if (isUpdate && isAddedOnly) return false;
  if (anyOf([...ignore, ...without])(whole)) return false;
  if (contains.length > 0 && !anyOf(contains)(whole)) return false;
  if (value === undefined) return true;
  const number = numberOfLines(whole.split("\n"), "");
  if (number === null) return false;
  const { below = Number.NEGATIVE_INFINITY, above = Number.POSITIVE_INFINITY } = value;
  return number < below || number > above;
}
