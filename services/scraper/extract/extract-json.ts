import { askedWords } from "../../../reader/recipe/asked-words.ts";
import type { condensePage } from "../../../reader/recipe/condense-page.ts";
import { asksForMore } from "../../../reader/recipe/prompt.ts";
import { type JsonResult, nothingFound, type WantedJson } from "../../../reader/recipe/read-json.ts";
import type { Recipe } from "../../../reader/recipe/recipe.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { LanguageModel } from "../model/language-model.ts";
import { failureOf, type ModelFailure } from "../model/model-failure.ts";
import type { checkValues } from "./check-values.ts";
import type { extractJson as extractInPage } from "./extract-in-page.ts";
import {
  inPageRequest,
  isWhole,
  type JsonRequest,
  recipeId,
  withNames,
  withoutNames,
} from "./json-request.ts";
import { readValues } from "./read-values.ts";
import type { ModelPage, textForModel } from "./text-for-model.ts";
import { type Plan, writeRecipe } from "./write-recipe.ts";

/** Work in a thread. When the signal fires, ends the thread and throws its reason. */
interface JsonWorker {
  extractJson(args: Parameters<typeof extractInPage>, signal: AbortSignal): Promise<JsonResult>;
  condensePage(args: Parameters<typeof condensePage>, signal: AbortSignal): Promise<string>;
  textForModel(args: Parameters<typeof textForModel>, signal: AbortSignal): Promise<string>;
  checkValues(
    args: Parameters<typeof checkValues>,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof checkValues>>;
}

/** What a model decided about the pages of a site, by site and request. */
interface PlanBook {
  get(id: string): Promise<Plan | null>;
  put(id: string, plan: Plan): Promise<void>;
}

export interface JsonTools {
  worker: JsonWorker;
  recipes: PlanBook;
  model: LanguageModel;
  /** Called with what became of the questions to the model. */
  report(outcome: "used" | ModelFailure): void;
  signal: AbortSignal;
}

/** A page to extract from. */
export type JsonPage = ModelPage & {
  /** A document, which is not one of many that are made alike. */
  isDocument?: boolean;
  /** What rules found already. */
  found?: JsonResult | undefined;
};

export interface ExtractedJson {
  json: Record<string, unknown>;
  /** Absent where no selectors found it. */
  recipe?: Record<string, unknown>;
  /** The words of the page that values of a model rest on, by their paths. */
  quotes?: Record<string, string>;
  /** Sentences for the user. */
  warning?: string;
}

const maxChars = 24_000;
/** For one reading of a page in a thread of its own. */
const readingMs = 10_000;

/**
 * Extracts the JSON that a request wants of a page with the help of a model. `request` has passed `checkSchema` and has no
 * recipe. The model writes a recipe once per site and request, or gives the values themselves; when it fails, rules find
 * them, and a warning says so. Throws `extraction_failed` when nothing fits.
 */
export async function extractJson(
  page: JsonPage,
  request: JsonRequest,
  tools: JsonTools,
): Promise<ExtractedJson> {
  const extraction = new Extraction(page, request, tools);
  try {
    return await extraction.byModel();
  } catch (error) {
    if (tools.signal.aborted || codeOf(error) === undefined) throw error;
    const failure = failureOf(error);
    if (failure) tools.report(failure);
    return await extraction.byRules(failure);
  }
}

/** The answer of a reading. Throws `extraction_failed` when nothing fits. */
export function extracted(result: JsonResult): ExtractedJson {
  if (!result.ok) throw fail("extraction_failed", result.reason);
  const { json, recipe } = result;
  return { json, ...(recipe && { recipe: { ...recipe } }) };
}

class Extraction {
  readonly #page: JsonPage;
  readonly #request: JsonRequest;
  readonly #tools: JsonTools;

  constructor(page: JsonPage, request: JsonRequest, tools: JsonTools) {
    this.#page = page;
    this.#request = request;
    this.#tools = tools;
  }

  /** What rules find, after a failure of the model or of what it needs. */
  async byRules(failure: ModelFailure | undefined): Promise<ExtractedJson> {
    const result = this.#page.found ?? (await this.#attempt(inPageRequest(this.#request)));
    if (!failure) return extracted(result);
    if (!result.ok) throw fail("extraction_failed", `${result.reason} ${failure.message}.`);
    return { ...extracted(result), warning: `${failure.message}, so rules found the JSON.` };
  }

  async byModel(): Promise<ExtractedJson> {
    const { mode = "auto", json_schema: schema, prompt } = this.#request;
    const { found, isDocument } = this.#page;
    if (mode === "values") return await this.#readBy({ values: "all" }, {});
    if (found?.ok && isWhole(found.json, schema)) return extracted(found);
    const isAsked = mode === "auto" && schema === undefined && prompt !== undefined && asksForMore(prompt);
    if (mode === "auto" && (isDocument || isAsked)) return await this.#readBy({ values: "all" }, {});
    if (!("html" in this.#page)) return extracted(found ?? nothingFound);
    return await this.#byPlan(this.#page.html, mode === "auto");
  }

  /** Follows the kept plan of the site, else one that the model makes now. Without a site, none is kept. */
  async #byPlan(html: string, mayUseValues: boolean): Promise<ExtractedJson> {
    const { recipes } = this.#tools;
    const id = recipeId(this.#page.url, this.#wanted, mayUseValues ? "auto" : "recipe");
    const kept = id === undefined ? null : await recipes.get(id);
    const known = kept && (await this.#tryOut(kept));
    if (kept && known?.ok) return await this.#readBy(kept, known.found);
    const { plan, found } = await this.#write(html, mayUseValues);
    const read = await this.#readBy(plan, found);
    if (id !== undefined) await recipes.put(id, plan);
    return read;
  }

  async #write(html: string, mayUseValues: boolean): Promise<{ plan: Plan; found: JsonOf }> {
    const { model, worker, signal, report } = this.#tools;
    const words = askedWords(this.#wanted);
    const condensed = await this.#bounded(stop =>
      worker.condensePage([html, this.#page.url, maxChars, words], stop),
    );
    try {
      const options = { signal, mayUseValues };
      const written = await writeRecipe(model, condensed, this.#wanted, options, plan => this.#tryOut(plan));
      report("used");
      return written;
    } catch (error) {
      const failure = failureOf(error);
      if (failure?.reason !== "unfit" || !mayUseValues) throw error;
      // What no selector finds, the model may still read.
      report(failure);
      return { plan: { values: "all" }, found: {} };
    }
  }

  /** What the selectors of a plan find, without the properties that the model gives. */
  async #tryOut({
    recipe,
    values,
  }: Plan): Promise<{ ok: true; found: JsonOf } | Extract<JsonResult, { ok: false }>> {
    if (!recipe) return { ok: true, found: {} };
    const { json_schema: schema } = this.#request;
    const names = Array.isArray(values) ? values : [];
    const result = await this.#attempt({ schema: schema && withoutNames(schema, names), recipe });
    return result.ok ? { ok: true, found: result.json } : result;
  }

  /** What the selectors found, with the values of the model beside it where it gives some. */
  async #readBy({ recipe, values }: Plan, known: JsonOf): Promise<ExtractedJson> {
    const { report, signal } = this.#tools;
    const found = { json: known, ...(recipe && { recipe: { ...recipe } }) };
    if (values === undefined) return found;
    try {
      const { json, quotes, dropped } = await this.#values(values, known);
      report("used");
      return { ...found, json, quotes, ...(dropped.length > 0 && { warning: unfounded(dropped) }) };
    } catch (error) {
      const failure = failureOf(error);
      if (!recipe || !failure || signal.aborted) throw error;
      const alone = await this.#attempt(this.#by(recipe));
      if (!alone.ok) throw error;
      report(failure);
      return { ...extracted(alone), warning: `${failure.message}, so ${named(values)} are missing.` };
    }
  }

  async #values(values: string[] | "all", known: JsonOf): ReturnType<typeof readValues> {
    const { worker, signal, model } = this.#tools;
    const { json_schema: schema, prompt } = this.#request;
    const names = values === "all" ? undefined : values;
    const text = await this.#text(names);
    const wanted = {
      schema: schema && (names ? withNames(schema, names) : schema),
      prompt,
      ...(names && !schema && { names }),
    };
    return await readValues(model, text, wanted, signal, answer =>
      this.#bounded(stop => worker.checkValues([answer, text, schema, known], stop)),
    );
  }

  #by(recipe: Recipe): WantedJson {
    const { json_schema: schema } = this.#request;
    return { ...(schema && { schema }), recipe };
  }

  async #text(names: readonly string[] | undefined): Promise<string> {
    const { worker } = this.#tools;
    const { found: _, isDocument: __, ...page } = this.#page;
    const words = [...askedWords(this.#wanted), ...(names ?? [])];
    return await this.#bounded(stop => worker.textForModel([page, words, maxChars], stop));
  }

  get #wanted(): { schema?: JsonOf; prompt?: string } {
    const { json_schema: schema, prompt } = this.#request;
    return { ...(schema && { schema }), ...(prompt !== undefined && { prompt }) };
  }

  async #attempt(request: WantedJson): Promise<JsonResult> {
    const { worker } = this.#tools;
    const { url } = this.#page;
    if (!("html" in this.#page)) return nothingFound;
    const { html } = this.#page;
    return await this.#bounded(stop => worker.extractJson([html, url, request], stop));
  }

  /** Runs the work under the scrape's signal and a time limit of its own. */
  async #bounded<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController();
    const late = () => limit.abort(fail("extraction_failed", "Reading the page in this way takes too long."));
    const timer = setTimeout(late, readingMs);
    try {
      return await work(AbortSignal.any([this.#tools.signal, limit.signal]));
    } finally {
      clearTimeout(timer);
    }
  }
}

type JsonOf = Record<string, unknown>;

const mostNamed = 5;

function unfounded(paths: readonly string[]): string {
  return `The language model gave values that rest on no words of the page, and they were left out: ${named(paths)}.`;
}

function named(names: readonly string[] | "all"): string {
  if (names === "all") return "all values";
  return names.slice(0, mostNamed).join(", ") + (names.length > mostNamed ? " and others" : "");
}
