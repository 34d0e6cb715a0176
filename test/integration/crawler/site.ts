import { type Handler, type Routes, type Site, startSite } from "../../support/http-site.ts";

/** A page with links, each a path or a whole `<a>` of its own. */
export function page(title: string, ...links: string[]): string {
  return pageWith("", title, ...links);
}

export function pageWith(head: string, title: string, ...links: string[]): string {
  const list = links.map(link => (link.startsWith("<") ? link : `<a href="${link}">${link}</a>`));
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
    <p>What there is to say of ${title}.</p>${list.join(" ")}</main></body></html>`;
}

/** Paths that were asked for, without those that crawlers ask for by themselves. */
export function visited({ hits }: Site): string[] {
  return hits.map(({ url }) => url).filter(url => url !== "/robots.txt" && url !== "/sitemap.xml");
}

export function redirect(location: string, status = 301) {
  return { status, headers: { location } };
}

/** Sites that close together. */
export class Sites {
  readonly #open: Site[] = [];

  async start(routes: Handler | Routes): Promise<Site> {
    const site = await startSite(routes);
    this.#open.push(site);
    return site;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map(site => site.close()));
  }
}
