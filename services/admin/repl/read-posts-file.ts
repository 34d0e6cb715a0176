import { readFile } from "node:fs/promises";
import { isObject } from "../../domain/json/fields.ts";

/** A value of a file, and the line on which it begins. */
export interface Placed {
  value: unknown;
  line: number;
}

/**
 * The posts of a file: JSON values one after another, such as JSON Lines; a list of posts; or the body of
 * `POST /internal/dispatch`. Rejects with the line of what is not JSON.
 */
export async function readPostsFile(file: string): Promise<Placed[]> {
  const text = await readFile(file, "utf8").catch(cause => {
    throw new Error(`${file} cannot be read (${(cause as Error).message}).`, { cause });
  });
  const values = valuesIn(text.replace(/^\ufeff/, ""), file);
  const posts = values.flatMap(placed => postsOf(placed));
  if (posts.length === 0) throw new Error(`${file} holds no posts.`);
  return posts;
}

/** A body of a request holds posts; anything else is taken for one. */
function postsOf({ value, line }: Placed): Placed[] {
  if (!isObject(value) || !("post" in value || "posts" in value)) return [{ value, line }];
  const { post, posts = [] } = value;
  const all = Array.isArray(posts) ? posts : [posts];
  return [...(post === undefined ? [] : [post]), ...all].map(each => ({ value: each, line }));
}

/** The values of a text, those of a list one by one. */
function valuesIn(text: string, file: string): Placed[] {
  const lineAt = lineCounter(text);
  const parse = ([from, to]: Span): Placed => {
    const line = lineAt(from);
    try {
      return { value: JSON.parse(text.slice(from, to)), line };
    } catch (cause) {
      throw new Error(`${file} cannot be read as JSON, on line ${line} (${(cause as Error).message}).`, {
        cause,
      });
    }
  };
  const isList = /^\s*\[/.test(text);
  if (!isList) return spansIn(text, 0, text.length).map(parse);
  const from = text.indexOf("[");
  parse([from, text.length]);
  return spansIn(text, from + 1, text.lastIndexOf("]")).map(parse);
}

type Span = [from: number, to: number];

/** Where values begin and end. Commas and line ends between two values are no part of them. */
function spansIn(text: string, from: number, to: number): Span[] {
  const spans: Span[] = [];
  let open = 0;
  let isText = false;
  let start = -1;
  const end = (at: number) => {
    if (start >= 0) spans.push([start, at]);
    start = -1;
  };
  for (let at = from; at < to; at += 1) {
    const sign = text[at] as string;
    if (isText) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isText = false;
      continue;
    }
    const isBetween = open === 0 && (sign === "," || sign === "\n");
    if (isBetween) end(at);
    else if (start < 0 && sign.trim() !== "") start = at;
    if (sign === '"') isText = true;
    else if (sign === "{" || sign === "[") open += 1;
    else if (sign === "}" || sign === "]") open -= 1;
  }
  end(to);
  return spans;
}

/** Counts lines forward: places are asked for in their order. */
function lineCounter(text: string): (at: number) => number {
  let [line, counted] = [1, 0];
  return at => {
    for (; counted < at; counted += 1) if (text[counted] === "\n") line += 1;
    return line;
  };
}
