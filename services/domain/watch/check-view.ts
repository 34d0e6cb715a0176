import { checkXPath, isXPath } from "../../../reader/page/xpath.ts";
import { checkCss } from "../../../reader/recipe/check-selector.ts";
import { checkRecipe } from "../../../reader/recipe/recipe.ts";
import { checkSchema } from "../../../reader/recipe/schema.ts";
import { checkJsonPath } from "../../../reader/structured/json-path.ts";
import { RequestBudget } from "../../../reader/text/request-budget.ts";
import type { DetailCode, FieldError } from "../errors/detail-codes.ts";
import { checkPattern } from "./patterns.ts";
import type { ValueWhen, View, When } from "./view.ts";

const maxSelector = 1000;

/** Why a selector cannot be used; null for one that can. CSS, or XPath 1.0 when it begins with `/`, `(/` or `xpath:`. */
export function checkSelector(selector: string, budget: RequestBudget): string | null {
  if (selector.trim() === "" || selector.length > maxSelector)
    return `A selector has 1 to ${maxSelector} characters.`;
  return isXPath(selector) ? checkXPath(selector, budget) : checkCss(selector, budget, quoted(selector));
}

/** The selector as a message shows it. */
function quoted(selector: string): string {
  return JSON.stringify(selector.length > 100 ? `${selector.slice(0, 100)}…` : selector);
}

/**
 * The first error in the parts of a view that a schema cannot express: null when there is none. The counts of lists and
 * the types of values are checked before. `path`: where the view is in the request; `budget`: what the request may cost.
 */
export function checkView(view: View, path = "options", budget = new RequestBudget()): FieldError | null {
  const selector = (text: string) => checkSelector(text, budget);
  const pattern = (text: string) => checkPattern(text, budget);
  return (
    checkEach(view.select, `${path}.select`, "invalid_selector", selector) ??
    checkEach(view.remove, `${path}.remove`, "invalid_selector", selector) ??
    checkEach(view.ignore, `${path}.ignore`, "invalid_pattern", pattern) ??
    checkWhen(view.when, `${path}.when`, budget) ??
    checkUnique(view, path) ??
    checkContent(view, path) ??
    checkJson(view, `${path}.json`, budget) ??
    checkExtract(view, `${path}.extract`, budget) ??
    checkItems(view, path, budget)
  );
}

/** Entries are judged one by one, as the items of a feed are. */
function checkItems({ items, ...view }: View, path: string, budget: RequestBudget): FieldError | null {
  if (items === undefined) return null;
  const message = items === true || items === "auto" ? null : checkSelector(items, budget);
  if (message !== null) return error(`${path}.items`, "invalid_selector", message);
  const { select: _, remove: __, ...ofItem } = view;
  return checkItemView(ofItem, path, budget);
}

/** Checks a view of the items of a feed, of which only the title and the text are known. */
export function checkItemView(view: View, path = "options", budget?: RequestBudget): FieldError | null {
  const parts = ["select", "remove", "content", "unique_lines", "json", "extract"] as const;
  const part = parts.find(name => view[name] !== undefined);
  if (part !== undefined) return error(`${path}.${part}`, "not_applicable", forPages);
  const { removed_only, value } = view.when ?? {};
  if (removed_only) return error(`${path}.when.removed_only`, "not_applicable", forPages);
  if (value?.select !== undefined) return error(`${path}.when.value.select`, "not_applicable", forPages);
  if (value?.changed_by_percent !== undefined)
    return error(`${path}.when.value.changed_by_percent`, "not_applicable", forPages);
  return checkView(view, path, budget);
}

const forPages = "This option is for pages, not for the items of a feed or of a search.";

function checkEach(
  values: readonly string[] | undefined,
  path: string,
  code: DetailCode,
  check: (value: string) => string | null,
): FieldError | null {
  for (const [index, value] of (values ?? []).entries()) {
    const message = check(value);
    if (message !== null) return error(`${path}.${index}`, code, message);
  }
  return null;
}

function checkWhen(when: When | undefined, path: string, budget: RequestBudget): FieldError | null {
  if (when === undefined) return null;
  const check = (pattern: string) => checkPattern(pattern, budget);
  if (when.added_only && when.removed_only)
    return error(`${path}.removed_only`, "contradiction", "Set added_only or removed_only, not both.");
  return (
    checkEach(when.contains, `${path}.contains`, "invalid_pattern", check) ??
    checkEach(when.not_contains, `${path}.not_contains`, "invalid_pattern", check) ??
    checkValue(when.value, `${path}.value`, budget)
  );
}

function checkValue(value: ValueWhen | undefined, path: string, budget: RequestBudget): FieldError | null {
  if (value === undefined) return null;
  const { select, below, above, changed_by_percent: percent } = value;
  if (below === undefined && above === undefined && percent === undefined)
    return error(path, "required", "Say when the value counts: below, above or changed_by_percent.");
  if (percent !== undefined && !(percent > 0))
    return error(`${path}.changed_by_percent`, "range", "The percentage is above 0.");
  const message = select === undefined ? null : checkSelector(select, budget);
  return message === null ? null : error(`${path}.select`, "invalid_selector", message);
}

function checkUnique({ unique_lines, when, json }: View, path: string): FieldError | null {
  if (!unique_lines) return null;
  if (when?.removed_only)
    return error(
      `${path}.unique_lines`,
      "contradiction",
      "Removed lines are never new: leave out removed_only.",
    );
  if (json === undefined) return null;
  return error(
    `${path}.unique_lines`,
    "contradiction",
    "Fields have no lines: leave out unique_lines or json.",
  );
}

/** What was selected counts wherever it is, and fields are found on the whole page. */
function checkContent({ content, select = [], json }: View, path: string): FieldError | null {
  if (content !== "main" || (select.length === 0 && json === undefined)) return null;
  const other = json === undefined ? "select" : "json";
  return error(
    `${path}.content`,
    "contradiction",
    `With \`${other}\` nothing else counts: leave out content.`,
  );
}

function checkJson({ json, select }: View, path: string, budget: RequestBudget): FieldError | null {
  if (json === undefined) return null;
  if (select !== undefined && select.length > 0)
    return error(`${path}`, "contradiction", "Fields are found on the whole page: leave out select or json.");
  const { schema, recipe } = json;
  if (schema === undefined && recipe === undefined)
    return error(path, "required", "Give a schema, a recipe, or both.");
  return (
    (schema === undefined ? null : checkSchema(schema, `${path}.schema`, budget)) ??
    (recipe === undefined ? null : checkRecipe(recipe, `${path}.recipe`, budget))
  );
}

/** Values are read from the document as it was sent, so nothing else chooses or counts lines. */
function checkExtract(view: View, path: string, budget: RequestBudget): FieldError | null {
  const { extract, when } = view;
  if (extract === undefined) return null;
  const other = (["select", "remove", "content", "json", "unique_lines"] as const).find(name => view[name]);
  if (other !== undefined)
    return error(
      path,
      "contradiction",
      `Values are compared in place of a text: leave out extract or ${other}.`,
    );
  if (when?.value?.select !== undefined)
    return error(
      path,
      "contradiction",
      "The number is the first that `extract` finds: leave out when.value.select.",
    );
  const { json_path = [], xpath = [] } = extract;
  if (json_path.length > 0 === xpath.length > 0)
    return error(path, "exactly_one", "Give `json_path` for JSON or `xpath` for XML.");
  const xpathError = (text: string) => checkXPath(text, budget);
  return (
    checkEach(json_path, `${path}.json_path`, "invalid_selector", text => checkJsonPath(text, budget)) ??
    checkEach(xpath, `${path}.xpath`, "invalid_selector", xpathError)
  );
}

function error(field: string, code: DetailCode, message: string): FieldError {
  return { field: field.replace(/^\./, ""), code, message };
}
