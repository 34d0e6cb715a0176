import { type Random, seeded } from "../../faults/random.ts";

/** What a page says, as data: the HTML is made of it. */
export interface Doc {
  path: string;
  title: string;
  paragraphs: string[];
  items: string[];
  /** Paths that it links to, beside the menu. */
  links: string[];
  /** When it changed last (ms), for the sitemap. */
  changedAt: number;
  /** Another page that it names as its canonical address. */
  canonical?: string;
}

/** What an address answers: a page, another address for good, or that it is gone. */
export type Answer = { doc: Doc } | { movedTo: string } | { gone: 404 | 410 };

/** A site as it is now. */
export interface SiteModel {
  entry: string;
  sections: string[];
  answers: Map<string, Answer>;
  /** On every page, above the content; null for none. */
  banner: string | null;
}

const perSection = 100;
const dayMs = 86_400_000;

/** A site of so many pages, its entry and the pages of its sections included: the same for the same seed. */
export function siteModel(seed: number, pages: number, at: number): SiteModel {
  const random = seeded(seed);
  const count = Math.max(2, Math.ceil(pages / perSection));
  const sections = Array.from({ length: count }, (_, n) => `/docs/${wordOf(random)}-${n + 1}/`);
  const model: SiteModel = { entry: "/", sections, answers: new Map(), banner: null };
  add(model, { ...docAt("/", "Everything about nest boxes", random, at), links: sections });
  for (const path of sections)
    add(model, docAt(path, `About ${path.split("/")[2]?.replace("-", " ")}`, random, at));
  for (let n = model.answers.size; n < pages; n += 1) {
    const section = sections[n % sections.length] ?? "/";
    const path = `${section}${wordOf(random)}-${wordOf(random)}-${n}`;
    const doc = docAt(path, `${capital(wordOf(random))} ${wordOf(random)} ${n}`, random, at);
    add(model, { ...doc, links: [section] });
    docOf(model, section).links.push(path);
  }
  return model;
}

/** The page at a path; a path without one is a mistake of the test. */
export function docOf(model: SiteModel, path: string): Doc {
  const answer = model.answers.get(path);
  if (answer === undefined || !("doc" in answer)) throw new Error(`no page at ${path}`);
  return answer.doc;
}

function add(model: SiteModel, doc: Doc): void {
  model.answers.set(doc.path, { doc });
}

/** A page with a text of its own, which changed last some time in the year before. */
export function docAt(path: string, title: string, random: Random, at: number): Doc {
  return {
    path,
    title,
    paragraphs: Array.from({ length: 4 + Math.floor(random() * 4) }, () => sentenceOf(random, 24)),
    items: Array.from({ length: 3 + Math.floor(random() * 4) }, () => capital(sentenceOf(random, 4))),
    links: [],
    changedAt: at - Math.floor((1 + 364 * random()) * dayMs),
  };
}

export function sentenceOf(random: Random, length: number): string {
  return `${capital(Array.from({ length }, () => wordOf(random)).join(" "))}.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const syllables = "ba be bi bo da de di du fa fi ga go ka ke li lo ma mo na ne pa ro sa ti va zu".split(" ");

function wordOf(random: Random): string {
  return Array.from({ length: 2 + Math.floor(random() * 3) }, () => {
    return syllables[Math.floor(random() * syllables.length)];
  }).join("");
}
