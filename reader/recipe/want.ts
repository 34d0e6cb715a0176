import { type Concept, type ConceptName, conceptOf, concepts } from "./concepts.ts";
import { labelWords } from "./label-words.ts";
import type { Field, ValueFormat, ValueType } from "./recipe.ts";
import { partChecker, resolvePointer, type Schema } from "./schema.ts";
import { synonymsOf } from "./synonyms.ts";
import { squeeze, wordsOf } from "./text-of.ts";
import { type UnitName, unitOf } from "./units.ts";

/** A property that is looked for: what it may be called and what it may be. */
export interface Want {
  name: string;
  /** Squeezed names and labels, best first. */
  words: string[];
  concept?: ConceptName;
  /** Other words that pages use for it: labels and heads of columns. */
  synonyms: string[];
  /** The unit that its name ends with. */
  unit?: UnitName;
  /** The other properties of the same object. */
  peers?: Want[];
  kind: ValueType | "object" | "array";
  format?: ValueFormat;
  enum?: string[];
  nullable: boolean;
  required: boolean;
  /** Properties of an object. */
  fields?: Want[];
  /** Entries of an array. */
  item?: Want;
  /** Whether the schema takes the value. */
  accepts: (value: unknown) => boolean;
}

const maxDepth = 6;
const yes = () => true;

/** The properties that a schema asks for. Recursive references end at 6 levels. */
export function wantsOf(schema: Schema): Want[] {
  const check = partChecker(schema);
  return wantAt({ root: schema, check }, "#", "", false, 0)?.fields ?? [];
}

interface Source {
  root: Schema;
  check: (pointer: string, value: unknown) => boolean;
}

function wantAt(
  source: Source,
  start: string,
  name: string,
  required: boolean,
  depth: number,
): Want | undefined {
  const { pointer, schema } = follow(source.root, start);
  if (!schema || depth > maxDepth) return undefined;
  const kind = kindOf(schema);
  const want: Want = {
    ...namedWant(name, kind, labelsOf(schema)),
    format: kind === "string" ? formatOf(schema) : undefined,
    enum:
      kind === "string"
        ? textsOf(schema.enum ?? (schema.const === undefined ? undefined : [schema.const]))
        : undefined,
    nullable: [schema.type].flat().includes("null"),
    required,
    accepts: value => source.check(pointer, value),
  };
  // A start that is a time alone is none of the days that pages state first.
  const isClock = kind === "string" && want.format === undefined && /time$/i.test(name);
  if (isClock && (want.concept === "start" || want.concept === "end")) want.concept = undefined;
  if (kind === "object") return { ...want, fields: fieldsAt(source, pointer, schema, depth) };
  if (kind === "array") return { ...want, item: wantAt(source, `${pointer}/items`, name, false, depth + 1) };
  return want;
}

/** A want with no schema behind it. */
export function namedWant(name: string, kind: Want["kind"], labels: string[] = []): Want {
  const isNumber = kind === "number" || kind === "integer";
  const { unit, stem } = (isNumber ? unitOf(name) : undefined) ?? { unit: undefined, stem: name };
  const concept = conceptFor(stem, kind, unit);
  const known: Concept | undefined = concept && concepts[concept];
  const ofPages = (concept && labelWords[concept]) ?? [];
  const words = [name, stem, ...labels, ...(known?.words ?? []), ...ofPages]
    .map(squeeze)
    .filter(word => word !== "");
  const synonyms = synonymsOf(stem === "" ? "duration" : stem);
  const want = { name, words: [...new Set(words)], synonyms, kind, nullable: false, required: false };
  return { ...want, concept, ...(unit === undefined ? {} : { unit }), accepts: yes };
}

const ofTime = new Set<string | undefined>(["s", "min", "h", "d"]);

/** What a name means where a value of this kind is wanted: a number of answers is no answer. */
function conceptFor(stem: string, kind: Want["kind"], unit: UnitName | undefined): ConceptName | undefined {
  const timed = ofTime.has(unit) ? conceptOf(`${stem} time`) : undefined;
  const concept = conceptOf(stem, kind) ?? timed;
  const known: Concept | undefined = concept && concepts[concept];
  // Years are a number of them.
  if (concept === "year" && /years$/i.test(stem)) return undefined;
  const isText =
    known !== undefined && (known.long || known.format !== undefined || ofTexts.has(concept ?? ""));
  return isText && (kind === "number" || kind === "integer") ? undefined : concept;
}

const ofTexts = new Set<string>(
  "title author brand currency location address phone company publisher".split(" "),
);

/** Behind references, and inside the branch of `anyOf` or `oneOf` that is not null. */
function follow(root: Schema, start: string): { pointer: string; schema?: Schema } {
  let pointer = start;
  for (let hops = 0; hops < 20; hops += 1) {
    const schema = resolvePointer(root, pointer);
    if (!isSchema(schema)) return { pointer };
    const branch = ["anyOf", "oneOf", "allOf"].find(name => Array.isArray(schema[name]));
    if (typeof schema.$ref === "string") pointer = schema.$ref;
    else if (branch && schema.properties === undefined && schema.type === undefined)
      pointer = `${pointer}/${branch}/${firstBranch(schema[branch])}`;
    else return { pointer, schema };
  }
  return { pointer };
}

function firstBranch(branches: unknown): number {
  const all = Array.isArray(branches) ? branches : [];
  return Math.max(
    all.findIndex(branch => isSchema(branch) && branch.type !== "null"),
    0,
  );
}

function fieldsAt(source: Source, pointer: string, schema: Schema, depth: number): Want[] {
  const properties = isSchema(schema.properties) ? Object.keys(schema.properties) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const wants = properties.flatMap(name => {
    const part = encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
    return wantAt(source, `${pointer}/properties/${part}`, name, required.includes(name), depth + 1) ?? [];
  });
  return amongPeers(wants);
}

/** The wants of one object, each of which knows the others. */
export function amongPeers(wants: Want[]): Want[] {
  for (const want of wants) {
    want.peers = wants.filter(other => other !== want);
    // Where the price is wanted as well, the one per night is another.
    const isOther = want.concept === "price" && /per/i.test(want.name);
    if (isOther && want.peers.some(({ concept }) => concept === "price")) want.concept = undefined;
  }
  return wants;
}

function kindOf(schema: Schema): Want["kind"] {
  const type = [schema.type].flat().find(name => name !== "null");
  if (type === "object" || type === "array" || type === "number" || type === "integer" || type === "boolean")
    return type;
  if (type === undefined && schema.properties !== undefined) return "object";
  if (type === undefined && schema.items !== undefined) return "array";
  return "string";
}

function formatOf({ format }: Schema): ValueFormat | undefined {
  if (format === "uri" || format === "url" || format === "uri-reference") return "uri";
  const known = ["date", "date-time", "duration", "email"] as const;
  return known.find(name => name === format);
}

/** The schema's title, what its description quotes, and the description itself when it is as short as a label. */
function labelsOf({ title, description }: Schema): string[] {
  const labels = typeof title === "string" ? [title] : [];
  if (typeof description !== "string") return labels;
  const quoted = [...description.matchAll(/["'“„‘]([^"'”“’]{2,40})["'”“’]/g)].map(match => match[1] ?? "");
  return [...labels, ...quoted, ...(wordsOf(description).length <= 3 ? [description] : [])];
}

function textsOf(value: unknown): string[] | undefined {
  const texts = Array.isArray(value) ? value.filter(text => typeof text === "string").slice(0, 100) : [];
  return texts.length > 0 ? texts : undefined;
}

/** Authors in one text are not read as one person. */
function isOfSeveral({ name, concept, kind }: Want): boolean {
  return kind === "string" && concept === "author" && /s$/i.test(name);
}

/** How a field of this want is read. Images and links are their addresses, whether the schema says `uri` or not. */
export function readingOf(want: Want): Field {
  const field: Field = {};
  if (want.kind !== "string" && want.kind !== "object" && want.kind !== "array") field.type = want.kind;
  const known: Concept | undefined = want.concept && concepts[want.concept];
  if (want.format) field.format = want.format;
  else if (want.kind === "string" && known?.format === "uri") field.format = "uri";
  if (want.unit) field.unit = want.unit;
  if (want.enum) field.enum = want.enum;
  else if (known?.as && !want.unit && !isOfSeveral(want) && want.kind !== "boolean" && !want.format)
    field.as = known.as;
  if (want.nullable) field.nullable = true;
  return field;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
