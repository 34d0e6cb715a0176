import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { asyncApiDocument } from "../../../services/api/openapi/asyncapi.ts";
import { typeName } from "../../../services/api/openapi/components.ts";
import { eventTypes } from "../../../services/contracts/events.ts";

type Json = Record<string, unknown>;

interface Message {
  payload: Json;
  examples: { payload: unknown }[];
}

const document = asyncApiDocument("https://magpie.example") as unknown as {
  servers: Record<string, Json>;
  channels: Record<string, { messages: Json }>;
  components: { messages: Record<string, Message> };
};
const require = createRequire(import.meta.url);

test("the document is AsyncAPI 3.0, by the schema of the specification", () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addMetaSchema(draft04());
  const validate = ajv.compile(require("@asyncapi/specs/schemas/3.0.0-without-$id.json"));
  expect([validate(document), validate.errors]).toEqual([true, null]);
  expect(validate({ ...document, channels: { webhook: { messages: 1 } } })).toBe(false);
});

/** The specification's schema names its version of JSON Schema, of which Ajv has another. */
function draft04(): Json {
  return { $id: "http://json-schema.org/draft-04/schema", type: ["object", "boolean"] };
}

test("every reference leads somewhere", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(
    ([, path]) => path ?? "",
  );
  const isThere = (path: string) =>
    path
      .split("/")
      .slice(1)
      .reduce<unknown>((at, name) => Object(at)[name], document) !== undefined;
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter(path => !isThere(path))).toEqual([]);
});

test("webhooks and server-sent events carry every type of event", () => {
  const names = eventTypes.map(typeName);
  for (const channel of ["webhook", "sse"])
    expect(Object.keys(document.channels[channel]?.messages ?? {})).toEqual(expect.arrayContaining(names));
});

test("each example is what its message says", () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "asyncapi");
  const wrong = Object.entries(document.components.messages).flatMap(([name, { examples }]) => {
    const validate = ajv.getSchema(`asyncapi#/components/messages/${name}/payload`);
    return examples.every(({ payload }) => validate?.(payload)) ? [] : [[name, validate?.errors]];
  });
  expect(wrong).toEqual([]);
});

test("the servers are those of the gateway", () => {
  expect(document.servers).toMatchObject({
    http: { host: "magpie.example", protocol: "https" },
    websocket: { host: "magpie.example", protocol: "wss" },
  });
  expect(asyncApiDocument("http://localhost:3000")).toMatchObject({
    servers: { websocket: { host: "localhost:3000", protocol: "ws" } },
  });
});
