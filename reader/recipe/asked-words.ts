import { type Concept, conceptOf, concepts } from "./concepts.ts";
import { labelWords } from "./label-words.ts";
import { isObject } from "./recipe.ts";
import type { Schema } from "./schema.ts";
import { wordsOf } from "./text-of.ts";

const maxWords = 2000;
/** Keywords of a schema that describe what is wanted in words. */
const described = new Set(["title", "description", "const"]);

/**
 * The words by which the places of a page are found that a request asks about: those of its prompt, of the names and
 * descriptions of its schema, and what pages call such things.
 */
export function askedWords({ schema, prompt = "" }: { schema?: Schema; prompt?: string }): string[] {
  const words = [
    ...wordsOf(prompt),
    ...named(prompt.split(/[^\p{L}\p{N}_]+/u)),
    ...(schema ? ofSchema(schema) : []),
  ];
  return [...new Set(words)].slice(0, maxWords);
}

function ofSchema(schema: unknown, isNames = false): string[] {
  if (Array.isArray(schema)) return schema.flatMap(each => ofSchema(each));
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const own = isNames ? [...wordsOf(key), ...named([key])] : [];
    if (typeof value === "string") return !isNames && described.has(key) ? wordsOf(value) : own;
    if (key === "enum" && Array.isArray(value)) return value.flatMap(each => wordsOf(String(each)));
    return [...own, ...ofSchema(value, !isNames && (key === "properties" || key === "$defs"))];
  });
}

function named(names: string[]): string[] {
  return names.flatMap(name => {
    const concept = conceptOf(name);
    const known: Concept | undefined = concept && concepts[concept];
    return known ? [...known.words, ...((concept && labelWords[concept]) ?? [])] : [];
  });
}
