import { type Extra, protocolOf } from "../../../../services/scraper/model/model-protocol.ts";

const messages = [
  { role: "system" as const, content: "Be short." },
  { role: "user" as const, content: "hello" },
];
const llm = (baseUrl: string) => ({ baseUrl, model: "m", apiKey: "k", maxTokens: 9000 });

test.each([
  ["http://localhost:8080/v1", "http://localhost:8080/v1/chat/completions", { authorization: "Bearer k" }],
  ["http://localhost:8080/v1/", "http://localhost:8080/v1/chat/completions", { authorization: "Bearer k" }],
  [
    "https://a.example/v1/chat/completions",
    "https://a.example/v1/chat/completions",
    { authorization: "Bearer k" },
  ],
  [
    "https://me.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
    "https://me.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
    { "api-key": "k" },
  ],
  [
    "https://me.openai.azure.com/openai/v1",
    "https://me.openai.azure.com/openai/v1/chat/completions",
    { "api-key": "k" },
  ],
  [
    "https://gateway.example/d?api-version=1",
    "https://gateway.example/d/chat/completions?api-version=1",
    { "api-key": "k" },
  ],
  [
    "https://me.openai.azure.us/openai/v1",
    "https://me.openai.azure.us/openai/v1/chat/completions",
    { "api-key": "k" },
  ],
  [
    "https://me.openai.azure.cn/openai/v1",
    "https://me.openai.azure.cn/openai/v1/chat/completions",
    { "api-key": "k" },
  ],
  [
    "https://me.services.ai.azure.com/anthropic",
    "https://me.services.ai.azure.com/anthropic/v1/messages",
    { "x-api-key": "k" },
  ],
  [
    "https://me.services.ai.azure.us/anthropic/v1/",
    "https://me.services.ai.azure.us/anthropic/v1/messages",
    { "x-api-key": "k" },
  ],
  [
    "https://azure.us.example/v1",
    "https://azure.us.example/v1/chat/completions",
    { authorization: "Bearer k" },
  ],
  ["https://api.anthropic.com", "https://api.anthropic.com/v1/messages", { "x-api-key": "k" }],
  ["https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages", { "x-api-key": "k" }],
  [
    "https://gateway.example/claude/v1/messages",
    "https://gateway.example/claude/v1/messages",
    { "x-api-key": "k" },
  ],
])("%s is asked at %s", (baseUrl, url, headers) => {
  const protocol = protocolOf(llm(baseUrl));
  expect(protocol.url).toBe(url);
  const { "anthropic-version": version, ...rest } = protocol.headers;
  expect(rest).toEqual(headers);
  expect(version).toBe("x-api-key" in headers ? "2023-06-01" : undefined);
});

test("Anthropic's API has the system's text apart, and always a limit", () => {
  const protocol = protocolOf(llm("https://api.anthropic.com"));
  const none = new Set<Extra>();
  const used = protocol.extrasFor({ json: true, schema: true }, none);
  expect(protocol.body(messages, used, undefined)).toEqual({
    ...{ model: "m", max_tokens: 9000, system: "Be short.", temperature: 0 },
    messages: [{ role: "user", content: "hello" }],
  });
  const fewer = protocol.extrasFor(
    { json: true, schema: true },
    new Set<Extra>(["max_tokens", "temperature"]),
  );
  expect(protocol.body(messages, fewer, undefined)).toMatchObject({ max_tokens: 4096 });
});

test("a form of JSON that is refused is followed by the other one, then by none", () => {
  const { extrasFor } = protocolOf(llm("http://localhost:1/v1"));
  const formAfter = (schema: boolean, ...refused: Extra[]) =>
    extrasFor({ json: true, schema }, new Set(refused)).find(extra => extra.startsWith("json"));
  expect([formAfter(true), formAfter(true, "json_schema")]).toEqual(["json_schema", "json_object"]);
  expect([formAfter(false), formAfter(false, "json_object")]).toEqual(["json_object", "json_schema"]);
  expect(formAfter(true, "json_schema", "json_object")).toBe(undefined);
});
