import OpenAI, { APIError } from "openai";
import type { Config } from "../../../mixins/config/config.ts";
import { fail } from "../../contracts/errors.ts";

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

/** A model behind an OpenAI-compatible endpoint. */
export function createLanguageModel(
  { baseUrl, model, apiKey }: NonNullable<Config["llm"]>,
  { timeoutMs, retries }: RetryOptions = { timeoutMs: 20_000, retries: 1 },
): LanguageModel {
  const client = new OpenAI({
    baseURL: baseUrl,
    // Local servers need no key, but the client requires one.
    apiKey: apiKey ?? "none",
    organization: null,
    project: null,
    webhookSecret: null,
    timeout: timeoutMs,
    maxRetries: retries,
    logLevel: "off",
  });
  return {
    complete: async (messages, { signal, json }) => {
      const body = { model, messages, ...(json && { response_format: { type: "json_object" as const } }) };
      const answer = await client.chat.completions.create(body, { signal }).catch(error => {
        throw signal.aborted ? signal.reason : refused(error);
      });
      const text = answer.choices?.[0]?.message?.content;
      if (!text) throw fail("upstream_error", "The language model gave no answer.");
      return text;
    },
  };
}

/** Does not keep the client's error as the cause: some servers quote the API key in their messages. */
function refused(error: unknown): Error {
  const status = error instanceof APIError ? (error.status ?? "no answer") : "a broken answer";
  const name = error instanceof Error ? error.constructor.name : "error";
  return fail("upstream_error", "The language model is not available.", {}, new Error(`${name}: ${status}`));
}
