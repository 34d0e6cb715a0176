import { type Random, seeded } from "../../faults/random.ts";
import { type Doc, docAt, type SiteModel, sentenceOf } from "./model.ts";

/** The events that a change of the site has to make, by the paths of its pages. */
export interface Expected {
  added: string[];
  changed: string[];
  removed: string[];
  /** From where to where. */
  moved: [from: string, to: string][];
  /** What came everywhere, and what went. */
  site: { added: string[]; removed: string[] }[];
  /** Places that show something else all the time. */
  rotating: number;
}

/** Nothing is to be told. */
export const nothing: Expected = { added: [], changed: [], removed: [], moved: [], site: [], rotating: 0 };

/** How much changes; `moves` are in turn a redirect, a canonical address, and the same content elsewhere. */
export interface EditCounts {
  edits: number;
  added: number;
  gone: number;
  moves: number;
}

export const usualEdits: EditCounts = { edits: 20, added: 5, gone: 5, moves: 3 };

/**
 * Edits a site: the pages of the sections and the entry stay as they are. What is new is linked from pages that are edited
 * anyway. Answers what is to be told.
 */
export function editSite(model: SiteModel, seed: number, counts: EditCounts, at: number): Expected {
  const random = seeded(seed);
  const pages = shuffled(leavesOf(model), random);
  const take = (count: number) => pages.splice(0, count);
  const [edited, gone, moving] = [take(counts.edits), take(counts.gone), take(counts.moves)];
  for (const [n, doc] of edited.entries()) edit(doc, n, random, at);
  for (const [n, { path }] of gone.entries()) model.answers.set(path, { gone: n % 2 === 0 ? 404 : 410 });
  const moved = moving.map((doc, n): [string, string] => [doc.path, move(model, doc, n, at)]);
  const added = Array.from({ length: counts.added }, (_, n) => addPage(model, seed, n, random, at));
  for (const [n, path] of [...added, ...moved.map(([, to]) => to)].entries())
    edited[n % edited.length]?.links.push(path);
  return {
    ...nothing,
    ...{ added, moved },
    changed: edited.map(({ path }) => path),
    removed: gone.map(({ path }) => path),
  };
}

/** Puts a banner above every page, another one in its place, or takes it away. */
export function setBanner(model: SiteModel, banner: string | null): Expected {
  const site = {
    added: banner === null ? [] : [banner],
    removed: model.banner === null ? [] : [model.banner],
  };
  model.banner = banner;
  return { ...nothing, site: [site] };
}

function leavesOf({ answers, entry, sections }: SiteModel): Doc[] {
  return [...answers.values()].flatMap(answer => {
    if (!("doc" in answer)) return [];
    // Where another page names this one as its own address, its end would bring the other one back.
    const { path, canonical } = answer.doc;
    return path === entry || sections.includes(path) || canonical !== undefined ? [] : answer.doc;
  });
}

function shuffled<Each>(list: readonly Each[], random: Random): Each[] {
  return list
    .map(each => ({ each, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
}

/** One change of the kinds that pages have. */
function edit(doc: Doc, n: number, random: Random, at: number): void {
  const kind = n % 5;
  const place = Math.floor(random() * doc.paragraphs.length);
  if (kind === 0) doc.paragraphs[place] = sentenceOf(random, 20);
  if (kind === 1) doc.items.push(sentenceOf(random, 5));
  if (kind === 2) doc.items.splice(0, 1, `It costs ${Math.floor(100 + random() * 900)} euros now.`);
  if (kind === 3) doc.paragraphs.splice(place, 1);
  if (kind === 4) doc.paragraphs.splice(place, 0, sentenceOf(random, 30));
  doc.changedAt = at;
}

/** Moves a page in one of three ways; answers where it is. */
function move(model: SiteModel, doc: Doc, n: number, at: number): string {
  const path = `${doc.path}-moved`;
  const there = { ...doc, path, changedAt: at };
  model.answers.set(path, { doc: there });
  if (n % 3 === 0) model.answers.set(doc.path, { movedTo: path });
  if (n % 3 === 1) {
    there.canonical = path;
    model.answers.set(doc.path, { doc: { ...doc, canonical: path, changedAt: at } });
  }
  if (n % 3 === 2) model.answers.set(doc.path, { gone: 404 });
  return path;
}

function addPage(model: SiteModel, seed: number, n: number, random: Random, at: number): string {
  const section = model.sections[Math.floor(random() * model.sections.length)] ?? model.entry;
  const path = `${section}new-${seed}-${n + 1}`;
  model.answers.set(path, {
    doc: { ...docAt(path, `New page ${seed} ${n + 1}`, random, at), changedAt: at },
  });
  return path;
}

/** What several changes together have to make. */
export function together(...all: readonly Expected[]): Expected {
  return {
    added: all.flatMap(({ added }) => added),
    changed: all.flatMap(({ changed }) => changed),
    removed: all.flatMap(({ removed }) => removed),
    moved: all.flatMap(({ moved }) => moved),
    site: all.flatMap(({ site }) => site),
    rotating: all.reduce((sum, { rotating }) => sum + rotating, 0),
  };
}
