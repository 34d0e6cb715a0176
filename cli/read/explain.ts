import { reasonsFor } from "../../reader/content/classify.ts";
import type { JudgedPage } from "../../reader/content/find-main.ts";

const shownChars = 80;
const indent = " ".repeat(14);

/**
 * Prints two lines for every block of a page: whether it is kept, how likely it is content, and how it begins; then the
 * three features that weighed most, each with its value and what it adds to the log odds.
 */
export function explainPage(page: JudgedPage): string {
  const { model, outline, scores, threshold, kept } = page;
  const count = kept.filter(each => each).length;
  const lines = [
    `${count} of ${outline.blocks.length} blocks are kept: those that are content with a likelihood of at least ${threshold.toFixed(2)}.`,
  ];
  outline.blocks.forEach(({ text }, at) => {
    const verdict = (kept[at] ? "kept" : "dropped").padEnd(8);
    const reasons = reasonsFor(model, scores, at).map(
      ({ name, value, weight }) => `${name} ${plainly(value)} (${weight < 0 ? "" : "+"}${weight.toFixed(2)})`,
    );
    lines.push(
      "",
      `${verdict}${scores.shares[at]!.toFixed(2)}  ${beginningOf(text)}`,
      indent + reasons.join(", "),
    );
  });
  return `${lines.join("\n")}\n`;
}

function beginningOf(text: string): string {
  const characters = Array.from(text.slice(0, 2 * shownChars));
  return characters.length > shownChars
    ? `${characters.slice(0, shownChars - 1).join("")}…`
    : characters.join("");
}

function plainly(value: number): string {
  return String(Number(value.toFixed(2)));
}
