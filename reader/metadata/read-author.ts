import { decodeHTML } from "entities";
import { collapse } from "../html/plain-text.ts";
import { type ElementNode, findElements, isElement } from "../html/tree.ts";
import type { LinkedFacts } from "./linked-facts.ts";
import { type Byline, type PageHints, shortText } from "./page-hints.ts";

const metaNames = [
  "citation_author",
  "author",
  "article:author",
  "article:author_name",
  "parsely-author",
  "sailthru.author",
  "dc.creator",
  "dcterms.creator",
  "dc.contributor",
  "byl",
  "book:author",
];
const maxByline = 200;

/** Sources by trust; the first that gives a name counts. */
export const authorSources: Record<string, (hints: PageHints, linked: LinkedFacts) => readonly string[]> = {
  linked: (_, { authors }) => authors,
  ...Object.fromEntries(metaNames.map(name => [name, ({ metas }: PageHints) => metas.get(name) ?? []])),
  twitter: ({ metas }) =>
    /written by/i.test(metas.get("twitter:label1")?.[0] ?? "") ? (metas.get("twitter:data1") ?? []) : [],
  microdata: ({ properties }) => namesWithin(properties.get("author")?.[0]),
  link: hints => firstByline(hints, "link"),
  class: hints => firstByline(hints, "class"),
  text: hints => firstByline(hints, "text"),
  user: hints => firstByline(hints, "user"),
};

/**
 * Who wrote the page; null if it does not say. Many sites name themselves where they have a person's name elsewhere, so
 * a name that is not the site's comes first.
 */
export function readAuthor(hints: PageHints, linked: LinkedFacts, sites: readonly string[]): string | null {
  const named = new Set(sites.map(plain));
  let own: string | null = null;
  for (const source of Object.values(authorSources)) {
    const given = authorNames(source(hints, linked));
    if (given === null) continue;
    // "By Ann Lind, The Site".
    const people = given.split(", ").filter(name => !named.has(plain(name)));
    const names = people.length > 0 ? people.join(", ") : given;
    if (!named.has(plain(names))) return names;
    own ??= names;
  }
  return own;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** The text of the first byline of a kind that has a name. */
function firstByline({ bylines }: PageHints, kind: Byline["by"]): string[] {
  const accepts = kind === "text" ? looksLikeName : (name?: string) => name !== undefined;
  for (const [at, { place, by, joint }] of bylines.entries()) {
    if (by !== kind || joint !== undefined) continue;
    const texts = typeof place === "string" ? [place] : namesWithin(place);
    if (!texts.some(text => accepts(authorName(text)))) continue;
    const more = bylines.slice(at + 1, at + maxBeside);
    if (typeof place === "string") return [...texts, ...namesJoined(more)];
    if (kind !== "link") return texts;
    return [...texts, ...more.flatMap(next => namesBeside(next, place))];
  }
  return [];
}

/** How many hints after a link to an author may be links to further ones. */
const maxBeside = 20;

/** The names after a name up to the last that a word such as "and" joins: a comma alone may begin a list of subjects. */
function namesJoined(bylines: readonly Byline[]): string[] {
  const joined = bylines.filter(({ joint }) => joint !== undefined);
  const last = joined.findLastIndex(({ joint }) => joint !== ",");
  const names = joined.slice(0, last + 1).flatMap(({ place }) => (typeof place === "string" ? place : []));
  return names.filter(name => looksLikeName(authorName(name)));
}

/** The names of a link that is in the same byline as another one. */
function namesBeside({ by, place }: Byline, first: ElementNode): string[] {
  if (by !== "link" || typeof place === "string") return [];
  return bylineOf(place) === bylineOf(first) ? namesWithin(place) : [];
}

/** What holds the links of a byline: each may have an element of its own around it. */
function bylineOf({ parentNode }: ElementNode): ElementNode | null {
  const isWrapper = parentNode !== null && parentNode.childNodes.filter(isElement).length === 1;
  return isWrapper ? parentNode.parentNode : parentNode;
}

/** In running text "by" comes before much else. */
function looksLikeName(name: string | undefined): boolean {
  return (
    name !== undefined &&
    /^(?:\p{Lo}{2,20}|\p{Lu}\S*(?:[\s,&]+(?:\p{Lu}\S*|de|van|von|der|den|da|di|la|le|and|und|et|y)){0,8})$/u.test(
      name,
    )
  );
}

/** The names that are marked as such inside, else the whole text. */
function namesWithin(place: ElementNode | undefined): string[] {
  if (place === undefined) return [];
  if (place.name === "meta") return [place.getAttribute("content")];
  const marked = findElements(place, isName).slice(0, 20);
  return (marked.length > 0 ? marked : [place]).map(element => shortText(element, maxByline));
}

function isName({ attributes }: ElementNode): boolean {
  return (
    /(?:^|\s)name(?:\s|$)/i.test(attributes.get("itemprop") ?? "") ||
    /(?:^|\s)(?:fn|p-name)(?:\s|$)/.test(attributes.get("class") ?? "")
  );
}

const maxName = 120;
/** What comes before a name, in the languages that pages are written in most. */
const lead =
  /^(?:(?:(?:article |story |news |words |text |guest post |guide |reviewed |medically )?(?:written|posted|published|created|reported|contributed|authored|added|submitted|started)?\s*by)|by|authors?|von|autor(?:in|a)?|text|geschrieben von|veröffentlicht von|par|rédigé par|publié par|auteur|por|escrito por|publicado por|di|scritto da|autore|door|geschreven door|af|av|skrevet av|автор|作者|记者|記者|撰文|文|著者|執筆者|글쓴이|글|기자|כתב|بقلم|الكاتب|przez|yazar|penulis)(?:\s*[:：]\s*|(?<=[\p{Lo}])\s*[/／|｜・]\s*|\s+(?=\S)|$)/iu;
/** A date before a name, and what is between the two. */
const dateBefore =
  /^(?:\p{L}{3,10},?\s+)?(?:\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?\p{L}{3,12}\.?,?\s+(?:de\s+)?\d{4}|\p{L}{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일])(?:[\s,]{1,3}(?:at |um |à )?\d{1,2}[:.h]\d{2}(?:\s?[ap]\.?m\.?)?)?[\s,|·•–—/-]*/iu;
/** What comes after a name: a date, a role in brackets, a number of things. */
const tail =
  /\s*(?:[|•·–—]|\s-\s|\s\/\s|,?\s+(?:on|am|le|el|il|op|in|at|updated|published|posted|last|and last)\s+(?=\p{L}*\s*\d|\p{L}{3,9}\s+\d)|\(|\d{1,2}[./]\d|\d{4}|[\s,]+\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?\p{L}{3,12}|\s+(?:기자|특파원|記者|记者)(?:\s|$)|\s+\p{Lo}{2,6}[:：]|,?\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)|apr(?:il|\.)|june?|july?|aug(?:ust|\.)?|sep(?:t|tember|\.)*|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)\s+\d|(?:posts|messages|joined):|published|updated|posted|follow\b|reviewed by|edited by|medically|fact[- ]checked|photos? by|\d+\s+(?:min|comments|posts|views|articles)).*$/isu;
const role =
  /,\s+(?:\p{L}+\s+){0,4}(?:correspondent|reporter|editor|(?:staff )?writer|journalist|columnist|contributor|producer|redakteur(?:in)?|korrespondent(?:in)?|journaliste|rédact(?:eur|rice))(?![\p{L}]).*$/isu;
const noName =
  /^\d|https?:|www\.|[@#<>{}=_|\\]|\.(?:com|org|net|io)\/|^(?:admin(?:istrator)?|author|authors|guest|editor|user|unknown|anonymous|none|null|undefined|n\/a|staff|root|super ?user|webmaster|login|sign in|follow|share|about the author|written|posted|published|the author|read more|more|profile|all posts|view all|image|photo|email|twitter|facebook|linkedin|instagram|wordpress|test|category|email address.*|(?:mon|tue|wed|thu|fri|sat|sun)(?:day|,.*)?|(?:tues|wednes|thurs|satur)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)$/iu;

/** The name in a byline, without "By", dates and roles; undefined where there is none. */
export function authorName(text: string): string | undefined {
  if (text.length > 4 * maxName) return undefined;
  const plain = collapse(decodeHTML(text))
    .replace(/[\u00a0\u200b\s]+/g, " ")
    .trim();
  const name = plain
    .replace(dateBefore, "")
    .replace(lead, "")
    .replace(lead, "")
    .replace(tail, "")
    .replace(role, "")
    .replace(/^[\s,;:–—-]+|[\s,;:–—-]+$/g, "");
  if (name.length < 2 || name.length > maxName || noName.test(name) || !/\p{L}/u.test(name)) return undefined;
  // A sentence is no name; the points after initials and titles end none.
  const pointless = name.replace(/(?<!\p{L})(?:\p{Lu}|dr|prof|mr|mrs|ms|st|jr|sr)\./giu, "");
  if (/[.!?。]\s+\S+\s+\S+\s+\S+|[!?。]$/.test(pointless) || name.split(" ").length > 14) return undefined;
  return name;
}

/** Names of several authors as one text, each once. */
export function authorNames(texts: readonly string[]): string | null {
  const names = new Map<string, string>();
  for (const text of texts.slice(0, 50)) {
    const name = authorName(text);
    if (name !== undefined && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return names.size === 0 ? null : [...names.values()].slice(0, 20).join(", ");
}
