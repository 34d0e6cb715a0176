import { fail } from "../../contracts/errors.ts";
import { present } from "../../domain/json/fields.ts";
import { answerWith, ask, readAll, scrapeNow } from "../firecrawl/ask.ts";
import type { OwnAnswer } from "../routes/route.ts";

const timeoutMs = 60_000;
const marginMs = 15_000;

/**
 * Open WebUI's external web loader: a list of pages as documents. It takes each entry of the answer for a page, so one that
 * cannot be read is empty and says why; where none can be read, the request fails.
 */
export const openWebui = answerWith<{ urls: string[] }>(
  { urls: { type: "array", min: 1, max: 100, items: { type: "string", min: 1, max: 2048 } } },
  async (asked, { urls }) => {
    const until = Date.now() + timeoutMs;
    const documents = await readAll(asked, urls, { output: { formats: ["markdown"] } }, until);
    const pages = documents.map(({ markdown = "", metadata }, at) => ({
      page_content: markdown,
      metadata: documentMetadata(urls[at] ?? "", metadata),
    }));
    const [first] = pages;
    if (first?.metadata.error !== undefined && pages.every(({ page_content }) => page_content === ""))
      throw fail("upstream_error", String(first.metadata.error));
    return pages;
  },
);

function documentMetadata(
  source: string,
  { title, description, language, error }: Record<string, unknown>,
): Record<string, unknown> {
  return { source, ...present({ title, description, language, error }) };
}

/** `GET /r/{url}`: the page behind the path as Markdown. */
export const reader: OwnAnswer = (() => {
  const { params, answer } = answerWith<{ url: string }>(
    { url: { type: "string", min: 1 } },
    async (asked, { url }) => {
      const request = { url: wholeUrl(url), timeout: timeoutMs, output: { formats: ["markdown"] } };
      const { data } = await ask(asked, scrapeNow, request, { timeout: timeoutMs + marginMs });
      return data.markdown ?? "";
    },
  );
  return {
    kind: "own",
    params,
    answer: async (...args) => ({ ...(await answer(...args)), type: "text/markdown; charset=utf-8" }),
  };
})();

/** Proxies join slashes that follow one another, and some clients encode the whole address. */
export function wholeUrl(rest: string): string {
  const url = /^https?%3a/i.test(rest) ? decoded(rest) : rest;
  return url.replace(/^(https?):\/+/i, "$1://");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The scraper refuses what is no URL, and names it.
    return text;
  }
}
