type Json = Record<string, unknown>;

/** A rule of fastest-validator in its long form. */
interface Rule extends Json {
  type: string;
}

/**
 * The JSON Schema (2020-12) of a fastest-validator schema, for the rules that contracts use. A rule that it does not
 * know is an error at start, not a document that says less than the validator.
 */
export function toJsonSchema(params: Json): Json {
  const { $$strict, ...props } = params;
  return objectSchema(props, $$strict === true);
}

/** The schema of one rule. */
export function ruleSchema(rule: unknown): Json {
  const full = longForm(rule);
  const convert = converters[full.type];
  if (!convert) throw new Error(`OpenAPI: no JSON Schema is known for the rule type "${full.type}"`);
  const described = { ...convert(full), ...annotations(full) };
  return full.nullable === true ? nullable(described) : described;
}

/** Whether a caller may leave the field out. */
export function isOptional(rule: unknown): boolean {
  const full = longForm(rule);
  return full.optional === true || full.default !== undefined;
}

const converters: Record<string, (rule: Rule) => Json> = {
  string: rule => ({
    type: "string",
    ...defined({
      minLength: rule.length ?? rule.min,
      maxLength: rule.length ?? rule.max,
      pattern: patternOf(rule.pattern),
      enum: rule.enum,
    }),
  }),
  number: rule => ({
    type: rule.integer === true ? "integer" : "number",
    ...defined({ minimum: rule.min, maximum: rule.max }),
  }),
  boolean: () => ({ type: "boolean" }),
  enum: rule => ({ type: "string", enum: rule.values }),
  array: rule => ({
    type: "array",
    items: rule.items === undefined ? {} : ruleSchema(rule.items),
    ...defined({
      minItems: rule.length ?? rule.min,
      maxItems: rule.length ?? rule.max,
      uniqueItems: rule.unique === true ? true : undefined,
    }),
  }),
  object: rule => {
    const props = (rule.properties ?? rule.props) as Json | undefined;
    return props ? objectSchema(props, rule.strict === true) : { type: "object" };
  },
  record: rule => ({
    type: "object",
    additionalProperties: rule.value === undefined ? {} : ruleSchema(rule.value),
    ...defined({
      propertyNames: rule.key === undefined || rule.key === "string" ? undefined : ruleSchema(rule.key),
    }),
  }),
  multi: rule => ({ anyOf: (rule.rules as unknown[]).map(ruleSchema) }),
  any: () => ({}),
};

function objectSchema(props: Json, strict: boolean): Json {
  const fields = Object.entries(props).filter(([name]) => !name.startsWith("$$"));
  const required = fields.filter(([, rule]) => !isOptional(rule)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, rule]) => [name, ruleSchema(rule)])),
    ...(required.length ? { required } : {}),
    ...(strict ? { additionalProperties: false } : {}),
  };
}

/** `"string|min:1"` and `[rule, rule]` are short forms. */
function longForm(rule: unknown): Rule {
  if (Array.isArray(rule)) return { type: "multi", rules: rule };
  if (typeof rule !== "string") return rule as Rule;
  const [type = "any", ...options] = rule.split("|");
  const entries = options.map(option => {
    const [name = "", value] = option.split(":");
    return [name, value === undefined ? true : Number.isNaN(Number(value)) ? value : Number(value)];
  });
  return { ...Object.fromEntries(entries), type };
}

function annotations({ default: value, description }: Rule): Json {
  return defined({ default: typeof value === "function" ? undefined : value, description });
}

function nullable(schema: Json): Json {
  if (typeof schema.type === "string" && !schema.enum) return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

function patternOf(pattern: unknown): unknown {
  return pattern instanceof RegExp ? pattern.source : pattern;
}

function defined(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
