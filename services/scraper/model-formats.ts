import type { ScrapeData, ScrapeRequest } from "../contracts/scraper.contract.ts";
import { extractJson, type JsonTools } from "./json/extract-json.ts";
import { summarize } from "./llm/summarize.ts";
import type { ReadPage } from "./read-page.ts";
import type { ScrapeOrder, ScrapeTools } from "./scrape-page.ts";

type ModelFormats = Pick<ScrapeData, "summary" | "json" | "json_recipe">;

/** The formats that a language model may have a hand in, when one is configured. */
export async function modelFormats(
  request: ScrapeRequest,
  page: ReadPage,
  order: ScrapeOrder,
  tools: ScrapeTools,
): Promise<ModelFormats> {
  const summary =
    page.digest.summary === undefined ? {} : await summaryOf(page, page.digest.summary, order, tools);
  return {
    ...summary,
    ...(request.output.formats.includes("json") && (await jsonOf(request, page, order, tools))),
  };
}

/** The model's summary of the page's text; the extracted one without a model, or when it fails. */
async function summaryOf(
  { digest: { text } }: ReadPage,
  extracted: string,
  { signal }: ScrapeOrder,
  { model }: ScrapeTools,
): Promise<ModelFormats> {
  if (model === undefined || text === undefined) return { summary: extracted };
  const summary = await summarize(model, text, signal).catch(error => {
    if (signal.aborted) throw error;
    return extracted;
  });
  return { summary };
}

async function jsonOf(
  { output, breakdown }: ScrapeRequest,
  { digest, finalUrl }: ReadPage,
  { signal }: ScrapeOrder,
  { extraction, recipes, model }: ScrapeTools,
): Promise<ModelFormats> {
  const worker: JsonTools["worker"] = {
    extractJson: (args, stop) => extraction.run("extractJson", args, stop),
    condensePage: (args, stop) => extraction.run("condensePage", args, stop),
  };
  const page = { html: digest.page ?? "", url: finalUrl };
  const { json, recipe } = await extractJson(page, output.json ?? {}, { worker, recipes, model, signal });
  return { json, ...(breakdown && { json_recipe: recipe }) };
}
