import { codeOf, fail } from "../../contracts/errors.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";
import type { Recipe } from "../../domain/recipe/recipe.ts";
import type { LanguageModel } from "../llm/language-model.ts";
import { writeRecipe } from "../llm/write-recipe.ts";
import type {
  condensePage,
  extractJson as extractInPage,
  Found,
  InPageRequest,
  InPageResult,
} from "./extract-in-page.ts";
import { recipeId } from "./recipe-id.ts";

/** Runs the functions of extract-in-page.ts in a thread that is ended when the signal fires; then its reason is thrown. */
export interface JsonWorker {
  extractJson(args: Parameters<typeof extractInPage>, signal: AbortSignal): Promise<InPageResult>;
  condensePage(args: Parameters<typeof condensePage>, signal: AbortSignal): Promise<string>;
}

/** Recipes that a model wrote, by site and request. */
export interface RecipeBook {
  get(id: string): Promise<Recipe | null>;
  put(id: string, recipe: Recipe): Promise<void>;
}

export interface JsonTools {
  worker: JsonWorker;
  recipes: RecipeBook;
  model?: LanguageModel;
  signal: AbortSignal;
}

export interface ExtractedJson {
  json: Record<string, unknown>;
  recipe: Record<string, unknown>;
}

type Attempt = (request: InPageRequest) => Promise<InPageResult>;

const condensedChars = 24_000;
/** One reading of a page; a schema or selector that takes longer is hostile or hopeless. */
const readingMs = 10_000;

/**
 * The JSON that a request wants of a page, and the recipe that gives it. `request` has passed `checkSchema` and
 * `checkRecipe`. A user's recipe is applied as it is; a model writes one per site and request; without a model, or when
 * it fails, the recipe is found by rules. Throws `extraction_failed` when nothing fits.
 */
export async function extractJson(
  page: { html: string; url: string },
  request: NonNullable<OutputOptions["json"]>,
  tools: JsonTools,
): Promise<ExtractedJson> {
  const { json_schema: schema, prompt } = request;
  const attempt: Attempt = given =>
    bounded(tools.signal, signal => tools.worker.extractJson([page.html, page.url, given], signal));
  const recipe = request.recipe as Recipe | undefined;
  const written =
    recipe || !tools.model
      ? null
      : await byModel(page, { schema, prompt }, attempt, { ...tools, model: tools.model });
  const result = written ?? (await attempt(recipe ? { schema, recipe } : { schema, prompt }));
  if (!result.ok) throw fail("extraction_failed", result.reason);
  return { json: result.json, recipe: { ...result.recipe } };
}

/** Null when the model cannot do it: a model that is down must not fail what rules can find. */
async function byModel(
  page: { html: string; url: string },
  wanted: { schema?: Record<string, unknown>; prompt?: string },
  attempt: Attempt,
  { worker, recipes, model, signal }: JsonTools & { model: LanguageModel },
): Promise<Found | null> {
  const id = recipeId(page.url, wanted);
  const kept = await recipes.get(id);
  const known = kept && (await attempt({ schema: wanted.schema, recipe: kept }));
  if (known?.ok) return known;
  try {
    const condensed = await bounded(signal, stop =>
      worker.condensePage([page.html, page.url, condensedChars], stop),
    );
    const tryOut = (recipe: Recipe) => attempt({ schema: wanted.schema, recipe });
    const found = await writeRecipe(model, condensed, wanted, signal, tryOut);
    await recipes.put(id, found.recipe);
    return found;
  } catch (error) {
    if (signal.aborted || codeOf(error) === undefined) throw error;
    return null;
  }
}

/** Gives work the scrape's signal and a limit of its own. */
async function bounded<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = () => limit.abort(fail("extraction_failed", "Reading the page in this way takes too long."));
  const timer = setTimeout(late, readingMs);
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}
