import { atOrigin } from "../response/at-origin.ts";
import type { OwnAnswer } from "../routes/route.ts";
import { type Guide, markdownAddressOf, servedMarkdown, summaryOf, theGuide } from "./guide.ts";
import { decisionsTitle, type Page } from "./pages.ts";

const type = "text/plain; charset=utf-8";

/** The pages of the guide for language models, as llmstxt.org describes it: a title, a summary, lists of links. */
export const llms: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  async answer(context, _params, req) {
    const guide = await theGuide();
    return atOrigin(context, req, "llms", { type, write: origin => llmsText(guide, origin) });
  },
};

/** The guide in one text; the decisions are left out. */
export const llmsFull: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  async answer(context, _params, req) {
    const guide = await theGuide();
    return atOrigin(context, req, "llms-full", { type, write: origin => llmsFullText(guide, origin) });
  },
};

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
