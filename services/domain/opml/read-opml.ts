import { SaxesParser } from "saxes";
import { oneLine } from "../text/one-line.ts";
import { type Listed, longestTag, mostTags, namespace, type OpmlSource, pathOf, tagOf } from "./opml.ts";

/** A source where a document first names it. */
export interface OpmlEntry extends OpmlSource {
  line: number;
}

/** An outline that should name a source, and does not. */
export interface OpmlFailure {
  line: number;
  title: string;
  /** A sentence. */
  reason: string;
}

export type OpmlReading =
  /** `isOwn`: it declares the namespace of Magpie, so it may name what other programs do not know. */
  | { ok: true; entries: OpmlEntry[]; failures: OpmlFailure[]; isOwn: boolean }
  /** The document is not read at all; `reason` is a sentence. */
  | { ok: false; reason: string };

/** The list of no reader nests deeper; a bomb of open tags does. */
const maxDepth = 50;
/** Elements of a document: four times as many as the longest list needs, with a folder for each source. */
export const maxElements = 20_000;
/** Attributes of one element; feed readers write at most some 30. */
export const maxAttributes = 200;
/** Sources of one document, and outlines that name none although they should, at most. */
export const maxEntries = 5000;

/**
 * Reads an OPML document. Folders and `category` become tags, and a source in several folders has the tags of all. It
 * forgives what other programs write wrongly inside of attributes, such as a bare `&`, but no document that ends early or
 * whose tags do not match: of those a part might be missing. No declared entity is resolved (CWE-776).
 */
export function readOpml(text: string): OpmlReading {
  const list = new OpmlList();
  try {
    parse(text, list);
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.message };
    throw error;
  }
  if (!list.isOpml) return { ok: false, reason: "The document is not OPML: it has no element `opml`." };
  return { ok: true, entries: [...list.entries.values()], failures: list.failures, isOwn: list.isOwn };
}

/** Why a document is not read. */
class Refused extends Error {}

function parse(text: string, list: OpmlList): void {
  const parser = new SaxesParser({ xmlns: true });
  let [depth, line, elements, attributes] = [0, 1, 0, 0];
  parser.on("error", ({ message }) => {
    if (/unclosed tag|unexpected end|unexpected close tag/.test(message))
      throw new Refused(`The document is broken: ${message.replace(/^(\d+):\d+: /, "line $1, ")}`);
  });
  parser.on("doctype", doctype => {
    if (/<!ENTITY/i.test(doctype))
      throw new Refused("The document declares entities, which OPML has no use for.");
  });
  // Both are counted as they come, before the parser makes anything of them.
  parser.on("opentagstart", () => {
    line = parser.line;
    attributes = 0;
    elements += 1;
    if (elements > maxElements)
      throw new Refused(`The document has more than ${maxElements} elements. Send it in parts.`);
  });
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > maxAttributes)
      throw new Refused(`The element in line ${line} has more than ${maxAttributes} attributes.`);
  });
  parser.on("opentag", tag => {
    depth += 1;
    if (depth > maxDepth) throw new Refused(`The document nests deeper than ${maxDepth} levels.`);
    const name = tag.local.toLowerCase();
    if (name === "opml" && depth === 1) list.begin(Object.values(tag.attributes));
    if (name === "outline") list.open(new Outline(tag.attributes), line);
  });
  parser.on("closetag", ({ local }) => {
    depth -= 1;
    if (local.toLowerCase() === "outline") list.close();
  });
  parser.write(text.replaceAll(bareAmpersand, "&amp;")).close();
}

/** Addresses are often written with these. The parser would read on for the end of an entity. */
const bareAmpersand = /&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;

interface Attribute {
  local: string;
  uri: string;
  value: string;
}

/** The attributes of an outline; their names in any case. */
class Outline {
  readonly #own = new Map<string, string>();
  readonly #plain = new Map<string, string>();

  constructor(attributes: Record<string, Attribute>) {
    for (const { local, uri, value } of Object.values(attributes)) {
      const names = uri === namespace ? this.#own : uri === "" ? this.#plain : undefined;
      if (value.trim() !== "") names?.set(local.toLowerCase(), value.trim());
    }
  }

  /** An attribute of OPML. */
  get(name: string): string | undefined {
    return this.#plain.get(name);
  }

  /** An attribute of Magpie's own. */
  own(name: string): string | undefined {
    return this.#own.get(name);
  }

  get title(): string | undefined {
    return this.get("title") ?? this.get("text");
  }
}

/** What has been read of a document. */
class OpmlList {
  isOpml = false;
  isOwn = false;
  /** Each entry under its kind and address. */
  readonly entries = new Map<string, OpmlEntry>();
  readonly failures: OpmlFailure[] = [];
  /** The paths of the open folders, that of the innermost last; an outline that is no folder has that around it. */
  readonly #folders: string[] = [];

  begin(attributes: Attribute[]): void {
    this.isOpml = true;
    this.isOwn = attributes.some(({ value }) => value === namespace);
  }

  open(outline: Outline, line: number): void {
    const address = addressOf(outline);
    if (address && "reason" in address) this.#fail(outline, line, address.reason);
    else if (address) this.#add(outline, line, address);
    const names = address ? [this.#folder] : [this.#folder, outline.title ?? ""];
    this.#folders.push(pathOf(names).slice(0, longestPath));
  }

  get #folder(): string {
    return this.#folders.at(-1) ?? "";
  }

  close(): void {
    this.#folders.pop();
  }

  #add(outline: Outline, line: number, { source, sid }: Address): void {
    const options = optionsOf(outline);
    if ("reason" in options) {
      this.#fail(outline, line, options.reason);
      return;
    }
    const name = `${source} ${sid}`;
    const known = this.entries.get(name);
    const tags = [...new Set([...(known?.tags ?? []), ...tagsOf(outline, this.#folder)])].slice(0, mostTags);
    const entry = known ?? { line, source, sid, tags, listed: listedOf(outline, source), ...options };
    this.entries.set(name, { ...entry, tags });
    this.#refuseMany();
  }

  #fail(outline: Outline, line: number, reason: string): void {
    this.failures.push({ line, title: cut(outline.title ?? ""), reason });
    this.#refuseMany();
  }

  #refuseMany(): void {
    if (Math.max(this.entries.size, this.failures.length) > maxEntries)
      throw new Refused(`The document names more than ${maxEntries} sources. Send it in parts.`);
  }
}

interface Address {
  source: string;
  sid: string;
}

/** The types of FreshRSS for pages that it reads as feeds; their `xmlUrl` is a page. */
const pageType = /^html\b/i;
const feedType = /^(rss|atom|rdf|feed|jsonfeed|include)$/i;

/** What an outline names; undefined for a folder. */
function addressOf(outline: Outline): Address | { reason: string } | undefined {
  const [source, sid] = [outline.own("source")?.toLowerCase(), outline.own("sid")];
  if (source !== undefined && source !== "web")
    return sid === undefined ? noAddress("magpie:sid") : { source, sid };
  const type = outline.get("type") ?? "";
  const feed = outline.get("xmlurl");
  if (feed !== undefined) return web(source ?? (pageType.test(type) ? "web" : "rss"), feed);
  const page = outline.get("url");
  if ((source === "web" || /^link$/i.test(type)) && page !== undefined) return web("web", page);
  if (!feedType.test(type) && source === undefined) return undefined;
  if (/^include$/i.test(type)) return { reason: "It includes another document; send that one, too." };
  // A page that names a feed is tracked as that feed.
  const site = outline.get("htmlurl");
  return site === undefined ? noAddress("xmlUrl") : web("web", site);
}

function noAddress(attribute: string) {
  return { reason: `It has no attribute \`${attribute}\`, which would say where the source is.` };
}

/** The address of a page or a feed; `feed://` and `feed:https://` are how some programs write one. */
function web(source: string, address: string): Address | { reason: string } {
  const sid = address.replace(/^feed:(?=https?:)/i, "").replace(/^feed:\/\//i, "http://");
  if (/^https?:\/\/[^/\s]/i.test(sid) && sid.length <= 2048 && URL.canParse(sid)) return { source, sid };
  return { reason: "Its address is not an http or https URL of at most 2,048 characters." };
}

/** Characters of the path of a folder; its tag is shorter. */
const longestPath = 2 * longestTag;
/** Categories of one outline that are read, and the levels of one. */
const [mostCategories, mostLevels] = [200, 50];

function tagsOf(outline: Outline, folder: string): string[] {
  const categories = (outline.get("category") ?? "").split(",", mostCategories);
  const paths = categories.map(each => each.slice(0, longestText).split("/", mostLevels));
  return [[folder], ...paths].map(tagOf).filter(tag => tag !== undefined);
}

const longestText = 1000;

function listedOf(outline: Outline, source: string): Listed {
  const [title, html_url, description] = [outline.title, outline.get("htmlurl"), outline.get("description")];
  return {
    ...(title !== undefined && { title: cut(title) }),
    ...(html_url !== undefined && source === "rss" && { html_url: html_url.slice(0, 2048) }),
    ...(description !== undefined && { description: cut(description) }),
  };
}

function cut(text: string): string {
  return oneLine(text.slice(0, longestText));
}

/** Characters of the options of one source as JSON; those with the most selectors take some 150,000. */
const longestOptions = 256 * 1024;
/** As in the body of a request. */
const deepestOptions = 32;

function optionsOf(outline: Outline): { options?: unknown } | { reason: string } {
  const text = outline.own("options");
  if (text === undefined) return {};
  if (text.length > longestOptions) return { reason: "Its attribute `magpie:options` is too long." };
  try {
    const options = JSON.parse(text) as unknown;
    return isDeep(options, deepestOptions)
      ? { reason: "Its attribute `magpie:options` is nested too deep." }
      : { options };
  } catch {
    return { reason: "Its attribute `magpie:options` is not JSON." };
  }
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some(each => isDeep(each, levels - 1));
}
