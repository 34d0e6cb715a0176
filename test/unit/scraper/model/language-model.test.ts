import { jest } from "@jest/globals";
import { createLanguageModel } from "../../../../services/scraper/model/language-model.ts";
import { failureOf } from "../../../../services/scraper/model/model-failure.ts";
import { type OpenAiServer, startOpenAiServer, type Turn } from "../../../fakes/openai-server.ts";

const hello = [{ role: "user" as const, content: "hello" }];
const { signal } = new AbortController();
const refusal = (message: string): Turn => ({ status: 400, body: { error: { message } } });

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => server.close());

const modelOf = () =>
  createLanguageModel({ baseUrl: server.baseUrl, model: "m" }, { timeoutMs: 10_000, retries: 0 });
const formats = () => server.requests.map(({ body }) => body.response_format?.type);

test.each([
  "The provided JSON schema contains features not supported by xgrammar",
  "response_format: unsupported parameter of the JSON schema: patternProperties",
  "json_schema is too deep",
])("a schema of one question is no lesson for the next: %s", async message => {
  const model = modelOf();
  server.script(refusal(message), refusal(message), { answer: "{}" }, { answer: "{}" }, { answer: "{}" });
  await model.complete(hello, { signal, schema: { type: "object", patternProperties: {} } });
  await model.complete(hello, { signal, schema: { type: "object" } });
  await model.complete(hello, { signal, json: true });
  expect(formats()).toEqual(["json_schema", "json_object", undefined, "json_schema", "json_object"]);
});

test("what a server does not know is sent again after some minutes", async () => {
  const model = modelOf();
  const unknown = refusal("Unrecognized request argument supplied: response_format");
  server.script(unknown, unknown, { answer: "{}" }, { answer: "{}" }, { answer: "{}" });
  await model.complete(hello, { signal, schema: { type: "object" } });
  await model.complete(hello, { signal, json: true });
  const now = Date.now();
  jest.spyOn(Date, "now").mockReturnValue(now + 11 * 60_000);
  await model.complete(hello, { signal, json: true });
  expect(formats()).toEqual(["json_schema", "json_object", undefined, undefined, "json_object"]);
});

const filtered = {
  message: "The response was filtered due to the prompt triggering the content management policy.",
  param: "prompt",
};

test.each<[string, object, string]>([
  ["a filter", { ...filtered, code: "content_filter" }, "refused"],
  [
    "a filter that an inner error names",
    { ...filtered, innererror: { code: "ResponsibleAIPolicyViolation" } },
    "refused",
  ],
  [
    "a filter that speaks of options",
    { ...filtered, message: "temperature", code: "content_filter" },
    "refused",
  ],
  ["a long page", { message: "prompt is too long: 210000 tokens > 200000 maximum" }, "status"],
])("what is refused for its content is not asked a second time: %s", async (_, error, reason) => {
  server.script({ status: 400, body: { error } }, { answer: "{}" });
  const thrown = await modelOf()
    .complete(hello, { signal, json: true })
    .catch(failure => failure);
  expect([failureOf(thrown)?.reason, server.requests.length]).toEqual([reason, 1]);
});

test("a limit that is too large beside a long page is left out", async () => {
  server.script(
    refusal(
      "This model's maximum context length is 9000 tokens. You requested 9500 (1308 in the messages, 8192 in the completion).",
    ),
    { answer: "hi" },
  );
  await expect(modelOf().complete(hello, { signal })).resolves.toBe("hi");
  expect(server.requests[1]?.body).not.toHaveProperty("max_tokens");
});
