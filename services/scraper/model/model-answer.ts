import { ModelFailure } from "./model-failure.ts";

/** A part of an answer, in OpenAI's form or in Anthropic's. */
interface Part {
  type?: string;
  text?: unknown;
}

type Content = string | Part[] | null | undefined;

interface Said {
  content?: Content;
  refusal?: string | null;
}

/** The used parts of an answer, or of one event of a stream. */
interface Completion {
  error?: unknown;
  choices?: { message?: Said; delta?: Said; finish_reason?: string | null }[];
  content?: Content;
  stop_reason?: string | null;
  /** Events of Anthropic's streams. */
  delta?: { text?: unknown; stop_reason?: string | null };
}

/**
 * The text of a server's answer, without what the model thought before it. Takes OpenAI's and Anthropic's forms, contents
 * in parts, and a stream of events that nobody asked for. Throws a `ModelFailure`.
 */
export function readAnswer(body: string): string {
  const all = completionsIn(body);
  const text = all.map(textIn).join("");
  const ends = all.map(
    ({ choices, stop_reason, delta }) => choices?.[0]?.finish_reason ?? stop_reason ?? delta?.stop_reason,
  );
  const refused = all.some(({ choices }) => choices?.[0]?.message?.refusal || choices?.[0]?.delta?.refusal);
  if (refused || ends.some(end => end === "content_filter" || end === "refusal"))
    throw new ModelFailure("refused");
  if (ends.some(end => end === "length" || end === "max_tokens")) throw new ModelFailure("cut");
  const answer = withoutThoughts(text);
  if (answer.trim() === "") throw new ModelFailure("empty");
  return answer;
}

function completionsIn(body: string): Completion[] {
  const isStream = /^\s*(?:event|data|id|retry)?:/.test(body);
  const all = isStream ? eventsIn(body) : [parsed(body)];
  const known = all.filter(each => each !== undefined && isCompletion(each)) as Completion[];
  if (known.length === 0 || all.some(each => each?.error)) throw new ModelFailure("broken");
  return known;
}

/** Server-sent events (WHATWG HTML, 9.2): the data of each is JSON, or `[DONE]`. */
function eventsIn(body: string): (Completion | undefined)[] {
  return body.split(/\r?\n\r?\n/).flatMap(event => {
    const data = event
      .split(/\r?\n/)
      .flatMap(line => /^data: ?(.*)$/s.exec(line)?.[1] ?? [])
      .join("\n");
    return data === "" || data === "[DONE]" ? [] : [parsed(data)];
  });
}

function parsed(text: string): Completion | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Completion) : undefined;
  } catch {
    // HTML of a gateway, for example.
    return undefined;
  }
}

function isCompletion({ choices, content, delta }: Completion): boolean {
  return Array.isArray(choices) || Array.isArray(content) || typeof delta === "object";
}

function textIn({ choices, content, delta }: Completion): string {
  const said = choices?.[0]?.message ?? choices?.[0]?.delta;
  if (said) return contentText(said.content);
  return typeof delta?.text === "string" ? delta.text : contentText(content);
}

function contentText(content: Content): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  // Parts of other types are what the model thought.
  return content
    .map(({ type = "text", text }) => (/text$/.test(type) && typeof text === "string" ? text : ""))
    .join("");
}

const opened = /^\s*<(think(?:ing)?|reasoning)>/i;
const closed = /<\/(?:think(?:ing)?|reasoning)>/gi;

/** Models that reason may say first what they think; some servers leave out its opening tag. */
function withoutThoughts(text: string): string {
  const isOpened = opened.test(text);
  if (!isOpened && /^\s*[{[`]/.test(text)) return text;
  const ends = [...text.matchAll(closed)];
  const end = isOpened ? ends[0] : ends.at(-1);
  if (end) return text.slice(end.index + end[0].length);
  if (isOpened) throw new ModelFailure("cut");
  return text;
}

const mostStarts = 50;

/** The first JSON object in an answer: models put it in a code fence, or write sentences around it. Undefined without one. */
export function objectIn(answer: string): Record<string, unknown> | undefined {
  let at = -1;
  for (let tries = 0; tries < mostStarts; tries += 1) {
    at = answer.indexOf("{", at + 1);
    if (at === -1) return undefined;
    const value = parsed(answer.slice(at, endOfObject(answer, at)));
    if (value !== undefined) return value as Record<string, unknown>;
  }
  return undefined;
}

/** Where the brackets that open at a place are closed, outside of strings. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === '"') isInString = true;
    else if (sign === "{") depth += 1;
    else if (sign === "}" && --depth === 0) return at + 1;
  }
  return text.length;
}
