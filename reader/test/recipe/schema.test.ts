import { checkSchema, validate } from "../../recipe/schema.ts";

const property = (schema: unknown) => ({ type: "object", properties: { a: schema } });

function nested(levels: number): unknown {
  return levels === 1 ? { type: "string" } : { type: "object", properties: { a: nested(levels - 1) } };
}

function wide(count: number): unknown {
  return { properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, true])) };
}

test.each([
  ["no type", { properties: { a: true } }],
  ["draft-07", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }],
  ["2020-12", { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" }],
  ["a local reference", { ...property({ $ref: "#/$defs/b" }), $defs: { b: { type: "number" } } }],
  [
    "a property called pattern",
    property({ type: "object", properties: { pattern: { type: "string" }, $ref: { type: "string" } } }),
  ],
  ["values are no schemas", property({ enum: [{ pattern: "(?=x)" }], default: { $ref: "http://x" } })],
  ["ten levels", nested(10)],
  ["100 properties", wide(100)],
  ["a linear pattern", property({ pattern: "^[a-z]+\\d{2}$" })],
])("%s: accepted", (_, schema) => {
  expect(checkSchema(schema)).toBeNull();
});

const at = "schema";
test.each([
  ["a list", [], at, "type"],
  ["an array at the root", { type: "array" }, `${at}.type`, "type"],
  ["draft-04", { $schema: "http://json-schema.org/draft-04/schema#" }, `${at}.$schema`, "dialect"],
  ["16 KB", { description: "x".repeat(16_400) }, at, "too_large"],
  ["eleven levels", nested(11), `${at}${".properties.a".repeat(10)}`, "too_deep"],
  ["101 properties", wide(101), `${at}.properties`, "too_many"],
  [
    "a remote reference",
    property({ $ref: "https://x.example/s.json" }),
    `${at}.properties.a.$ref`,
    "reference",
  ],
  ["a reference to nothing", property({ $ref: "#/$defs/none" }), `${at}.properties.a.$ref`, "reference"],
  [
    "a reference to what objects inherit",
    property({ $ref: "#/constructor" }),
    `${at}.properties.a.$ref`,
    "reference",
  ],
  ["an inner $id", property({ $id: "http://x/" }), `${at}.properties.a.$id`, "reference"],
  ["look-ahead", property({ pattern: "(?=a)b" }), `${at}.properties.a.pattern`, "invalid_pattern"],
  ["a long pattern", property({ pattern: "a".repeat(513) }), `${at}.properties.a.pattern`, "invalid_pattern"],
  [
    "a pattern among names",
    property({ patternProperties: { "(a)\\1": true } }),
    `${at}.properties.a.patternProperties`,
    "invalid_pattern",
  ],
  ["an unknown format", property({ format: "colour" }), `${at}.properties.a.format`, "format"],
  ["an unknown type", property({ type: "text" }), `${at}.properties.a.type`, "keyword"],
  ["no schema", property("string"), `${at}.properties.a`, "type"],
  ["a negative length", property({ minLength: -1 }), `${at}.properties.a.minLength`, "keyword"],
])("%s: refused", (_, schema, field, code) => {
  expect(checkSchema(schema)).toMatchObject({ field, code, message: expect.any(String) });
});

describe("validate", () => {
  const schema = { ...property({ type: "integer", minimum: 1 }), required: ["a"] };

  test.each([
    [{ a: 2 }, null],
    [{}, { field: "", code: "required" }],
    [{ a: 0 }, { field: "a", code: "minimum" }],
    [{ a: "2" }, { field: "a", code: "type" }],
  ])("%j", (value, fault) => {
    const found = validate(schema, value);
    if (fault) expect(found).toMatchObject(fault);
    else expect(found).toBeNull();
  });

  test("patterns run in linear time", () => {
    const hostile = property({ type: "string", pattern: "^(a+)+$" });
    expect(checkSchema(hostile)).toBeNull();
    expect(validate(hostile, { a: `${"a".repeat(5000)}!` })).toMatchObject({ code: "pattern" });
    expect(validate(hostile, { a: "a".repeat(5000) })).toBeNull();
  });

  test("formats are checked, in both dialects", () => {
    for (const $schema of [
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2020-12/schema",
    ])
      expect(validate({ $schema, ...property({ format: "date" }) }, { a: "12.3.24" })).toMatchObject({
        code: "format",
      });
  });

  test("a root $id does not lead references astray", () => {
    const withId = {
      $id: "https://x.example/s.json",
      ...property({ $ref: "#/$defs/b" }),
      $defs: { b: { type: "null" } },
    };
    expect(validate(withId, { a: null })).toBeNull();
    expect(validate(withId, { a: 1 })).toMatchObject({ code: "type" });
  });
});
