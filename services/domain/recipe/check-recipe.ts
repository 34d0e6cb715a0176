import { parseHTML } from "linkedom";
import { type Fault, sources, valueFormats, valueTypes } from "./recipe.ts";

const maxFields = 200;
const maxDepth = 6;
const maxText = 512;
const texts = new Set<string>([...sources, "attribute"]);
const flags = new Set(["many", "nullable", "required"]);
const unsafeNames = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Whether a value is a recipe (`Recipe`): null when it is, else the first fault, its field below `path`.
 * At most 200 fields, 6 levels, 512 characters a text; selectors must parse.
 */
export function checkRecipe(value: unknown, path = "output.json.recipe"): Fault | null {
  if (!isObject(value)) return fault(path, "type", "A recipe is an object with version and fields.");
  for (const name of Object.keys(value))
    if (name !== "version" && name !== "fields") return unknownName(path, name);
  if (value.version !== 1) return fault(`${path}.version`, "version", "The version of a recipe is 1.");
  return checkFields(value.fields, `${path}.fields`, 1, { left: maxFields });
}

function checkFields(value: unknown, path: string, depth: number, budget: { left: number }): Fault | null {
  if (!isObject(value)) return fault(path, "type", "Fields are an object of names and where to find them.");
  if (depth > maxDepth) return fault(path, "depth", `A recipe has at most ${maxDepth} levels of fields.`);
  const entries = Object.entries(value);
  if (entries.length === 0) return fault(path, "empty", "Name at least one field.");
  for (const [name, field] of entries) {
    if (unsafeNames.has(name) || name.length > 128)
      return fault(path, "name", "A field has a name that is not accepted.");
    budget.left -= 1;
    if (budget.left < 0) return fault(path, "count", `A recipe has at most ${maxFields} fields.`);
    const found = checkField(field, `${path}.${name}`, depth, budget);
    if (found) return found;
  }
  return null;
}

function checkField(value: unknown, path: string, depth: number, budget: { left: number }): Fault | null {
  if (!isObject(value)) return fault(path, "type", "A field is an object, for example {selector: 'h1'}.");
  for (const [name, part] of Object.entries(value)) {
    const found = name === "fields" ? null : checkPart(name, part, path);
    if (found) return found;
  }
  return checkSources(value, path) ?? checkNested(value, path, depth, budget);
}

function checkPart(name: string, value: unknown, path: string): Fault | null {
  const at = `${path}.${name}`;
  if (texts.has(name)) return checkText(name, value, at);
  if (flags.has(name)) return value === true ? null : fault(at, "type", "Set it to true or leave it out.");
  if (name === "type") return oneOf(valueTypes, value, at);
  if (name === "format") return oneOf(valueFormats, value, at);
  if (name === "enum") return checkEnum(value, at);
  return unknownName(path, name);
}

function checkText(name: string, value: unknown, at: string): Fault | null {
  if (typeof value !== "string" || value.trim() === "")
    return fault(at, "type", "Give a text that is not empty.");
  if (value.length > maxText) return fault(at, "length", `At most ${maxText} characters are allowed.`);
  if ((name === "selector" || name === "list") && !parses(value))
    return fault(at, "selector", "This is not a CSS selector that can be used.");
  if (name === "attribute" && !/^[A-Za-z_][\w:.-]*$/.test(value))
    return fault(at, "attribute", "This is not the name of an attribute.");
  return null;
}

/** Compiles the selector on an empty page; a dangling combinator or comma gets through there and is refused here. */
function parses(selector: string): boolean {
  if (/[>+~,]\s*$|^\s*,|,\s*,/.test(selector)) return false;
  try {
    parseHTML("<html></html>").document.querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

function checkEnum(value: unknown, at: string): Fault | null {
  const fits =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 100 &&
    value.every(text => typeof text === "string" && text.length <= maxText);
  return fits ? null : fault(at, "type", "An enum is a list of 1 to 100 texts.");
}

function checkSources(field: Record<string, unknown>, path: string): Fault | null {
  const given = sources.filter(name => field[name] !== undefined);
  if (given.length > 1) return fault(path, "source", `Use one of ${given.join(", ")}, not several.`);
  if (given.length === 0 && field.fields === undefined)
    return fault(path, "source", `Say where the field is found: one of ${sources.join(", ")}.`);
  if (field.attribute !== undefined && !field.selector && !field.list)
    return fault(`${path}.attribute`, "source", "An attribute needs a selector or a list.");
  return null;
}

function checkNested(
  field: Record<string, unknown>,
  path: string,
  depth: number,
  budget: { left: number },
): Fault | null {
  if (field.fields === undefined) return null;
  if (field.meta !== undefined || field.column !== undefined)
    return fault(`${path}.fields`, "source", "A meta element or a column has no fields of its own.");
  return checkFields(field.fields, `${path}.fields`, depth + 1, budget);
}

function oneOf(values: readonly string[], value: unknown, at: string): Fault | null {
  return values.includes(String(value)) ? null : fault(at, "enum", `Use one of ${values.join(", ")}.`);
}

function unknownName(path: string, name: string): Fault {
  return fault(`${path}.${name.slice(0, 64)}`, "unknown", "A recipe has no such part.");
}

function fault(field: string, code: string, message: string): Fault {
  return { field, code, message };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
