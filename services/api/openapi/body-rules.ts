type Json = Record<string, unknown>;

/*
 * What no rule of a single field can say of a body, as keywords of JSON Schema. Generators of clients make a type of each
 * alternative of `anyOf` and `oneOf`, and pass `if` over: so conditions keep a body one type.
 */

/** A field that is there, and not null. */
export function given(name: string): Json {
  return { ...having({ [name]: { not: { type: "null" } } }), required: [name] };
}

/** A list that is there, and not empty. */
export function givenList(name: string): Json {
  return { ...having({ [name]: { type: "array", items: {}, minItems: 1 } }), required: [name] };
}

/** A rule: the body has exactly one of these two fields. */
export function exactlyOne(one: string, other: string): Json {
  return { ...when(given(one), { not: given(other) }), else: given(other) };
}

/** A rule: at least one of these rules holds. */
export function atLeastOne(...rules: Json[]): Json {
  const [first = {}, ...others] = rules;
  return others.length === 0 ? first : { if: { not: first }, ...then(atLeastOne(...others)) };
}

/** The `json` format needs to know what to extract. */
export const jsonNeedsOrder: Json = when(
  having(
    {
      output: {
        ...having({ formats: { type: "array", items: {}, contains: { const: "json" } } }),
        required: ["formats"],
      },
    },
    ["output"],
  ),
  having({
    output: {
      ...having({
        json: { type: "object", ...atLeastOne(given("prompt"), given("json_schema"), given("recipe")) },
      }),
      required: ["json"],
    },
  }),
);

/** Only an asynchronous scrape has something to announce later. */
export const webhookNeedsAsync: Json = {
  dependentSchemas: {
    webhook: when(given("webhook"), { ...having({ mode: { const: "async" } }), required: ["mode"] }),
  },
};

function when(condition: Json, consequence: Json): Json {
  return { if: condition, ...then(consequence) };
}

function then(consequence: Json): Json {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  return { then: consequence };
}

/** An object with such fields among others. Linters take a schema that names fields for a closed one. */
function having(properties: Json, required?: string[]): Json {
  return { ...(required ? { required } : {}), properties, additionalProperties: true };
}
