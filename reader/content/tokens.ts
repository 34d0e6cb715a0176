import type { ElementNode } from "../html/tree.ts";

/**
 * What the model has learned of single tokens: classes, ids, roles and tags of elements, words of short and of long
 * texts, words of addresses. A value is the share of content under the token, in log odds against the average.
 */
export type TokenOdds = ReadonlyMap<string, number>;

/** How many names of an element are read, and how many characters of them. */
export const mostNames = 12;
export const mostNameChars = 400;
/** Longer names are made by machines. */
export const mostNameLength = 60;

/** The tokens of an element: its tag, its role, whole classes and ids, and their parts. */
export function elementTokens({ name, attributes }: ElementNode): string[] {
  const names = `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`;
  return [`<${name}`, ...propertyTokens(attributes), ...nameTokens(names)];
}

/** The role of an element and what it is the property of. */
export function propertyTokens(attributes: ReadonlyMap<string, string>): string[] {
  const tokens: string[] = [];
  const role = firstWord(attributes.get("role"));
  if (role !== "") tokens.push(`=${role}`);
  const itemprop = firstWord(attributes.get("itemprop"));
  if (itemprop !== "") tokens.push(`@${itemprop}`);
  return tokens;
}

/** Classes and ids, each whole and in parts. */
export function nameTokens(text: string): string[] {
  const names = text.trim();
  const tokens: string[] = [];
  if (names === "") return tokens;
  for (const name of names.slice(0, mostNameChars).split(/\s+/, mostNames)) {
    if (name.length > mostNameLength) continue;
    const whole = /[A-Z]/.test(name)
      ? name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()
      : name.toLowerCase();
    tokens.push(`.${whole}`);
    const parts = whole.split(isAscii(whole) ? /[^a-z]+/ : /[^\p{L}]+/u);
    if (parts.length > 1) for (const part of parts) if (part.length > 1) tokens.push(`~${part}`);
  }
  return tokens;
}

/** With it, letters are distinguished from the rest in half the time. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

function firstWord(text = ""): string {
  return text === "" ? "" : (/[^\s]{1,30}/.exec(text)?.[0].toLowerCase() ?? "");
}

/** How much of a text is read. */
export const mostChars = 400;
export const maxLongWords = 30;
export const maxShort = 10;

/** The tokens of a text: its words, distinguished by whether the text is short, and how a short one begins. */
export function textTokens(text: string): string[] {
  const words =
    text
      .slice(0, mostChars)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length <= maxShort) {
    const tokens = words.map(word => `s:${word}`);
    if (words[0] !== undefined) tokens.push(`^${words[0]} ${words[1] ?? ""}`);
    return tokens;
  }
  return words.slice(0, maxLongWords).map(word => `l:${word}`);
}

/** The tokens of a page's address. */
export function addressTokens(url: string): string[] {
  const path = url
    .slice(0, 300)
    .replace(/^[a-z]+:\/\//i, "")
    .toLowerCase();
  return (path.match(/[a-z]{2,20}/g) ?? []).map(word => `u:${word}`);
}

export interface Spread {
  mean: number;
  min: number;
  max: number;
}

/** The mean and the bounds of what is known of some tokens; 0 where nothing is. */
export function spread(tokens: string[], odds: TokenOdds): Spread {
  let [sum, count, min, max] = [0, 0, 0, 0];
  for (const token of tokens) {
    const value = odds.get(token);
    if (value === undefined) continue;
    sum += value;
    count++;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { mean: count === 0 ? 0 : sum / count, min, max };
}
