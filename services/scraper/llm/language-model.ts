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
   * With `json` the answer is asked for as a JSON object. Throws `upstream_error` when the model cannot be reached,
   * refuses or answers nothing, and the signal's reason when it fires.
   */
  complete(messages: Message[], options: { signal: AbortSignal; json?: boolean }): Promise<string>;
}

/** One attempt and the number of further ones: well inside a scrape's own deadline, so that a fallback has time left. */
interface Patience {
  timeoutMs: number;
  retries: number;
}

/** A model behind an OpenAI-compatible endpoint. */
export function createLanguageModel(
  { baseUrl, model, apiKey }: NonNullable<Config["llm"]>,
  { timeoutMs, retries }: Patience = { timeoutMs: 20_000, retries: 1 },
): LanguageModel {
  const client = new OpenAI({
    baseURL: baseUrl,
    // Local servers take no key, but the client insists on one.
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

/** The client's error is not kept as the cause: some servers quote the API key in their messages. */
function refused(error: unknown): Error {
  const status = error instanceof APIError ? (error.status ?? "no answer") : "a broken answer";
  const name = error instanceof Error ? error.constructor.name : "error";
  return fail("upstream_error", "The language model is not available.", {}, new Error(`${name}: ${status}`));
}
