import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page } from "../../sdk/typescript/src/index.ts";

const longestName = 100;

/** Writes each page to its own file below a folder. */
export class PageFiles {
  readonly #folder: string;
  readonly #taken = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(page: Page, crawledAt: string): Promise<void> {
    const path = join(this.#folder, this.#pathFor(page.metadata.final_url));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, fileText(page, crawledAt));
  }

  /** Two URLs may map to one path, for example on a file system that ignores case. */
  #pathFor(url: string): string {
    const plain = pathFor(url);
    const path = this.#taken.has(plain.toLowerCase()) ? pathFor(url, digestOf(url)) : plain;
    this.#taken.add(path.toLowerCase());
    return `${path}.md`;
  }
}

/** Turns the host and path of a URL into a relative path of plain names, without an extension. */
export function pathFor(text: string, mark?: string): string {
  const { host, pathname, search } = new URL(text);
  const names = pathname
    .replace(/\.html?$/i, "")
    .split("/")
    .slice(1)
    .map(plainName);
  const last = names.pop() || "index";
  const marks = [mark ?? (search === "" ? "" : digestOf(search))].filter(Boolean);
  return [plainName(host), ...names.map(name => name || "_"), [last, ...marks].join("-")].join("/");
}

/** Turns text into a name that cannot leave the folder and has no meaning for a shell or a file system. */
function plainName(text: string): string {
  const name = decoded(text)
    .replace(/[^\p{L}\p{N}._~-]+/gu, "_")
    .replace(/^\.+/, "_");
  return name.length > longestName ? `${name.slice(0, longestName - 9)}-${digestOf(name)}` : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Writes a page as Markdown with front matter. Its values are JSON strings, which are valid YAML. */
export function fileText({ markdown = "", metadata }: Page, crawledAt: string): string {
  const { title, final_url, status_code } = metadata;
  return [
    "---",
    `title: ${JSON.stringify(title)}`,
    `url: ${JSON.stringify(final_url)}`,
    `status: ${status_code}`,
    `crawled_at: ${crawledAt}`,
    "---",
    "",
    markdown,
    "",
  ].join("\n");
}
