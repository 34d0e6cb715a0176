import { toText } from "../feed/feed-text.ts";

/** A change as a language model is asked about it. Its texts are cut to what one question holds. */
export interface ChangeToJudge {
  /** The type of the event. */
  kind: string;
  title: string;
  url: string;
  added: string[];
  removed: string[];
  /** What no lines say: fields, a number, an item's text. */
  text: string;
  /** Some of it was left out. */
  isCut: boolean;
}

type Data = Record<string, unknown>;

/** What a type has of a change; texts in full. */
type Parts = { title?: unknown; url?: unknown; added?: unknown; removed?: unknown; text?: string };

/** Characters of each part. */
const most = { title: 300, url: 500, added: 4000, removed: 2000, text: 4000 };
/** Characters of an item's HTML that are read for its text. */
const mostHtml = 20_000;

/**
 * What a post says to a judge; null for one of a type that is not judged. `words`: what is known of the content of a new
 * page, which the post itself does not have.
 */
export function changeToJudge(
  { type, data }: { type: string; data: Data },
  words = "",
): ChangeToJudge | null {
  const parts = partsOf[type]?.(data, words);
  if (!parts) return null;
  const cut = { some: false };
  const text = (name: "title" | "url" | "text", value: unknown) => clipped(textOf(value), most[name], cut);
  const lines = (name: "added" | "removed", value: unknown) => linesWithin(value, most[name], cut);
  const change = {
    kind: type,
    title: text("title", parts.title),
    url: text("url", parts.url),
    added: lines("added", parts.added),
    removed: lines("removed", parts.removed),
    text: text("text", parts.text),
  };
  return { ...change, isCut: cut.some };
}

const partsOf: Record<string, (data: Data, words: string) => Parts> = {
  "web.page.changed": ({ change }) => changeParts(dataOf(change)),
  "site.page.changed": ({ page, change }) => {
    const { title, url } = dataOf(page);
    return { ...changeParts(dataOf(change)), title, url };
  },
  "site.page.added": ({ page }, words) => {
    const { title, url } = dataOf(page);
    return { title, url, text: words };
  },
  "rss.item.created": ({ item }) => itemParts(dataOf(item)),
  "rss.item.updated": ({ item }) => itemParts(dataOf(item)),
  "web.item.created": ({ item }) => itemParts(dataOf(item)),
  "search.result.found": ({ result }) => {
    const { title, url, description, date } = dataOf(result);
    return { title, url, text: [textOf(description), textOf(date)].filter(Boolean).join("\n") };
  },
};

function changeParts({ title, url, added, removed, moved, note, fields, value }: Data): Parts {
  const named = Object.entries(dataOf(fields)).map(([name, each]) => `${name}: ${fromTo(each)}`);
  const number = value === undefined ? [] : [`number: ${fromTo(value)}`];
  const said = [...named, ...number, ...linesOf(moved), textOf(note)];
  return { title, url, added, removed, text: said.filter(Boolean).join("\n") };
}

function itemParts({ title, url, external_url, summary, content_text, content_html }: Data): Parts {
  const html = textOf(content_html).slice(0, mostHtml) || undefined;
  const content = textOf(content_text) || toText(html) || "";
  const text = [textOf(summary), content].filter(Boolean).join("\n");
  return { title, url: textOf(url) || external_url, text };
}

function fromTo(value: unknown): string {
  const { from, to } = dataOf(value);
  return `${JSON.stringify(from ?? null)} → ${JSON.stringify(to ?? null)}`;
}

function linesWithin(value: unknown, most: number, cut: { some: boolean }): string[] {
  const kept: string[] = [];
  let left = most;
  for (const line of linesOf(value)) {
    if (left <= 0) {
      cut.some = true;
      break;
    }
    kept.push(clipped(line, left, cut));
    left -= line.length + 1;
  }
  return kept;
}

function clipped(text: string, most: number, cut: { some: boolean }): string {
  if (text.length <= most) return text.toWellFormed();
  cut.some = true;
  return text.slice(0, most).toWellFormed();
}

function linesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

function dataOf(value: unknown): Data {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
