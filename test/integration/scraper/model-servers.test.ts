import { inspect } from "node:util";
import { createLanguageModel } from "../../../services/scraper/model/language-model.ts";
import { failureOf } from "../../../services/scraper/model/model-failure.ts";
import { type OpenAiServer, startOpenAiServer, type Turn } from "../../fakes/openai-server.ts";

/** What servers refuse, and how they say so. */
const apiKey = "sk-test-0123456789abcdef";
const hello = [{ role: "user" as const, content: "hello" }];
const { signal } = new AbortController();
const refusal = (message: string, status = 400): Turn => ({ status, body: { error: { message } } });

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const modelOf = (more: { maxTokens?: number; baseUrl?: string } = {}) =>
  createLanguageModel(
    { baseUrl: server.baseUrl, model: "m", apiKey, ...more },
    { timeoutMs: 10_000, retries: 0 },
  );
const sent = () => server.requests.map(({ body: { model: _, messages: __, ...options } }) => options);

test("a server that knows JSON only by a schema gets one, and from then on at once", async () => {
  const model = modelOf();
  server.script(
    refusal("'response_format.type' must be 'json_schema' or 'text'"),
    { answer: "{}" },
    { answer: "{}" },
  );
  await model.complete(hello, { signal, json: true });
  await model.complete(hello, { signal, json: true });
  expect(sent().map(({ response_format }) => response_format?.type)).toEqual([
    "json_object",
    "json_schema",
    "json_schema",
  ]);
});

test("a server that knows no form of JSON is asked in words", async () => {
  const model = modelOf();
  const text = "Unrecognized request argument supplied: response_format";
  server.script(refusal(text), refusal(text, 422), { answer: "{}" }, { answer: "{}" });
  await model.complete(hello, { signal, schema: { type: "object" } });
  await model.complete(hello, { signal, json: true });
  expect(sent().map(({ response_format }) => response_format?.type)).toEqual([
    "json_schema",
    "json_object",
    undefined,
    undefined,
  ]);
});

test("a schema that a server does not take is no reason to send it none again", async () => {
  const model = modelOf();
  server.script(refusal("Invalid schema for response_format 'answer'"), { answer: "{}" }, { answer: "{}" });
  await model.complete(hello, { signal, schema: { type: "object" } });
  await model.complete(hello, { signal, schema: { type: "object" } });
  expect(sent().map(({ response_format }) => response_format?.type)).toEqual([
    "json_schema",
    "json_object",
    "json_schema",
  ]);
});

test("a model that reasons gets its limit by the other name, and no temperature", async () => {
  const model = modelOf({ maxTokens: 5000 });
  server.script(
    refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    refusal("Unsupported value: 'temperature' does not support 0 with this model."),
    { answer: "hi" },
    { answer: "hi" },
  );
  await model.complete(hello, { signal });
  await model.complete(hello, { signal });
  expect(sent()).toEqual([
    { max_tokens: 5000, temperature: 0 },
    { max_completion_tokens: 5000, temperature: 0 },
    { max_completion_tokens: 5000 },
    { max_completion_tokens: 5000 },
  ]);
});

test("a request that is refused without a reason is sent once more without options", async () => {
  server.script(refusal("Bad Request"), { answer: "hi" });
  await modelOf().complete(hello, { signal, json: true });
  expect(sent().at(-1)).toEqual({});
});

test("what a long page is the reason of is no lesson about the server", async () => {
  const model = modelOf();
  server.script(
    refusal("'max_tokens' is too large: 8192. This model's maximum context length is 9000 tokens"),
    { answer: "hi" },
    { answer: "hi" },
  );
  await model.complete(hello, { signal });
  await model.complete(hello, { signal });
  expect(sent().map(({ max_tokens }) => max_tokens)).toEqual([8192, undefined, 8192]);
});

test("Azure gets its key in its header, and keeps its version", async () => {
  server.script({ answer: "hi" });
  await modelOf({ baseUrl: `${server.baseUrl}?api-version=2024-10-21` }).complete(hello, { signal });
  expect(server.requests[0]).toMatchObject({
    path: "/v1/chat/completions?api-version=2024-10-21",
    authorization: undefined,
    keys: { "api-key": apiKey },
  });
});

test("Anthropic is asked in its form", async () => {
  const content = [{ type: "text", text: "hi" }];
  server.script({ raw: JSON.stringify({ type: "message", content, stop_reason: "end_turn" }) });
  const model = modelOf({ baseUrl: `${server.baseUrl}/messages` });
  const messages = [{ role: "system" as const, content: "Be short." }, ...hello];
  await expect(model.complete(messages, { signal })).resolves.toBe("hi");
  expect(server.requests[0]).toMatchObject({
    path: "/v1/messages",
    keys: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
    body: { system: "Be short.", messages: hello, max_tokens: 8192 },
  });
});

test.each<[string, Turn, string, RegExp]>([
  [
    "a wrong key",
    refusal(`Incorrect API key provided: ${apiKey}`, 401),
    "key",
    /refused the key \(HTTP 401\)/,
  ],
  ["a wrong address or model", refusal("model not found", 404), "address", /HTTP 404/],
  ["a used quota", refusal("quota", 429), "limit", /HTTP 429/],
  ["an error of the server", refusal("oops", 500), "status", /HTTP 500/],
  ["HTML from a gateway", { raw: "<html>Sign in</html>" }, "broken", /sent no answer/],
  ["a cut answer", { answer: '{"a":', finish: "length" }, "cut", /limit of tokens/],
  ["a refusal", { answer: "", message: { content: null, refusal: "No." } }, "refused", /refused to answer/],
])("%s is named", async (_, turn, reason, words) => {
  server.answerBy(() => turn);
  const error = await modelOf()
    .complete(hello, { signal })
    .catch(thrown => thrown);
  expect(failureOf(error)?.reason).toBe(reason);
  expect(String(error)).toMatch(words);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(apiKey);
});
