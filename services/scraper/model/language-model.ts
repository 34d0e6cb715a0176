import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { withTimeout } from "../../../mixins/async/timeout.ts";
import type { Config } from "../../../mixins/config/config.ts";
import { fail } from "../../contracts/errors.ts";
import { retryAfterMs } from "../../domain/url/retry-after.ts";

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/** A model that answers a conversation with a text. */
export interface LanguageModel {
  /**
   * With `json`, asks for a JSON object. Throws `upstream_error` when the model cannot be reached, refuses or answers
   * nothing, and the signal's reason when it fires.
   */
  complete(messages: Message[], options: { signal: AbortSignal; json?: boolean }): Promise<string>;
}

/** Time of one attempt, and how many may follow: well below a scrape's timeout, which leaves time for the fallback. */
interface RetryOptions {
  timeoutMs: number;
  retries: number;
}

/** The used part of an answer. */
interface Completion {
  choices?: { message?: { content?: string | null } }[];
}

const usualPauseMs = 500;
/** A server that asks for more is asked after the usual pause. */
const longestPauseMs = 60_000;

/** A model behind an OpenAI-compatible endpoint. Its address is the operator's, so the egress guard does not judge it. */
export function createLanguageModel(
  { baseUrl, model, apiKey }: NonNullable<Config["llm"]>,
  { timeoutMs, retries }: RetryOptions = { timeoutMs: 20_000, retries: 1 },
): LanguageModel {
  const url = `${baseUrl.replace(/\/$/, "")}/chat/completions`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey ?? "none"}` };
  return {
    complete: async (messages, { signal, json }) => {
      const wanted = { model, messages, ...(json && { response_format: { type: "json_object" } }) };
      const body = JSON.stringify(wanted);
      const ask = () =>
        withTimeout(timeoutMs, signal, within => post(url, { headers, body, signal: within }));
      for (let left = retries; ; left--) {
        const answer = await ask().catch((error: unknown) => {
          if (signal.aborted) throw signal.reason;
          return nameOf(error);
        });
        if (typeof answer === "object" && answer.ok) return textOf(answer.text);
        if (left <= 0 || !mayRetry(answer)) throw unavailable(answer);
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

async function post(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, { method: "POST", ...init });
  const { ok, status, headers } = answer;
  return { ok, status, headers, text: await answer.text() };
}

function textOf(body: string): string {
  let completion: Completion | null;
  try {
    completion = JSON.parse(body);
  } catch {
    throw unavailable("a broken answer");
  }
  const text = completion?.choices?.[0]?.message?.content;
  if (!text) throw fail("upstream_error", "The language model gave no answer.");
  return text;
}

function mayRetry(answer: Answer | string): boolean {
  return typeof answer === "string" || [408, 409, 429].includes(answer.status) || answer.status >= 500;
}

/** What the server asks for, in the two headers that such servers send. */
function pauseMs(answer: Answer | string): number {
  if (typeof answer === "string") return usualPauseMs;
  const { headers } = answer;
  const inMs = Number(headers.get("retry-after-ms") ?? Number.NaN);
  const asked = inMs > 0 ? inMs : (retryAfterMs(headers.get("retry-after"), Date.now()) ?? 0);
  return asked > 0 && asked <= longestPauseMs ? asked : usualPauseMs;
}

/** Why there is no answer. */
class NoAnswer extends Error {
  /** Nobody gets one: what was asked is not the reason. */
  readonly isForAll: boolean;

  constructor(answer: Answer | string) {
    super(typeof answer === "string" ? answer : `HTTP ${answer.status}`);
    this.isForAll =
      typeof answer === "string" ? !ownTimeouts.includes(answer) : statusesForAll.includes(answer.status);
  }
}

/** A question may be the reason why its answer takes long or cannot be read. */
const ownTimeouts = ["TimeoutError", "AbortError", "a broken answer"];
/** The key, the address or the server is wrong. */
const statusesForAll = [401, 403, 404, 429, 502, 503, 504];

/** Whether the model can be reached by nobody, as a failure of `complete` shows. */
export function isUnreachable(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return cause instanceof NoAnswer && cause.isForAll;
}

/** Keeps neither the error nor the answer as its cause: some servers quote the API key in their messages. */
function unavailable(answer: Answer | string): Error {
  return fail("upstream_error", "The language model is not available.", {}, new NoAnswer(answer));
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "no answer";
}
