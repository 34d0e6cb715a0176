import type { Doc, SiteModel } from "./model.ts";

/** A page as HTML. `footer`: what its last line says. */
export function htmlOf(
  doc: Doc,
  { sections, banner, entry }: SiteModel,
  origin: string,
  footer: string,
): string {
  const { title, paragraphs, items, links, canonical } = doc;
  const menu = [entry, ...sections.slice(0, 12)].map(
    path => `<li><a href="${path}">${nameOf(path)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} | Nest boxes</title>
${canonical === undefined ? "" : `<link rel="canonical" href="${origin}${canonical}">`}
<style>${style}</style></head>
<body><header class="top"><p class="brand">The house of nest boxes</p><nav class="menu"><ul>${menu.join("")}</ul></nav></header>
${banner === null ? "" : `<div class="banner" role="status"><p>${banner}</p></div>`}
<main><article class="text"><h1>${title}</h1>
${paragraphs.map(text => `<p>${text}</p>`).join("\n")}
<h2>In short</h2><ul class="facts">${items.map(text => `<li>${text}</li>`).join("")}</ul>
<h2>Pages</h2><ul class="pages">${links.map(linkOf).join("")}</ul>
</article></main>
<footer class="bottom"><p>Written by people who build nest boxes.</p><p class="served">${footer}</p></footer></body></html>`;
}

function linkOf(path: string): string {
  return `<li><a href="${path}">${nameOf(path)}</a></li>`;
}

function nameOf(path: string): string {
  return path === "/" ? "Home" : (path.split("/").filter(Boolean).at(-1) ?? path).replaceAll("-", " ");
}

/** Bytes that a page has beside its text. */
const style = Array.from({ length: 40 }, (_, n) => `.c${n}{margin:${n}px;padding:${n}px}`).join("");

/** The sitemaps of a site: an index, and what it lists. */
export function sitemapIndex(origin: string, parts: number): string {
  const each = Array.from(
    { length: parts },
    (_, n) => `<sitemap><loc>${origin}/sitemaps/${n}.xml</loc></sitemap>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${each.join("")}</sitemapindex>`;
}

export function sitemapOf(origin: string, docs: readonly Doc[], hasLastmod: boolean): string {
  const each = docs.map(({ path, changedAt }) => {
    const lastmod = hasLastmod ? `<lastmod>${new Date(changedAt).toISOString()}</lastmod>` : "";
    return `<url><loc>${origin}${path}</loc>${lastmod}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${each.join("\n")}</urlset>`;
}
