import { type Concept, concepts } from "./concepts.ts";
import { namedWant, type Want } from "./want.ts";
import { singular, wordsOf } from "./words.ts";

const maxWants = 30;
const verbs =
  /^(?:please |can you |could you |i (?:want|need|would like)(?: to)? |bitte )*(?:extract|get|give me|fetch|find|scrape|return|list|show(?: me)?|collect|pull(?: out)?|read|grab|tell me|what (?:is|are)|identify|extrahiere|hole|finde|liste)?\s*/i;
const filler = new Set(
  "the a an its their his her this that these those of from on in for page website site web following fields field information info details data all any each every me please as json object and or also der die das den dem des ein eine einen und von alle aller seine ihre name:".split(
    " ",
  ),
);
const subjects = new Set(
  "product item article job event book recipe post listing page offer thread company person".split(" "),
);
const groupEnd =
  /\s*(?:\b(?:each with|along with|together with|with|including|and (?:their|its|his|her)|mit(?: ihren| ihrem| ihrer)?|by|showing|containing|as well as their)\b|[:(])\s*(?:the |their |its |fields? )*/i;
const groupStart =
  /^(?:a |an |the )?(?:(?:list|array|table|set) of (?:all )?(?:the )?|all (?:of )?(?:the )?|every |each |alle )/i;

/**
 * What a sentence asks for, as far as its grammar is plain: `the title, price and author`, `all products with name and
 * price`, names in quotes. Kinds follow from the names; nothing is required.
 */
export function promptWants(prompt: string): Want[] {
  const sentences = prompt.split(/(?<=[.!?])\s+(?=\p{Lu})|\n+/u).map(text =>
    text
      .replace(verbs, "")
      .replace(/[.!?]+$/, "")
      .trim(),
  );
  const found = sentences.flatMap(sentence => (sentence === "" ? [] : wantsIn(sentence)));
  const byName = new Map(found.map(want => [want.name, want]));
  return [...byName.values()].slice(0, maxWants);
}

function wantsIn(sentence: string): Want[] {
  const [head = "", ...rest] = sentence.split(groupEnd);
  const parts = rest.join(", ").replace(/\)\s*$/, "");
  const isGroup = groupStart.test(head) || (rest.length > 0 && isPlural(head));
  if (isGroup && parts !== "") return groupOf(head.replace(groupStart, ""), namesIn(parts));
  const quoted = [...sentence.matchAll(/["'“„`]([^"'“”„`]{2,60})["'”“`]/g)].flatMap(
    match => nameOf(match[1] ?? "") ?? [],
  );
  const names = quoted.length > 0 ? quoted : namesIn(sentence.replace(groupStart, ""));
  return names.map(wantNamed);
}

function groupOf(head: string, names: string[]): Want[] {
  const name = nameOf(head) ?? "items";
  const item = { ...namedWant(singular(name), "object"), fields: names.map(wantNamed) };
  return names.length === 0 ? [] : [{ ...namedWant(name, "array"), item }];
}

function isPlural(text: string): boolean {
  const last = wordsOf(text).at(-1) ?? "";
  return singular(last) !== last;
}

function namesIn(text: string): string[] {
  return text
    .split(/\s*(?:,|;|&|\/|\band\b|\bor\b|\bund\b|\bsowie\b|\bas well as\b|\bplus\b)\s*/i)
    .flatMap(part => nameOf(part) ?? []);
}

/** `the average rating of this product` -> `average_rating`. More than four words are no name. */
function nameOf(part: string): string | undefined {
  const counted = /^(?:the )?(?:number|count) of (?:the )?(\p{L}+)/iu.exec(part.trim())?.[1];
  if (counted !== undefined) return `${singular(counted.toLowerCase())}_count`;
  const own = part.replace(
    /\b(?:of|for|from|on|in|in this|as|if|whether|that|which|von|der|des)\b(?=\s).*$/i,
    "",
  );
  const words = wordsOf(own.trim() === "" ? part : own).filter(word => !filler.has(word));
  const said = words.length > 1 && subjects.has(words[0] ?? "") ? words.slice(1) : words;
  return said.length > 0 && said.length <= 4 ? said.join("_") : undefined;
}

function wantNamed(name: string): Want {
  const single = namedWant(name, "string");
  const known: Concept | undefined = single.concept && concepts[single.concept];
  if (known?.kind === "strings")
    return { ...namedWant(name, "array"), item: namedWant(singular(name), "string") };
  if (known?.kind === "number" || /(^number|_count|_total|_percent)$/.test(name))
    return namedWant(name, "number");
  if (/^(is|has)_/.test(name)) return namedWant(name, "boolean");
  if (!known && isPlural(name))
    return { ...namedWant(name, "array"), item: namedWant(singular(name), "string") };
  return { ...single, format: known?.format };
}
