import { pathRules } from "./path-rules.ts";

/** What a site says of what its content may be used for. */
export interface UsageStatement {
  by: "robots.txt" | "tdmrep.json" | "header" | "page";
  /** The name of the line, the header, the property or the `meta` element. */
  name: string;
  value: string;
}

export type Use = "train_ai" | "ai_input" | "search" | "tdm";
type Meaning = Partial<Record<Use, "yes" | "no">>;

/** What the statements mean together; null where none speaks of a use. */
export interface ContentUsage extends Record<Use, "yes" | "no" | null> {
  statements: UsageStatement[];
}

const [mostStatements, mostCharacters] = [20, 500];

/** Undefined where nothing is said. Where statements differ, the one that refuses counts (draft-ietf-aipref-vocab, 5.1). */
export function contentUsage(all: readonly UsageStatement[]): ContentUsage | undefined {
  const said = all.filter(({ value }) => value !== "" && value.length <= mostCharacters);
  const statements = said.filter((one, at) => said.findIndex(other => isSame(one, other)) === at);
  statements.splice(mostStatements);
  if (statements.length === 0) return undefined;
  const meanings = statements.map(meaningOf);
  const together = (use: Use) => {
    const said = meanings.map(meaning => meaning[use]);
    return said.find(each => each === "no") ?? said.find(each => each !== undefined) ?? null;
  };
  const [train_ai, ai_input, search] = [together("train_ai"), together("ai_input"), together("search")];
  return { train_ai, ai_input, search, tdm: together("tdm"), statements };
}

function isSame(one: UsageStatement, other: UsageStatement): boolean {
  return one.by === other.by && one.name === other.name && one.value === other.value;
}

/** Whether a statement by itself refuses a use. */
export function refuses(statement: UsageStatement, use: Use): boolean {
  return meaningOf(statement)[use] === "no";
}

function meaningOf({ name, value }: UsageStatement): Meaning {
  switch (name.toLowerCase()) {
    case "content-signal":
      return signalled(value);
    case "content-usage":
      return preferred(value);
    case "tdm-reservation":
      return reserved(value.trim());
    case "robots":
    case "x-robots-tag":
      return /\bnoai\b/.test(value) ? { train_ai: "no" } : {};
    default:
      return {};
  }
}

/** Rights of text and data mining that are reserved; to train a model is such mining. */
function reserved(value: string): Meaning {
  if (value === "1") return { train_ai: "no", tdm: "no" };
  return value === "0" ? { tdm: "yes" } : {};
}

/** `ai-train=no, search=yes, ai-input=yes` (contentsignals.org). */
function signalled(value: string): Meaning {
  const meaning: Meaning = {};
  for (const part of value.split(",")) {
    const [, name = "", said] = /^\s*(ai-train|ai-input|search)\s*=\s*(yes|no)\s*$/i.exec(part) ?? [];
    const use = name.toLowerCase() === "ai-train" ? "train_ai" : name.toLowerCase().replace("-", "_");
    if (said) meaning[use as Use] = said.toLowerCase() as "yes" | "no";
  }
  return meaning;
}

const key = "[a-z*][a-z0-9_.*-]*";
const bare = `(?:[A-Za-z*][!#$%&'*+.^_\`|~\\w:/-]*|"(?:[^"\\\\]|\\\\["\\\\])*"|-?\\d{1,15}(?:\\.\\d{1,3})?|\\?[01]|:[A-Za-z0-9+/=]*:)`;
const member = new RegExp(`(${key})(?:=(${bare}))?(?:; *${key}(?:=${bare})?)*[ \\t]*(,[ \\t]*|$)`, "y");

/** `train-ai=n, search=y`: a dictionary, which says nothing where it is none (RFC 9651, 4.2.2; draft-ietf-aipref-vocab, 6.5). */
function preferred(value: string): Meaning {
  const text = value.trim();
  const said = new Map<string, string | undefined>();
  member.lastIndex = 0;
  for (let end = ","; end.startsWith(","); ) {
    const [, name = "", token, rest] = member.exec(text) ?? [];
    if (rest === undefined) return {};
    said.set(name, token);
    end = rest;
  }
  const tokens = { train_ai: said.get("train-ai"), search: said.get("search") };
  const meant = Object.entries(tokens).filter(([, token]) => token === "y" || token === "n");
  return Object.fromEntries(meant.map(([use, token]) => [use, token === "y" ? "yes" : "no"]));
}

/** A line of a robots.txt, for the paths that its rule fits. */
export interface UsageRule {
  path: string;
  statement: UsageStatement;
}

/** What the longest rules that fit a path say, as for `Allow` and `Disallow` (draft-ietf-aipref-attach, 3.1). */
export function usageByPath(rules: readonly UsageRule[]): (path: string) => UsageStatement[] {
  const compiled = rules.map(({ path, statement }) => {
    const fits = pathRules([
      { path: "/", isAllowed: false },
      { path, isAllowed: true },
    ]);
    return { length: path.length, fits, statement };
  });
  return path => {
    const fitting = compiled.filter(({ fits }) => fits(path));
    const longest = (name: string) =>
      Math.max(...fitting.filter(({ statement }) => statement.name === name).map(({ length }) => length));
    return fitting
      .filter(({ length, statement }) => length === longest(statement.name))
      .map(({ statement }) => statement);
  };
}
