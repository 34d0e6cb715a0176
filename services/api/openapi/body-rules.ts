type Json = Record<string, unknown>;

/** A field that is there, and not null. */
export function given(name: string): Json {
  return { required: [name], properties: { [name]: { not: { type: "null" } } } };
}

/** Exactly one of these fields. */
export function exactlyOne(...names: string[]): Json {
  return { oneOf: names.map(given) };
}

/** A list that is there, and not empty. */
export function givenList(name: string): Json {
  return { required: [name], properties: { [name]: { type: "array", minItems: 1 } } };
}

/** One of these fields or several. */
export function atLeastOne(...names: string[]): Json {
  return { anyOf: names.map(given) };
}

/** The `json` format needs to know what to extract. */
export const jsonNeedsOrder: Json = {
  if: {
    required: ["output"],
    properties: {
      output: {
        required: ["formats"],
        properties: { formats: { type: "array", contains: { const: "json" } } },
      },
    },
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    properties: {
      output: {
        required: ["json"],
        properties: { json: { type: "object", ...atLeastOne("prompt", "json_schema", "recipe") } },
      },
    },
  },
};

/** Only an asynchronous scrape has something to announce later. */
export const webhookNeedsAsync: Json = {
  if: given("webhook"),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ["mode"], properties: { mode: { const: "async" } } },
};
