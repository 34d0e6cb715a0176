import { escapeHtml } from "../../../reader/text/escape-html.ts";

/** An item of a feed as it is kept, in JSON. What is missing, its feed did not say. */
export interface KeptItem {
  title?: string | null;
  url?: string | null;
  author?: string | null;
  published?: string | null;
  /** Markdown. */
  text?: string | null;
  enclosures?: { url: string }[];
}

/** Reads a kept item; one that cannot be read says nothing. */
export function readItem(json: string): KeptItem {
  try {
    const item: unknown = JSON.parse(json);
    return typeof item === "object" && item !== null ? (item as KeptItem) : {};
  } catch {
    return {};
  }
}

/** An item as Markdown: its title, who wrote it and when, its text, and what is attached. */
export function itemMarkdown({ title, url, author, published, text, enclosures = [] }: KeptItem): string {
  const heading = title ? `# ${title}` : "";
  const facts = [author, published, url].filter(Boolean).join(" · ");
  const attached = enclosures.map(({ url }) => `- ${url}`).join("\n");
  return [heading, facts, text ?? "", attached].filter(part => part !== "").join("\n\n");
}

/** The lines by which two versions of an item are compared. */
export function itemLines(item: KeptItem): string[] {
  return itemMarkdown(item)
    .split("\n")
    .map(line => line.trim())
    .filter(line => line !== "");
}

/** An item as a page by itself. Its text is shown as it is written. */
export function itemHtml(item: KeptItem): string {
  const { title, url, author, published, text } = item;
  const heading = `<h1>${escapeHtml(title ?? "")}</h1>`;
  const facts = [author, published, url].filter(Boolean).map(fact => escapeHtml(String(fact)));
  const paragraphs = (text ?? "").split(/\n{2,}/).map(paragraph => `<p>${escapeHtml(paragraph)}</p>`);
  return `<!doctype html>\n<html><head><meta charset="utf-8"><title>${escapeHtml(title ?? "")}</title></head><body>\n${heading}\n<p>${facts.join(" · ")}</p>\n${paragraphs.join("\n")}\n</body></html>\n`;
}
