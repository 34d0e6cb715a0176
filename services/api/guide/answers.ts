import { fail, invalid } from "../../contracts/errors.ts";
import { list, named, object, text, withMessage } from "../../contracts/schema.ts";
import { hasDashboard } from "../home/ways.ts";
import { prefersHtml } from "../request/negotiate.ts";
import { keptReply, madeOnce } from "../response/kept.ts";
import type { AnswerContext, OwnAnswer, OwnReply, OwnRequest } from "../routes/route.ts";
import { type Guide, markdownAddressOf, navigation, servedMarkdown, summaryOf, theGuide } from "./guide.ts";
import { type Html, html, Html as Markup } from "./html.ts";
import { page as framed, htmlType, pagePolicy } from "./layout.ts";
import { addressOf } from "./markdown.ts";
import type { Page } from "./pages.ts";
import type { Hit } from "./search.ts";

const maxWords = 200;

const hit = named("GuideHit", {
  title: text,
  heading: { ...text, description: "The heading below which it is; empty at the beginning of a page." },
  url: text,
  excerpt: {
    ...list(object({ text, match: { type: "boolean" } })),
    description: "Some of its words; `match` marks those that were asked for.",
  },
});

/** The index of the guide or, with `q`, the places that hold these words: as a page, or as JSON for a client that wants it. */
export const guideIndex: OwnAnswer = {
  kind: "own",
  params: {
    $$strict: true,
    q: { type: "string", optional: true, max: maxWords, description: "Words to look for in the guide." },
  },
  result: withMessage(list(hit)),
  async answer(context, { q }, req) {
    const guide = await theGuide();
    const words = wordsOf(q);
    if (words === undefined) return shownPage(context, guide, guide.index);
    const hits = guide.search.find(words);
    if (prefersHtml(req)) return shown(searchHtml(context, guide, words, hits));
    const body = { data: hits, message: `${hits.length} places hold these words.` };
    return { headers: { vary: "accept" }, body };
  },
};

function wordsOf(q: unknown): string | undefined {
  if (q === undefined) return undefined;
  if (typeof q !== "string") throw invalid("q", "string", "Give `q` once.");
  if (q.length > maxWords)
    throw invalid("q", "string_max", `\`q\` must have at most ${maxWords} characters.`);
  return q.trim();
}

/** A page of the guide, or its Markdown where the name ends in `.md`. */
export const guidePage: OwnAnswer = {
  kind: "own",
  params: { page: { type: "string", max: 100, description: "The page's name; with `.md` its Markdown." } },
  async answer(context, { page: name }, req) {
    const guide = await theGuide();
    const text = String(name);
    const isMarkdown = text.endsWith(".md");
    const slug = isMarkdown ? text.slice(0, -3) : text;
    const page = slug === "README" && isMarkdown ? guide.index : slug && guide.bySlug.get(slug);
    if (!page) return missing(context, guide, req);
    return isMarkdown ? markdownOf(context, guide, page) : shownPage(context, guide, page);
  },
};

function missing(context: AnswerContext, guide: Guide, req: OwnRequest): OwnReply {
  if (!prefersHtml(req))
    throw fail("not_found", "The guide has no such page. Its pages are listed at /guide.");
  const body = html`<main id="main" class="text"><h1>There is no such page</h1><p>The guide has these:</p>${navigation(guide)}</main>`;
  const markup = framed({ ...frameOf(context), title: "No such page · Magpie", body });
  return { ...shown(markup), status: 404 };
}

function shownPage(context: AnswerContext, guide: Guide, page: Page): OwnReply {
  return madeOnce(context, `page ${page.path}`, () =>
    keptReply({ type: htmlType, body: guideHtml(context, guide, page) }, pageHeaders),
  );
}

function markdownOf(context: AnswerContext, guide: Guide, page: Page): OwnReply {
  const type = "text/markdown; charset=utf-8";
  return madeOnce(context, `markdown ${page.path}`, () =>
    keptReply({ type, body: servedMarkdown(page, guide) }),
  );
}

const pageHeaders = {
  "content-security-policy": pagePolicy,
  vary: "accept",
  "referrer-policy": "same-origin",
};

/** A page that is made for one request. */
function shown(markup: string): OwnReply {
  return { type: htmlType, headers: { "cache-control": "no-cache", ...pageHeaders }, body: markup };
}

function frameOf(context: AnswerContext) {
  return {
    part: "guide" as const,
    hasDashboard: hasDashboard(context),
    description: "How to use Magpie.",
  };
}

function guideHtml(context: AnswerContext, guide: Guide, page: Page): string {
  const rendered = guide.rendered.get(page);
  if (!rendered) throw new TypeError(`${page.path} is not rendered`);
  const contents = rendered.headings.filter(({ depth }) => depth === 2 || depth === 3);
  const markdownUrl = markdownAddressOf(page);
  const body = html`<div class="columns">
${pagesMenu(guide, page)}
<main id="main" class="text">
${new Markup(rendered.html)}
<footer class="page-end">${neighbours(guide, page)}<p><a href="${markdownUrl}">This page as Markdown</a></p></footer>
</main>
${
  contents.length > 1 &&
  html`<nav id="contents" class="contents" popover aria-label="On this page"><h2>On this page</h2><ul>${contents.map(
    ({ depth, id, text }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`
}</div>`;
  return framed({
    ...frameOf(context),
    title: page.slug === "" ? "Guide · Magpie" : `${page.title} · Magpie`,
    description: summaryOf(guide, page),
    links: html`<link rel="alternate" type="text/markdown" href="${markdownUrl}">
`,
    menus: menuButtons(contents.length > 1),
    body,
  });
}

function pagesMenu(guide: Guide, page?: Page): Html {
  return html`<nav id="pages" class="pages" popover aria-label="Pages of the guide">${navigation(guide, page)}</nav>`;
}

function menuButtons(hasContents: boolean): Html {
  return html`<div class="menus"><button type="button" popovertarget="pages">All pages</button>${
    hasContents && html`<button type="button" popovertarget="contents">On this page</button>`
  }</div>`;
}

function neighbours({ order }: Guide, page: Page): Html {
  const at = order.indexOf(page);
  const [before, after] = at < 0 ? [] : [order[at - 1], order[at + 1]];
  return html`<nav class="neighbours" aria-label="Before and after">${
    before && html`<a rel="prev" href="${addressOf(before)}"><span>Before</span> ${before.title}</a>`
  }${after && html`<a rel="next" href="${addressOf(after)}"><span>Next</span> ${after.title}</a>`}</nav>`;
}

function searchHtml(context: AnswerContext, guide: Guide, words: string, hits: Hit[]): string {
  const count = hits.length === 1 ? "1 place" : `${hits.length} places`;
  const body = html`<div class="columns">
${pagesMenu(guide)}
<main id="main" class="text">
<h1>${words === "" ? "Search" : html`Search for “${words}”`}</h1>
<p>${hits.length > 0 ? html`${count}, the best first.` : "Nothing holds these words. Try fewer or other ones, or choose a page from the list."}</p>
<ol class="hits">${hits.map(hitHtml)}</ol>
</main></div>`;
  return framed({
    ...frameOf(context),
    title: `${words} · Search · Magpie`,
    words,
    menus: menuButtons(false),
    body,
  });
}

function hitHtml({ title, heading, url, excerpt }: Hit): Html {
  const marked = excerpt.map(({ text, match }) => (match ? html`<mark>${text}</mark>` : text));
  return html`<li><a href="${url}">${title}${heading && html` <span aria-hidden="true">›</span> ${heading}`}</a><p>${marked}</p></li>`;
}
