import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { withTimeout } from "../../../mixins/async/timeout.ts";
import type { Config } from "../../../mixins/config/config.ts";
import { retryAfterMs } from "../../domain/url/retry-after.ts";
import { readAnswer } from "./model-answer.ts";
import { failureOf, failureOfStatus, isFiltered, ModelFailure, modelError } from "./model-failure.ts";
import {
  type AnswerSchema,
  type Extra,
  extras,
  type Message,
  type ModelProtocol,
  protocolOf,
} from "./model-protocol.ts";

/** What is asked for. With `json` or a `schema` the answer is asked to be a JSON object; that is not checked. */
interface Question {
  signal: AbortSignal;
  json?: boolean;
  schema?: AnswerSchema;
}

/** A model that answers a conversation with a text. */
export interface LanguageModel {
  /**
   * Throws `upstream_error` with a `ModelFailure` as its cause when the model cannot be reached, refuses, or gives no whole
   * answer; and the signal's reason when it fires.
   */
  complete(messages: Message[], question: Question): Promise<string>;
}

/** Time of one attempt, and how many may follow: well below a scrape's timeout, which leaves time for the fallback. */
interface RetryOptions {
  timeoutMs: number;
  retries: number;
}

const usualPauseMs = 500;
/** A server may be replaced, or what it refused may have been of one question after all. */
const knownMs = 10 * 60_000;
/** A server that asks for more is asked after the usual pause. */
const longestPauseMs = 60_000;

/**
 * A model behind an endpoint that speaks the protocol of OpenAI, Azure or Anthropic. Its address is the operator's, so the
 * egress guard does not judge it. What the server refuses of a request's options is left out, and not sent again for some
 * minutes, unless the schema of the question may be the reason.
 */
export function createLanguageModel(
  llm: NonNullable<Config["llm"]>,
  { timeoutMs, retries }: RetryOptions = { timeoutMs: 20_000, retries: 1 },
): LanguageModel {
  const protocol = protocolOf(llm);
  const known = new Map<Extra, number>();
  return {
    complete: async (messages, { signal, json = false, schema }) => {
      const now = Date.now();
      const refused = new Set([...known].flatMap(([extra, until]) => (until > now ? [extra] : [])));
      const learned: Extra[] = [];
      const wanted = { json: json || schema !== undefined, schema: schema !== undefined };
      for (let left = retries; ; ) {
        const used = protocol.extrasFor(wanted, refused);
        const body = protocol.body(messages, used, schema);
        const answer = await asked(protocol, body, timeoutMs, signal);
        if ("text" in answer && answer.ok) {
          for (const extra of learned) known.set(extra, Date.now() + knownMs);
          return textOf(answer.text);
        }
        const refusal =
          "text" in answer && used.length > 0 ? refusalIn(answer, used, schema !== undefined) : undefined;
        if (refusal) {
          for (const extra of refusal.refused) refused.add(extra);
          learned.push(...refusal.lasting);
          continue;
        }
        if (left <= 0 || !mayRetry(answer)) throw modelError(failureFrom(answer));
        left -= 1;
        await sleepUntilAborted(pauseMs(answer), signal);
      }
    },
  };
}

/** An answer of the server. */
interface Answer {
  ok: boolean;
  status: number;
  headers: Headers;
  text: string;
}

type Outcome = Answer | { failure: "unreachable" | "late" };

async function asked(
  { url, headers }: ModelProtocol,
  body: object,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const init = { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
  try {
    return await withTimeout(timeoutMs, signal, within => post(url, { ...init, signal: within }));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const name = error instanceof Error ? error.name : "";
    return { failure: name === "TimeoutError" || name === "AbortError" ? "late" : "unreachable" };
  }
}

async function post(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, { method: "POST", ...init });
  const { ok, status, headers } = answer;
  return { ok, status, headers, text: await answer.text() };
}

function textOf(body: string): string {
  try {
    return readAnswer(body);
  } catch (error) {
    const failure = failureOf(error);
    throw failure ? modelError(failure) : error;
  }
}

/** Statuses that say that a request is not understood. */
const notUnderstood = [400, 415, 422, 501];
/** How servers name what they refuse. `response_format` is the field of both forms. */
const namings: [RegExp, readonly Extra[]][] = [
  [/max_completion_tokens/, ["max_tokens"]],
  [
    /max_tokens|maximum allowed number of output tokens|in the completion/,
    ["max_tokens", "max_completion_tokens"],
  ],
  [/temperature/, ["temperature"]],
  [/response_format|json_schema|json_object|grammar|structured output/i, ["json_schema", "json_object"]],
];

/** What a page may be the reason of: the next request may have the same options. */
const ofThisQuestion = /context|invalid schema/i;
const formats: readonly Extra[] = ["json_schema", "json_object"];
/** The server knows no such option, whatever is in it. */
const unknownOption =
  /(?:unrecognized|unknown|unsupported|unexpected|extra)\b.{0,30}\b(?:argument|parameter|input)/i;

/**
 * The options that a server has refused: those that it names, all where it gives no reason. `lasting`: those that it does not know; a format is
 * none where the schema of the question (`hasSchema`) may be what it does not take. Undefined where they were not the reason.
 */
function refusalIn(
  { status, text }: Answer,
  used: readonly Extra[],
  hasSchema: boolean,
): { refused: readonly Extra[]; lasting: readonly Extra[] } | undefined {
  if (!notUnderstood.includes(status) || isFiltered(errorIn(text))) return undefined;
  const [, named] =
    namings.find(([naming, each]) => naming.test(text) && each.some(one => used.includes(one))) ?? [];
  if (!named) return !hasReason(errorIn(text)) ? { refused: extras, lasting: [] } : undefined;
  const refused = named.filter(extra => used.includes(extra));
  if (ofThisQuestion.test(text)) return { refused, lasting: [] };
  const isOfServer = !hasSchema || (unknownOption.test(text) && !/\bschema\b/i.test(text));
  return { refused, lasting: refused.filter(extra => isOfServer || !formats.includes(extra)) };
}

/** The error that a server describes in JSON: an object, or a text. */
function errorIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    const { error, message, detail } = Object(body) as Record<string, unknown>;
    return error ?? (message === undefined ? detail : body);
  } catch {
    return undefined;
  }
}

const vague = /^(?:(?:bad|invalid) (?:request|input))?[.!]?$/i;

function hasReason(error: unknown): boolean {
  if (Array.isArray(error)) return error.length > 0;
  const { message } = Object(error) as { message?: unknown };
  const said = typeof error === "string" ? error : message;
  return typeof said === "string" && !vague.test(said.trim());
}

function mayRetry(answer: Outcome): boolean {
  return "failure" in answer || [408, 409, 429].includes(answer.status) || answer.status >= 500;
}

/** What the server asks for, in the two headers that such servers send. */
function pauseMs(answer: Outcome): number {
  if ("failure" in answer) return usualPauseMs;
  const { headers } = answer;
  const inMs = Number(headers.get("retry-after-ms") ?? Number.NaN);
  const given = inMs > 0 ? inMs : (retryAfterMs(headers.get("retry-after"), Date.now()) ?? 0);
  return given > 0 && given <= longestPauseMs ? given : usualPauseMs;
}

function failureFrom(answer: Outcome): ModelFailure {
  if ("failure" in answer) return new ModelFailure(answer.failure);
  return failureOfStatus(answer.status, errorIn(answer.text));
}

/** Whether the model can be reached by nobody, as a failure of `complete` shows. */
export function isUnreachable(error: unknown): boolean {
  return failureOf(error)?.isForAll === true;
}
