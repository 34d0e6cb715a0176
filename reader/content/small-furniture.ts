import { isAdvertisingName } from "../lines/advertising.ts";
import { endOf } from "./article-core.ts";
import { type Frame, type Outline, sumOver } from "./outline.ts";

const named =
  /(?:^|[\s_-])(?:newsletters?|mailing-?list|cookies?-?(?:banner|notice|consent|bar|popup|info)|gdpr|share|sharing|share-?(?:bar|buttons|links|tools|icons)|social-?(?:share|links|media|icons|bar|buttons)|addtoany|addthis\w*|tag-?(?:list|links|cloud)|tags|(?:post|entry|article)-?tags|hover-?card)(?:$|[\s_-])/i;
const mostWords = 80;
const mostOfPage = 0.2;

/**
 * Drops small parts with the name of what belongs to no article: advertisements, forms for newsletters, bars to share,
 * tags, cards that open over names. What holds more has that name by chance.
 */
export function dropNamed(outline: Outline, kept: readonly boolean[]): boolean[] {
  const result = [...kept];
  const words = sumOver(outline, ({ shape }, at) => (kept[at] ? shape.words : 0));
  const most = mostOfPage * words[0]!;
  let done = 0;
  for (const frame of outline.frames) {
    if (frame.firstBlock < done || frame.words > mostWords || words[frame.index]! > most) continue;
    if (words[frame.index] === 0 || !isNamed(frame)) continue;
    done = endOf(frame);
    result.fill(false, frame.firstBlock, done);
  }
  return result;
}

function isNamed({ element }: Frame): boolean {
  if (element.attributes.size === 0) return false;
  const names = `${element.getAttribute("class")} ${element.getAttribute("id")}`;
  return named.test(names.replace(/([a-z])([A-Z])/g, "$1-$2")) || isAdvertisingName(names);
}
