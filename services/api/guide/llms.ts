import { originOf } from "../request/negotiate.ts";
import { etagOf, keptReply, madeOnce } from "../response/kept.ts";
import type { AnswerContext, OwnAnswer, OwnReply, OwnRequest } from "../routes/route.ts";
import { type Guide, markdownAddressOf, servedMarkdown, summaryOf, theGuide } from "./guide.ts";
import { decisionsTitle, type Page } from "./pages.ts";

const type = "text/plain; charset=utf-8";

/** The pages of the guide for language models, as llmstxt.org describes it: a title, a summary, lists of links. */
export const llms: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  async answer(context, _params, req) {
    const guide = await theGuide();
    return atOrigin(context, req, "llms", origin => llmsText(guide, origin));
  },
};

/** The guide in one text; the decisions are left out. */
export const llmsFull: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  async answer(context, _params, req) {
    const guide = await theGuide();
    return atOrigin(context, req, "llms-full", origin => llmsFullText(guide, origin));
  },
};

/** A name that no text of the guide has, in the place of the gateway's address. */
const anyOrigin = "https://origin.invalid";

/** Addresses of this gateway for which texts are kept. Clients choose by which names they ask, so there are few. */
const keptOrigins = new Set<string>();
const mostOrigins = 8;

/** A text with links to this gateway, by the name or address by which the client asked for it. */
function atOrigin(
  context: AnswerContext,
  req: OwnRequest,
  name: string,
  write: (origin: string) => string,
): OwnReply {
  const origin = originOf(context, req);
  if (keptOrigins.size < mostOrigins) keptOrigins.add(origin);
  if (keptOrigins.has(origin))
    return madeOnce(context, `${name} ${origin}`, () => keptReply({ type, body: write(origin) }));
  const kept = madeOnce(context, name, () => keptReply({ type, body: write(anyOrigin) }));
  const body = String(kept.body).replaceAll(anyOrigin, origin);
  return { ...kept, headers: { ...kept.headers, etag: etagOf(origin + kept.headers?.etag) }, body };
}

const summary = `# Magpie

> Magpie reads the public web for programs. It scrapes pages into Markdown, HTML, links, summaries, screenshots and JSON; crawls whole sites; tracks feeds, pages and social accounts, and delivers every change to a signed webhook or a stream.
`;

export function llmsText(guide: Guide, origin: string): string {
  const line = (page: Page) =>
    `- [${page.title}](${origin}${markdownAddressOf(page)})${colon(summaryOf(guide, page))}`;
  const main = guide.sections.filter(({ title }) => title !== decisionsTitle);
  const rest = guide.sections.filter(({ title }) => title === decisionsTitle);
  return [
    summary,
    `All pages in one text: ${origin}/llms-full.txt. Every endpoint, field and error: ${origin}/openapi.json. Send the API key in \`x-api-key\` or as \`Authorization: Bearer\`.`,
    ...main.map(({ title, pages }) => `\n## ${title}\n\n${pages.map(line).join("\n")}`),
    // llmstxt.org: what may be left out where a short text is needed.
    ...rest.map(({ pages }) => `\n## Optional\n\n${pages.map(line).join("\n")}`),
    "",
  ].join("\n");
}

function colon(text: string): string {
  return text === "" ? "" : `: ${text}`;
}

export function llmsFullText(guide: Guide, origin: string): string {
  const pages = guide.sections
    .filter(({ title }) => title !== decisionsTitle)
    .flatMap(section => section.pages);
  const texts = pages.map(page => {
    const markdown = servedMarkdown(page, guide).trim().replaceAll("](/guide/", `](${origin}/guide/`);
    return `<!-- ${origin}${markdownAddressOf(page)} -->\n\n${markdown}\n`;
  });
  return [summary, ...texts].join("\n");
}
