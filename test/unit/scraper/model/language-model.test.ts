import { jest } from "@jest/globals";
import { createLanguageModel } from "../../../../services/scraper/model/language-model.ts";
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
