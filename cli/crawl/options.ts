import { parseArgs } from "node:util";

/** The options of `npm run crawl`. */
export interface Options {
  /** The body of `POST /web/crawl`. */
  crawl: Record<string, unknown>;
  out: string;
  /** If undefined, the crawl runs in a service of its own. */
  server?: { url: string; key: string };
}

export const usage = `Crawls a site and writes its pages as Markdown files.

  npm run crawl -- <url> [options]

  --limit <n>          pages at most (100)
  --depth <n>          links from the entry page at most (3)
  --include <pattern>  only pages that fit: /docs/**, https://a.example/*, or a regular expression in
                       slashes; may be given again
  --exclude <pattern>  no pages that fit; may be given again
  --entire-domain      the whole host, not only the entry page's directory
  --subdomains         hosts below it too
  --external           pages elsewhere that are linked
  --no-sitemaps        without what the site's sitemaps name
  --no-js              without running scripts
  --whole-page         with navigation, sidebars and footers
  --out <folder>       where the files go (./crawl)
  --server <url>       uses a service that runs, with --key <API key>
  --help               this text

EGRESS_ALLOW lets it go to addresses that are not public, for example EGRESS_ALLOW=127.0.0.1.
`;

/** Null for `--help`. Throws for an invalid command line; the message says what to change. */
export function readOptions(args: string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) throw new Error("Give one URL to begin with.");
  const { server, key } = values;
  if ((server === undefined) !== (key === undefined)) throw new Error("--server and --key go together.");
  return {
    out: values.out ?? "crawl",
    ...(server !== undefined && key !== undefined && { server: { url: server.replace(/\/+$/, ""), key } }),
    crawl: {
      url,
      crawler: {
        ...(values.limit !== undefined && { limit: number("--limit", values.limit) }),
        ...(values.depth !== undefined && { max_depth: number("--depth", values.depth) }),
        include: values.include ?? [],
        exclude: values.exclude ?? [],
        include_entire_domain: values["entire-domain"] ?? false,
        include_subdomains: values.subdomains ?? false,
        include_external_links: values.external ?? false,
        sitemaps: !values["no-sitemaps"],
      },
      js_render: { enabled: !values["no-js"] },
      request: { only_main_content: !values["whole-page"] },
    },
  };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      limit: { type: "string" },
      depth: { type: "string" },
      include: { type: "string", multiple: true },
      exclude: { type: "string", multiple: true },
      "entire-domain": { type: "boolean" },
      subdomains: { type: "boolean" },
      external: { type: "boolean" },
      "no-sitemaps": { type: "boolean" },
      "no-js": { type: "boolean" },
      "whole-page": { type: "boolean" },
      out: { type: "string" },
      server: { type: "string" },
      key: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
}

function number(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} takes a number.`);
  return Number(text);
}
