import type { Config } from "../../../mixins/config/config.ts";

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

/** A JSON Schema that the answer is asked to fit. */
export type AnswerSchema = Record<string, unknown>;

/** What is asked for beside the conversation. A server may refuse each of them. */
export const extras = [
  "json_schema",
  "json_object",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
] as const;
export type Extra = (typeof extras)[number];

/** How a kind of server is asked. Its address is the operator's. */
export interface ModelProtocol {
  url: string;
  headers: Record<string, string>;
  /** Which of these a conversation is asked with, when the server has refused some of them. */
  extrasFor(wanted: { json: boolean; schema: boolean }, refused: ReadonlySet<Extra>): Extra[];
  body(messages: readonly Message[], used: readonly Extra[], schema: AnswerSchema | undefined): object;
}

type Llm = NonNullable<Config["llm"]>;

const defaultMaxTokens = 8192;

/** Hosts of Azure, of which some countries have their own. */
const azure = /\.azure\.(?:com|us|cn)$/;

/**
 * The protocol of an address: Anthropic's for its host, for paths that end with `/messages` and for those of Azure that
 * begin with `/anthropic`, else OpenAI's chat completions. The query of the address stays (`?api-version=` of Azure).
 */
export function protocolOf(llm: Llm): ModelProtocol {
  const url = new URL(llm.baseUrl);
  const isAnthropic =
    /(^|\.)anthropic\.com$/.test(url.hostname) ||
    /\/messages\/?$/.test(url.pathname) ||
    (azure.test(url.hostname) && /^\/anthropic(\/|$)/.test(url.pathname));
  return isAnthropic ? anthropic(llm, url) : openAi(llm, url);
}

function openAi({ model, apiKey, maxTokens = defaultMaxTokens }: Llm, base: URL): ModelProtocol {
  const isAzure = azure.test(base.hostname) || base.searchParams.has("api-version");
  return {
    url: below(base, "/chat/completions"),
    headers: isAzure && apiKey ? { "api-key": apiKey } : { authorization: `Bearer ${apiKey ?? "none"}` },
    extrasFor: ({ json, schema }, refused) => {
      const isTaken = (extra: Extra) => !refused.has(extra);
      // A server that knows no form of JSON without a schema may know one with a schema.
      const forms: Extra[] = schema ? ["json_schema", "json_object"] : ["json_object", "json_schema"];
      const form = json ? forms.find(isTaken) : undefined;
      const limit = (["max_tokens", "max_completion_tokens"] as const).find(isTaken);
      return [form, limit, "temperature" as const].filter(
        extra => extra !== undefined && isTaken(extra),
      ) as Extra[];
    },
    body: (messages, used, schema) => ({
      ...{ model, messages },
      ...(used.includes("json_object") && { response_format: { type: "json_object" } }),
      ...(used.includes("json_schema") && { response_format: formOf(schema) }),
      ...(used.includes("max_tokens") && { max_tokens: maxTokens }),
      ...(used.includes("max_completion_tokens") && { max_completion_tokens: maxTokens }),
      ...(used.includes("temperature") && { temperature: 0 }),
    }),
  };
}

function formOf(schema: AnswerSchema = { type: "object" }): object {
  return { type: "json_schema", json_schema: { name: "answer", strict: false, schema } };
}

/** What every model of Anthropic gives: its API takes no request without a limit. */
const leastTokens = 4096;

function anthropic({ model, apiKey, maxTokens = defaultMaxTokens }: Llm, base: URL): ModelProtocol {
  const path = /\/messages\/?$/.test(base.pathname)
    ? ""
    : /\/v1\/?$/.test(base.pathname)
      ? "/messages"
      : "/v1/messages";
  return {
    url: below(base, path),
    headers: { "anthropic-version": "2023-06-01", ...(apiKey && { "x-api-key": apiKey }) },
    extrasFor: (_, refused) => (["max_tokens", "temperature"] as const).filter(extra => !refused.has(extra)),
    body: (messages, used) => ({
      model,
      max_tokens: used.includes("max_tokens") ? maxTokens : Math.min(maxTokens, leastTokens),
      system: messages
        .filter(({ role }) => role === "system")
        .map(({ content }) => content)
        .join("\n\n"),
      messages: messages.filter(({ role }) => role !== "system"),
      ...(used.includes("temperature") && { temperature: 0 }),
    }),
  };
}

function below(base: URL, path: string): string {
  const url = new URL(base);
  const folder = url.pathname.replace(/\/+$/, "");
  url.pathname = folder.endsWith(path) ? folder : folder + path;
  return url.href;
}
