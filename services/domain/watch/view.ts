/** What a watch wants to see of a page, and which changes count. Without any of it: the page, every change. */
export interface View {
  /** CSS selectors or XPath expressions: only what matches one of them. */
  select?: readonly string[];
  /** Without `select`: all of the page but what is beside its content (the default), or its main content alone. */
  content?: "page" | "main" | "full";
  /** The same: not what matches one of them. */
  remove?: readonly string[];
  /** Patterns (`checkPattern`): lines in which one is found do not count. */
  ignore?: readonly string[];
  when?: When;
  /** A line that the page has shown before is no news. */
  unique_lines?: boolean;
  /** The page as fields, in place of its text. */
  json?: FieldsWanted;
  /** The document as values, in place of its text. */
  extract?: Extract;
  /** The page as a list: a selector of its entries, or `auto` where they are found. Each new one is reported by itself. */
  items?: string | true;
}

/** Where the values of a JSON or XML document are: one of the two. */
export interface Extract {
  /** JSONPath (RFC 9535). */
  json_path?: readonly string[];
  /** XPath 1.0. */
  xpath?: readonly string[];
}

/** Whether fields or values are compared, exactly as they are, in place of a text. */
export function isExact({ json, extract }: View): boolean {
  return json !== undefined || extract !== undefined;
}

/** Which changes count; all conditions must hold. */
export interface When {
  /** At least one is found: in the text, with `added_only` or `removed_only` in the lines that count. */
  contains?: readonly string[];
  /** None is found, in the same place. */
  not_contains?: readonly string[];
  added_only?: boolean;
  removed_only?: boolean;
  value?: ValueWhen;
}

/** A number of the page; any of the three counts. */
export interface ValueWhen {
  /** Where it is; by default in the text of the view. */
  select?: string;
  /** It was not below this at the last check, and is now. */
  below?: number;
  /** It was not above this at the last check, and is now. */
  above?: number;
  /** It differs by at least this from the number that was reported last, or seen first. */
  changed_by_percent?: number;
}

export interface FieldsWanted {
  /** JSON Schema, as scrapes take it. */
  schema?: Record<string, unknown>;
  /** As a scrape's `json_recipe`. */
  recipe?: Record<string, unknown>;
}

/**
 * Whether what changes outside the main content is confirmed by a second check. What is pointed at is reported at once, and
 * a number that is watched decides by itself.
 */
export function isConfirmed(view: View): boolean {
  return (view.select ?? []).length === 0 && !isExact(view) && !view.items && view.when?.value === undefined;
}

/** Selectors as a sentence names them. */
export function quoted(selectors: readonly string[]): string {
  const shown = selectors.slice(0, 3).map(selector => `\`${selector.slice(0, 80)}\``);
  return shown.join(", ") + (selectors.length > 3 ? ` and ${selectors.length - 3} more` : "");
}
