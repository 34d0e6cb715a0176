/** `copy`: the same page under another address, which names the first as canonical. `file`: not HTML. */
export type NodeKind = "page" | "redirect" | "missing" | "file" | "copy";

/** A link as a page has it; `href` holds `{origin}` or `{elsewhere}` where it is absolute. */
export interface Link {
  to: string;
  href: string;
  nofollow?: boolean;
  next?: boolean;
}

/** One thing of the site, under however many addresses. */
export interface Node {
  /** Path and query, as the site itself would write them. */
  id: string;
  kind: NodeKind;
  links: Link[];
  /** Of a redirect, where it leads; of a copy, what it is a copy of. */
  target?: Link;
  /** How the page asks that its links be left alone. */
  nofollow?: "meta" | "header";
  slow?: boolean;
  /** The first request is turned away with this status. */
  heals?: 429 | 503;
}

/** A site as a graph. Every address that its pages, redirects and sitemaps name is in `nodes` by way of `spellings`. */
export interface Graph {
  entry: string;
  nodes: Map<string, Node>;
  /** Path and query as they reach the server -> the node that they stand for. */
  spellings: Map<string, string>;
  /** What the sitemaps name. */
  listed: Link[];
}
