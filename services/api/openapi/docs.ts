import { fail } from "../../contracts/errors.ts";
import { type Html, html } from "../guide/html.ts";
import { page as framed, htmlType, pagePolicy } from "../guide/layout.ts";
import { hasDashboard } from "../home/ways.ts";
import { prefersHtml } from "../request/negotiate.ts";
import { keptReply, madeOnce } from "../response/kept.ts";
import type { AnswerContext, OwnAnswer, OwnReply } from "../routes/route.ts";
import { type ApiDocument, type Chapter, chaptersOf, operationHtml, operationIndex } from "./reference.ts";
import { prose } from "./reference-lines.ts";

/** Answers with every operation of the document in a line, by chapters. */
export const docs: OwnAnswer = {
  kind: "own",
  params: {},
  answer: context =>
    madeOnce(context, "reference", () => {
      const document = documentOf(context);
      const chapters = chaptersOf(document);
      const { version, description } = document.info;
      const body = html`<h1>API reference</h1>
<p class="soft">Version ${version}. For programs: <a href="/openapi.json">openapi.json</a>.</p>
${prose(description)}
${operationIndex(chapters)}`;
      const contents = chapters.map(({ name, slug }) => html`<li><a href="#${slug}">${name}</a></li>`);
      return shown(context, { title: "API", chapters, contents, body });
    }),
};

/** A chapter of the reference: its operations with parameters, bodies, lines and answers. */
export const docsChapter: OwnAnswer = {
  kind: "own",
  params: { chapter: { type: "string", max: 64 } },
  answer(context, { chapter: slug }, req) {
    const document = documentOf(context);
    const chapters = chaptersOf(document);
    const chapter = chapters.find(each => each.slug === slug);
    if (!chapter) {
      if (!prefersHtml(req))
        throw fail("not_found", "The reference has no such chapter. They are listed at /docs.");
      const body = html`<h1>There is no such chapter</h1><p>The <a href="/docs">reference</a> lists all operations.</p>`;
      return { ...shown(context, { title: "No such chapter", chapters, contents: [], body }), status: 404 };
    }
    return madeOnce(context, `reference ${chapter.slug}`, () => {
      const { name, description, entries } = chapter;
      const body = html`<h1>${name}</h1>
${prose(description)}
${entries.map(entry => operationHtml(entry, document, hasDashboard(context)))}`;
      const contents = entries.map(
        ({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`,
      );
      return shown(context, { title: `${name} · API`, chapters, current: chapter, contents, body });
    });
  },
};

interface Shown {
  title: string;
  chapters: Chapter[];
  current?: Chapter;
  contents: Html[];
  body: Html;
}

function shown(context: AnswerContext, { title, chapters, current, contents, body }: Shown): OwnReply {
  const pages = html`<nav id="pages" class="pages" popover aria-label="Chapters of the reference"><ul><li><a href="/docs"${!current && html` aria-current="page"`}>All operations</a></li>${chapters.map(
    each =>
      html`<li><a href="/docs/${each.slug}"${each === current && html` aria-current="page"`}>${each.name}</a></li>`,
  )}</ul></nav>`;
  const markup = framed({
    title: `${title} · Magpie`,
    description: "Every operation of Magpie's HTTP API, with its fields, examples and errors.",
    part: "reference",
    hasDashboard: hasDashboard(context),
    links: html`<link rel="stylesheet" href="/assets/reference.css">
`,
    menus: html`<div class="menus"><button type="button" popovertarget="pages">All chapters</button>${
      contents.length > 1 && html`<button type="button" popovertarget="contents">On this page</button>`
    }</div>`,
    body: html`<div class="columns">
${pages}
<main id="main" class="text reference">
${body}
</main>
${contents.length > 1 && html`<nav id="contents" class="contents" popover aria-label="On this page"><h2>On this page</h2><ul>${contents}</ul></nav>`}
</div>`,
  });
  return keptReply(
    { type: htmlType, body: markup },
    { "content-security-policy": pagePolicy, vary: "accept" },
  );
}

function documentOf(context: AnswerContext): ApiDocument {
  return JSON.parse(context.document) as ApiDocument;
}

/** Answers with the document itself. */
export const openapi: OwnAnswer = {
  kind: "own",
  params: {},
  result: { type: "object" },
  answer: context =>
    madeOnce(context, "openapi", () =>
      keptReply({ type: "application/json; charset=utf-8", body: context.document }),
    ),
};
