import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Bench, Outcome } from "../../test/bench/compare.ts";

/** A page and what people found on it. */
export interface KnownPage {
  id: string;
  url: string;
  html: string;
  /** `article`, `forum`, `product` and so on. */
  type: string;
  title: string | null;
  author: string | null;
  /** `2025-09-04`. */
  publishDate: string | null;
  /** Plain text. */
  content: string;
  /** Texts that belong to the content, and texts that do not. */
  with: string[];
  without: string[];
}

/** Reads a page set one page after the other: `html/<id>.html.gz` and `ground-truth/<id>.json`. */
export function* pageSet(folder: string): Generator<KnownPage> {
  for (const file of readdirSync(join(folder, "ground-truth")).sort()) {
    const id = file.replace(/\.json$/, "");
    const known = JSON.parse(readFileSync(join(folder, "ground-truth", file), "utf8")) as Answers;
    const { ground_truth: truth } = known;
    yield {
      id,
      url: known.url || "https://page.invalid/",
      html: gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`))).toString("utf8"),
      type: typeOf(known),
      title: truth.title || null,
      author: truth.author || null,
      publishDate: truth.publish_date || null,
      content: truth.main_content ?? "",
      with: truth.with ?? [],
      without: truth.without ?? [],
    };
  }
}

/** The form of `ground-truth/<id>.json`. */
interface Answers {
  url?: string;
  _internal?: { page_type?: string | { primary?: string } };
  ground_truth: {
    title?: string | null;
    author?: string | null;
    publish_date?: string | null;
    main_content?: string | null;
    with?: string[] | null;
    without?: string[] | null;
  };
}

function typeOf({ _internal }: Answers): string {
  const stated = _internal?.page_type;
  const type = (typeof stated === "string" ? stated : stated?.primary) ?? "article";
  return type === "category" ? "collection" : type;
}

/** A bench over a page set; without a folder it says where to get one. */
export function overPages(name: string, bench: (folder: string) => Promise<Outcome[]>): Bench {
  const line =
    `${name}: needs a folder with html/ and ground-truth/, such as the dev split of the Web Content Extraction ` +
    `Benchmark (github.com/Murrough-Foley/web-content-extraction-benchmark, CC BY 4.0): npm run bench -- ${name} -- <folder>`;
  return async folder => (folder === undefined ? [{ line }] : await bench(folder));
}
