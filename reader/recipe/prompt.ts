import { type Concept, conceptOf, concepts } from "./concepts.ts";
import { singular, squeeze, wordsOf } from "./text-of.ts";
import { amongPeers, namedWant, type Want } from "./want.ts";

const maxWants = 30;
const maxPrompt = 4000;
const verbs =
  /^(?:please |can you |could you |i (?:want|need|would like)(?: to)? |bitte )*(?:extract|get|give me|fetch|find|scrape|return|list|show(?: me)?|collect|pull(?: out)?|read|grab|tell me|what(?: is| are|['’]s)|who(?: is|['’]s)|identify|extrahiere|hole|finde|liste|nenne|zeige)?\s+/i;
const filler = new Set(
  "the a an its their his her this that these those of from on in for page website site web following fields field information info details data all any each every me please as json object and or also der die das den dem des ein eine einen und von alle aller seine ihre name:".split(
    " ",
  ),
);
const subjects = new Set(
  "product item article job event book recipe post listing page offer thread company person story".split(" "),
);
/** Those whose name a page gives: `name of the author` is the author. */
const parties = new Set(
  "author writer brand maker manufacturer company employer publisher organizer organiser seller agent venue host".split(
    " ",
  ),
);
const groupEnd =
  /\s*(?:\b(?:each with|along with|together with|with|including|and (?:their|its|his|her)|mit(?: ihren| ihrem| ihrer)?|by|showing|containing|as well as their)\b|[:(])\s*(?:the |their |its |fields? )*/i;
const groupStart =
  /^(?:a |an |the )?(?:(?:list|array|table|set) of (?:all )?(?:the )?|all (?:of )?(?:the )?|every |each |alle )/i;
const groupLast =
  /^(.{2,120}?) (?:of|for|from|to|von) (?:all|every|each|alle[nr]?) (?:of )?(?:the )?(.{2,40})$/i;
const possessive =
  /(?<!\p{L})(?!(?:what|who|where|when|that|it|let|here|there)['’])(\p{L}{2,30})['’]s (\p{L}{2,30}(?: number| address| name)?)/giu;
const separators = /\s*(?:,|;|&|\/|\band\b|\bor\b|\bund\b|\bsowie\b|\bas well as\b|\bplus\b)\s*/i;

/**
 * The values that a prompt asks for, as far as its grammar is simple: `the title, price and author`, `all products with
 * name and price`, names in quotes, `who wrote this?`. The names decide their kinds; nothing is required. Empty when the
 * prompt asks for more than a page states.
 */
export function promptWants(prompt: string): Want[] {
  const sentences = sentencesOf(prompt);
  const found = sentences.map(wantsIn);
  if (found.includes(undefined)) return [];
  const byName = new Map(found.flatMap(wants => wants ?? []).map(want => [want.name, want]));
  return [...byName.values()].slice(0, maxWants);
}

/** Whether a prompt asks for a judgement, a choice or a text of its own, not for what a page states. */
export function asksForMore(prompt: string): boolean {
  return sentencesOf(prompt).some(sentence => wantsIn(sentence) === undefined);
}

function sentencesOf(prompt: string): string[] {
  return prompt
    .slice(0, maxPrompt)
    .split(/(?<=[.!?])\s+(?=\p{Lu})|\n+/u)
    .map(text => text.replace(/[.!?\s]+$/, "").trim())
    .filter(text => text !== "");
}

/** Undefined when rules cannot answer. */
function wantsIn(sentence: string): Want[] | undefined {
  const answers = answersOf(sentence);
  if (answers.length > 0) return answers.map(wantNamed);
  if (asksForJudgement(sentence)) return undefined;
  const said = `${sentence.replace(possessive, "$2 of the $1")} `.replace(verbs, "").trim();
  return groupIn(said) ?? singlesIn(said);
}

function singlesIn(sentence: string): Want[] {
  const quoted = [...sentence.matchAll(/["'“„`]([^"'“”„`]{2,60})["'”“`]/g)].flatMap(
    match => nameOf(match[1] ?? "") ?? [],
  );
  if (quoted.length > 0) return quoted.map(wantNamed);
  return rowsIn(sentence.replace(groupStart, "")) ?? namesIn(sentence.replace(groupStart, "")).map(wantNamed);
}

/** `titles and prices`, `product names and prices`: rows of them. */
function rowsIn(text: string): Want[] | undefined {
  const names = namesIn(text);
  if (names.length < 2 || !names.every(isPlural) || names.some(isListed)) return undefined;
  const [subject = ""] = wordsOf(text.replace(/^(?:the|all) /i, ""));
  return groupOf(subjects.has(subject) ? `${subject}s` : "items", names.map(singularName));
}

function groupIn(sentence: string): Want[] | undefined {
  const last = groupLast.exec(sentence);
  if (last?.[1] && last[2]) return groupOf(last[2], namesIn(last[1]).map(singularName));
  const [head = "", ...rest] = sentence.split(groupEnd);
  const parts = rest.join(", ").replace(/\)\s*$/, "");
  const isGroup = groupStart.test(head) || (rest.length > 0 && isPlural(head));
  if (isGroup && parts !== "") {
    const own = head.replace(groupStart, "");
    const joined = namesIn(own);
    const heads = joined.filter(name => conceptOf(singularName(name)) !== undefined || joined.length > 1);
    return groupOf(joined[0] ?? own, [...heads, ...namesIn(parts)].map(singularName));
  }
  return undefined;
}

function groupOf(head: string, names: string[]): Want[] {
  const fields = [...new Set(names)].map(wantNamed);
  return fields.length === 0 ? [] : [groupOfWants(nameOf(head) ?? "items", fields)];
}

/** The want of an array of objects that have these properties. */
export function groupOfWants(name: string, fields: Want[]): Want {
  const item = { ...namedWant(singular(name), "object"), fields: amongPeers(fields) };
  return { ...namedWant(name, "array"), item };
}

/** Values that are a list for one thing, such as ingredients. */
function isListed(name: string): boolean {
  const concept = conceptOf(name);
  const known: Concept | undefined = concept && concepts[concept];
  return known?.kind === "strings" && concept !== "links" && concept !== "images";
}

function isPlural(text: string): boolean {
  const last = wordsOf(text).at(-1) ?? "";
  return singularWord(last) !== last;
}

/** German plurals count where the singular is a known name. */
function singularWord(word: string): string {
  if (singular(word) !== word) return singular(word);
  const known = ["en", "n", "e"].map(end => (word.endsWith(end) ? word.slice(0, -end.length) : ""));
  return conceptOf(word) === undefined
    ? (known.find(short => short !== "" && conceptOf(short)) ?? word)
    : word;
}

function singularName(name: string): string {
  const words = wordsOf(name);
  return [...words.slice(0, -1), singularWord(words.at(-1) ?? "")].join("_");
}

function namesIn(text: string): string[] {
  return text.split(separators).flatMap(part => nameOf(part) ?? []);
}

/** `the average rating of this product` -> `average_rating`. More than four words are no name. */
function nameOf(part: string): string | undefined {
  const counted = /^(?:the |total )*(?:number|count|anzahl) (?:of|der) (?:the )?(\p{L}+)/iu.exec(
    part.trim(),
  )?.[1];
  if (counted !== undefined) return `${singularWord(counted.toLowerCase())}_count`;
  const [, what = "", whose = ""] =
    /^(?:the )?(\p{L}+(?: \p{L}+)?) (?:of|from|von|des) (?:the |this |its |der )?(\p{L}+)$/iu.exec(
      part.trim(),
    ) ?? [];
  if (parties.has(whose.toLowerCase()))
    return /^(?:full )?name$/i.test(what) ? whose.toLowerCase() : squeezed(`${whose} ${what}`);
  const own = part.replace(
    /\b(?:of|for|from|on|in|in this|as|if|whether|that|which|von|der|des)\b(?=\s).*$/i,
    "",
  );
  const words = wordsOf(own.trim() === "" ? part : own).filter(word => !filler.has(word));
  const said = words.length > 1 && subjects.has(words[0] ?? "") ? words.slice(1) : words;
  return said.length > 0 && said.length <= 4 ? said.join("_") : undefined;
}

function squeezed(text: string): string {
  return wordsOf(text).join("_");
}

function wantNamed(name: string): Want {
  const single = namedWant(name, "string");
  const known: Concept | undefined = single.concept && concepts[single.concept];
  if (known?.kind === "strings")
    return { ...namedWant(name, "array"), item: namedWant(singular(name), "string") };
  if (name === "in_stock" || /^(is|has)_/.test(name)) return namedWant(name, "boolean");
  const isOwn = known?.words.includes(squeeze(name)) === true;
  if (!isOwn && isPlural(name) && (!known || conceptOf(singularName(name))))
    return { ...namedWant(name, "array"), item: wantNamed(singularName(name)) };
  if (known?.kind === "number" || /(^number|_count|_total|_percent)$/.test(name))
    return namedWant(name, "number");
  return { ...single, format: known?.format };
}

/** A question in words, and the values that answer it. */
const questions: [RegExp, string][] = [
  [/^when and where\b|^where and when\b/, "start location"],
  [/^who (?:is|was|are|were) (?:the )?(?:authors?|writers?)\b/, "author"],
  [
    /^(?:who|by whom) (?:has |have |was |is )?(?:\w+ )?(?:wrote|written|writes|authored|posted|penned)\b/,
    "author",
  ],
  [/^who (?:organi[sz]es|is organi[sz]ing|hosts|is hosting|organi[sz]ed)\b/, "organizer"],
  [/^who (?:is hiring|hires|is the employer)\b|^which company\b/, "company"],
  [/^who (?:makes|made|manufactures|produces|is the (?:maker|manufacturer))\b/, "brand"],
  [/^who (?:published|is the publisher|publishes)\b/, "publisher"],
  [/^when (?:was|were|has|is|did) .*\b(?:updated|modified|changed|edited)\b/, "modified"],
  [
    /^when (?:was|were|is|did|has) .*\b(?:publish(?:ed)?|posted|written|released|appear(?:ed)?|come out)\b/,
    "date",
  ],
  [/^when (?:does|will|do|did) .*\b(?:end|finish|close|over)\b/, "end"],
  [/^when (?:is|does|will|do) .*\b(?:deadline|expire|application)\b/, "deadline"],
  [/^when (?:does|is|will|do|did|was)\b/, "start"],
  [/^where (?:does|is|will|do|can|was)\b/, "location"],
  [/^how much (?:does|do) .*\bweigh\b|^how heavy\b/, "weight"],
  [/^how much (?:is|are) (?:the )?(?:salary|pay)\b|^how much (?:does|do) .*\b(?:pay|earn)\b/, "salary"],
  [/^how much (?:is|are|does|do|will)\b|^what (?:does|do|will) .*\bcosts?\b|^how expensive\b/, "price"],
  [/^how many (?:people|persons|guests|servings|portions)\b/, "servings"],
  [/^how long (?:does|do|will|is|to)\b/, "total_time"],
  [/^how (?:good|well) .*\brated\b|^what rating\b/, "rating"],
  [/^(?:is|are) (?:it|this|they|the \w+) (?:still |currently )?(?:in stock|available)\b/, "in_stock"],
  [/^what (?:is|are) (?:it|this|they|the \w+) (?:made|built) (?:of|from|out of)\b/, "material"],
  [/^what (?:is|are) (?:this|it|the (?:page|article|post|text|book))(?: \w+)? about\b/, "description"],
  [/^what (?:is|are) (?:this|it|the (?:product|article|page|item))(?: \w+)? called\b/, "name"],
  [/^(?:how (?:can|do|could|to)\b.*|where can i )\b(?:contact|reach|call)\b/, "email phone"],
  [/^(?:what|which) (?:do i need|goes in(?:to)?|is in it|ingredients)\b/, "ingredients"],
  [/^how (?:do|to|can|is)\b.*\b(?:make|cook|bake|prepare|made|prepared)\b/, "instructions"],
  [/^wer (?:hat|schrieb|ist der autor|ist die autorin)\b/, "author"],
  [/^wann (?:wurde|ist|war)\b.*\b(?:veröffentlicht|erschienen|publiziert)/, "date"],
  [/^wann (?:findet|beginnt|ist|startet)\b/, "start"],
  [/^wo (?:findet|ist|liegt)\b/, "location"],
  [/^was kostet\b|^wie teuer\b|^wieviel kostet\b|^wie viel kostet\b/, "price"],
  [/^wie lange\b/, "total_time"],
];

/** `What colour is it?`, `Which language is it in?`: the noun is the value. */
const nounFirst =
  /^(?:what|which) (?!is |are |was |were )([\p{L} ]{2,30}?) (?:is|are|does|do|was|has|did)\b/u;
const counted = /^(?:how many|wie viele) ([\p{L}]+)/u;

/** The names of the values that answer a question: empty when it is none, or one that has another answer. */
function answersOf(sentence: string): string[] {
  const text = sentence.toLowerCase().replace(/\s+/g, " ").trim().slice(0, 300);
  const known = questions.find(([form]) => form.test(text));
  if (known) return known[1].split(" ");
  const count = counted.exec(text)?.[1];
  if (count !== undefined) return [`${singularWord(count)}_count`];
  const noun = nounFirst.exec(text)?.[1];
  const name = noun === undefined ? undefined : nameOf(noun);
  return name === undefined ? [] : [name];
}

/**
 * What rules cannot do: write, judge, choose or convert. A part of such a request is no answer to it, therefore it is
 * refused as a whole.
 */
const judgements = [
  /^(?:please |can you |could you )*(?:summari[sz]e|translate|rewrite|rephrase|explain|analy[sz]e|classify|categori[sz]e|write|generate|create|compose|guess|estimate|calculate|compute|convert|recommend|suggest|rank|sort|compare|evaluate|decide|check|describe|ignore|forget|pretend|act|übersetze|fasse)\b/,
  /\b(?:sentiment|tone|opinion|pros and cons|key (?:points|takeaways|facts|insights)|main (?:points|ideas|arguments)|most important|positive or negative|in your own words|step by step why)\b/,
  /\b(?:cheapest|dearest|best|worst|newest|latest|oldest|highest|lowest|longest|shortest|biggest|largest|smallest|most \w+|least \w+|top \d+|average of|sum of|total of)\b(?! (?:rating|price)$)/,
  /\b(?:first|last|top|next|only) (?:\d+|one|two|three|four|five|ten)\b|^(?:the )?(?:first|last|second|third) \w+(?: \w+)?$/,
  /\b(?:under|below|above|over|less than|more than|cheaper than|at least|at most|between|before|after|since) [$€£]?\d/,
  /\b(?:whose|that (?:is|are|have|has|cost|costs|contain|mention)|which (?:is|are|have|has)|only (?:those|the ones|if)|if (?:it|they|the)|on sale only|except)\b/,
  /^(?:why|should|does|do|is|are|did)\b|^(?:can|could|would|will) (?!you\b)/,
  /\b(?:translated|in (?:english|french|german|spanish|italian|chinese|japanese)|auf deutsch|auf englisch)\b/,
];

/** Whether a sentence asks for more than what a page states. */
function asksForJudgement(sentence: string): boolean {
  const text = sentence.toLowerCase().replace(/\s+/g, " ").trim().slice(0, 2000);
  return judgements.some(form => form.test(text));
}
