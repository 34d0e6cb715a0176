import { type Prose, prose } from "./text.ts";

export type Script = "none" | "trackers" | "own";

/** A page of the set, and what it holds in scripts. */
export interface BenchPage {
  path: string;
  html: string;
}

const kinds = { article, product, docs, forum, listing };
const perKind = 3;

/**
 * Fifteen pages, three of each kind, 25 to 100 KB of HTML: articles, products, documentation with code, forum threads,
 * listings. The same on every run. `trackers`: their only scripts are those that filter lists block.
 */
export function benchPages(scripts: Script): BenchPage[] {
  return Object.entries(kinds).flatMap(([kind, body], at) =>
    Array.from({ length: perKind }, (_, copy) => {
      const text = prose(1000 * at + copy);
      const title = text.title(6);
      const path = `/${scripts}/${kind}-${copy}`;
      return { path, html: frame(title, body(text, title, copy + 1), { scripts, text, path }) };
    }),
  );
}

function frame(
  title: string,
  main: string,
  { scripts, text, path }: { scripts: Script; text: Prose; path: string },
): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} | The Daily Bench</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="${text.sentence()}">
<meta property="og:title" content="${title}"><meta property="og:type" content="website"><meta property="og:image" content="/assets/picture-1.png">
<link rel="canonical" href="${path}"><link rel="stylesheet" href="/assets/site.css"><link rel="stylesheet" href="/assets/theme.css">
<style>${inlineStyle(text)}</style>
<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@type": "WebPage", name: title, description: text.sentence() })}</script>
${head(scripts)}</head>
<body class="page"><header class="site-header"><a class="logo" href="/"><img src="/assets/logo.svg" alt="The Daily Bench" width="120" height="30"></a>
<nav class="main-nav"><ul>${links(text, 24)}</ul></nav><form role="search"><input name="q" placeholder="Search"><button>Search</button></form></header>
<div class="layout"><main id="content">${main}</main>
<aside class="sidebar"><h3>Most read</h3><ul>${links(text, 15)}</ul><h3>Newsletter</h3><form><input type="email"><button>Sign up</button></form>
<div class="promo">${text.paragraph(3)}</div></aside></div>
<footer class="site-footer">${Array.from({ length: 5 }, () => `<div class="column"><h4>${text.title(2)}</h4><ul>${links(text, 8)}</ul></div>`).join("")}
<p>Copyright 2025 The Daily Bench. ${text.paragraph(2)}</p></footer>${foot(scripts)}</body></html>`;
}

function head(scripts: Script): string {
  if (scripts === "none") return "";
  const trackers = `<script async src="https://www.google-analytics.com/analytics.js"></script>
<script async src="https://securepubads.g.doubleclick.net/tag/js/gpt.js"></script>`;
  if (scripts === "trackers") return trackers;
  return `<script>window.site = { user: null, flags: { comments: true, toc: true }, started: Date.now() };</script>
<script defer src="/assets/vendor.js"></script>`;
}

function foot(scripts: Script): string {
  return scripts === "own" ? `<script defer src="/assets/app.js"></script>` : "";
}

function inlineStyle(text: Prose): string {
  return Array.from(
    { length: 40 },
    (_, at) => `.c${at}{margin:${text.number(20)}px;padding:${text.number(9)}px;color:#${100 + at}}`,
  ).join("\n");
}

function links(text: Prose, count: number): string {
  return Array.from(
    { length: count },
    () =>
      `<li class="item c${text.number(40)}"><a href="/${text.words(1)}/${text.number(9999)}">${text.title(3)}</a></li>`,
  ).join("\n");
}

function picture(text: Prose): string {
  const number = text.number(6);
  return `<img loading="lazy" src="/assets/picture-${number}.png" srcset="/assets/picture-${number}.png 1x" alt="${text.words(4)}" width="320" height="200">`;
}

function article(text: Prose, title: string, size: number): string {
  const sections = Array.from({ length: 5 * size }, () => {
    const paragraphs = Array.from({ length: 4 }, () => {
      const sentences = text.paragraph(5);
      return `<p>${sentences} <a href="/${text.words(1)}">${text.words(3)}</a> and <em>${text.words(2)}</em>, <strong>${text.words(2)}</strong>. ${text.paragraph(2)}</p>`;
    });
    return `<h2>${text.title(4)}</h2>${paragraphs.join("\n")}<figure>${picture(text)}<figcaption>${text.sentence()}</figcaption></figure><blockquote><p>${text.paragraph(2)}</p></blockquote>`;
  });
  return `<article class="story"><h1>${title}</h1><p class="byline">By <a rel="author" href="/a/1">${text.title(2)}</a> <time datetime="2025-03-01">1 March 2025</time></p>
<div class="share"><a href="#">Share</a><a href="#">Save</a></div><div class="article-body">${sections.join("\n")}</div></article>${comments()}`;
}

function comments(): string {
  return `<section class="comments" data-feed="/api/comments.json"><h2>Comments</h2></section>`;
}

function product(text: Prose, title: string, size: number): string {
  const rows = Array.from(
    { length: 20 * size },
    () => `<tr><th>${text.title(2)}</th><td>${text.words(4)}</td></tr>`,
  );
  const cards = Array.from(
    { length: 12 * size },
    () =>
      `<div class="card c${text.number(40)}"><a href="/p/${text.number(9999)}">${picture(text)}<span class="name">${text.title(4)}</span></a><span class="price">$${text.number(900)}.99</span></div>`,
  );
  const reviews = Array.from(
    { length: 25 * size },
    () =>
      `<li class="review"><h4>${text.title(3)}</h4><span class="stars">${1 + text.number(5)} of 5</span><p>${text.paragraph(4)}</p></li>`,
  );
  return `<div class="product"><h1>${title}</h1><div class="gallery">${Array.from({ length: 5 }, () => picture(text)).join("")}</div>
<p class="price">$${text.number(900)}.00</p><p>${text.paragraph(6)}</p><ul>${Array.from({ length: 8 }, () => `<li>${text.sentence()}</li>`).join("")}</ul>
<table class="specs"><tbody>${rows.join("\n")}</tbody></table></div><section class="reviews"><h2>Reviews</h2><ul>${reviews.join("\n")}</ul></section>
<section class="related"><h2>Also bought</h2>${cards.join("\n")}</section>${comments()}`;
}

function docs(text: Prose, title: string, size: number): string {
  const sections = Array.from({ length: 12 * size }, (_, at) => {
    const code = Array.from(
      { length: 14 },
      (_, line) =>
        `${"  ".repeat(line % 3)}const ${text.words(1)}${line} = await ${text.words(1)}("${text.words(2)}", { ${text.words(1)}: ${line} });`,
    );
    return `<h2 id="s${at}">${text.title(3)}</h2><p>${text.paragraph(3)} Use <code>${text.words(1)}()</code> or <code>${text.words(1)}</code>.</p>
<pre><code class="language-js">${code.join("\n")}</code></pre><ul>${Array.from({ length: 5 }, () => `<li><code>${text.words(1)}</code>: ${text.sentence()}</li>`).join("")}</ul>
<table><thead><tr><th>Option</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${Array.from({ length: 6 }, () => `<tr><td><code>${text.words(1)}</code></td><td>string</td><td>${text.sentence()}</td></tr>`).join("")}</tbody></table>`;
  });
  return `<div class="docs markdown-body"><h1>${title}</h1><nav class="toc"></nav>${sections.join("\n")}</div>`;
}

function forum(text: Prose, title: string, size: number): string {
  const posts = Array.from(
    { length: 30 * size },
    (_, at) =>
      `<div class="post" id="p${at}"><div class="author"><img src="/assets/avatar.svg" alt="" width="40" height="40"><a href="/u/${text.number(999)}">${text.words(1)}${at}</a><span class="rank">${text.words(1)}</span></div>
<div class="post-meta"><a href="#p${at}">#${at}</a> <time datetime="2025-02-03T10:00">3 Feb 2025</time></div><div class="post-text"><blockquote>${text.sentence()}</blockquote><p>${text.paragraph(4)}</p><p>${text.paragraph(2)}</p></div>
<div class="actions"><a href="#">Reply</a> <a href="#">Quote</a> <a href="#">Report</a></div></div>`,
  );
  return `<h1>${title}</h1><div class="thread">${posts.join("\n")}</div><div class="pager">${links(text, 6)}</div>`;
}

function listing(text: Prose, title: string, size: number): string {
  const cards = Array.from(
    { length: 60 * size },
    () =>
      `<li class="result c${text.number(40)}"><a href="/p/${text.number(99_999)}">${picture(text)}<h3>${text.title(5)}</h3></a><p>${text.paragraph(2)}</p><span class="price">$${text.number(500)}.50</span><span class="place">${text.title(2)}</span></li>`,
  );
  return `<h1>${title}</h1><form class="filters">${Array.from({ length: 20 }, () => `<label><input type="checkbox">${text.words(2)}</label>`).join("")}</form><ul class="results">${cards.join("\n")}</ul>`;
}
