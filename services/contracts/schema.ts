/*
 * How contracts describe data: rules of fastest-validator, as plain values. Each rule is written once. From it come the
 * check of every call, the TypeScript type (`Infer`) and the JSON Schema in the OpenAPI document.
 */

/** What any rule may say of its value. */
interface Common {
  /** The field may be left out. */
  readonly optional?: boolean;
  /** Null is a value of its own. Without this, a null in a body means that the field was left out. */
  readonly nullable?: boolean;
  /** The validator fills it in, so handlers always find the field. */
  readonly default?: unknown;
  /** A sentence for the OpenAPI document. */
  readonly description?: string;
  /** The name of its schema in the OpenAPI document, and so of a type in generated clients. A copy keeps it. */
  readonly name?: string;
  /** Replaces messages of the validator, by their names. */
  readonly messages?: Readonly<Record<string, string>>;
}

interface StringRule extends Common {
  readonly type: "string";
  readonly min?: number;
  readonly max?: number;
  readonly length?: number;
  readonly pattern?: string | RegExp;
  readonly empty?: boolean;
  readonly trim?: boolean;
  readonly uppercase?: boolean;
  /** For the OpenAPI document only; the validator ignores it. */
  readonly format?: "date" | "date-time";
}

interface NumberRule extends Common {
  readonly type: "number";
  readonly integer?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** Takes the text of a number, too, as queries carry it. */
  readonly convert?: boolean;
}

interface BooleanRule extends Common {
  readonly type: "boolean";
  /** Takes the words `true` and `false`, too, as queries carry them. */
  readonly convert?: boolean;
}

interface EnumRule extends Common {
  readonly type: "enum";
  readonly values: readonly string[];
}

/** A rule that one value fits and no other. */
interface ConstantRule extends Common {
  readonly type: "equal";
  readonly value: string | boolean | null;
}

interface ArrayRule extends Common {
  readonly type: "array";
  readonly items: Rule;
  readonly min?: number;
  readonly max?: number;
  readonly unique?: boolean;
}

/** An object with these fields; without `props`, one with any fields. */
interface ObjectRule extends Common {
  readonly type: "object";
  readonly props?: Fields;
  /** Refuses fields that `props` does not name. */
  readonly strict?: boolean;
}

/** An object with names of the client's choice. */
interface RecordRule extends Common {
  readonly type: "record";
  readonly key?: Rule;
  readonly value: Rule;
}

/** A value that fits one of several rules. */
interface MultiRule extends Common {
  readonly type: "multi";
  readonly rules: readonly Rule[];
  /** The field by whose value one knows which of the rules fits; for the OpenAPI document. */
  readonly discriminator?: string;
}

/** A value of any kind. */
interface AnyRule extends Common {
  readonly type: "any";
  /** What it is, for the OpenAPI document. The service that takes it checks it by itself, and names what is wrong. */
  readonly shape?: Rule;
}

export type Rule =
  | StringRule
  | NumberRule
  | BooleanRule
  | EnumRule
  | ConstantRule
  | ArrayRule
  | ObjectRule
  | RecordRule
  | MultiRule
  | AnyRule;

/** The rules of an object's fields, by name. */
export type Fields = { readonly [name: string]: Rule };

declare const typed: unique symbol;

/** A rule whose type is stated beside it, because the rule checks less than the type says. */
type Typed<T> = { readonly [typed]: T };

/** The type of the values that pass a rule. */
export type Infer<R> = R extends { readonly nullable: true } ? ValueOf<R> | null : ValueOf<R>;

type ValueOf<R> =
  R extends Typed<infer T>
    ? T
    : R extends { readonly type: infer K extends Rule["type"] }
      ? Values<R>[K]
      : never;

/** The values of each type of rule. */
interface Values<R> {
  string: string;
  number: number;
  boolean: boolean;
  enum: R extends { readonly values: readonly (infer V)[] } ? V : never;
  equal: R extends { readonly value: infer V } ? V : never;
  array: R extends { readonly items: infer I } ? Infer<I>[] : never;
  object: R extends { readonly props: infer P } ? InferFields<P> : Record<string, unknown>;
  record: R extends { readonly value: infer V } ? Record<string, Infer<V>> : never;
  multi: R extends { readonly rules: readonly (infer M)[] } ? Infer<M> : never;
  any: unknown;
}

/** The type of an object whose fields have these rules. A field with a default is always there. */
export type InferFields<P> = Flat<
  { -readonly [K in keyof P as MayBeAbsent<P[K]> extends true ? never : K]: Infer<P[K]> } & {
    -readonly [K in keyof P as MayBeAbsent<P[K]> extends true ? K : never]?: Infer<P[K]>;
  }
>;

type MayBeAbsent<R> = R extends { readonly default: unknown }
  ? false
  : R extends { readonly optional: true }
    ? true
    : false;

type Flat<T> = { [K in keyof T]: T[K] };

/** Whether a caller may leave the field out. */
export function isOptional({ optional, default: value }: Rule): boolean {
  return optional === true || value !== undefined;
}

/** Keeps the exact type of a rule that several contracts use. */
export function rule<const R extends Rule>(value: R): R {
  return value;
}

/** An object with these fields. */
export function object<const P extends Fields>(props: P) {
  return { type: "object", props } as const;
}

/** The same, with a name of its own in the OpenAPI document. */
export function named<const N extends string, const P extends Fields>(name: N, props: P) {
  return { type: "object", name, props } as const;
}

/** A list of such items. */
export function list<const R extends Rule>(items: R) {
  return { type: "array", items } as const;
}

/** A value that fits the rule, or null. */
export function orNull<const R extends Rule>(value: R) {
  return { type: "multi", rules: [value, nothing] } as const;
}

/** An object that another service of this installation made: the validator checks only that it is one. */
export function trusted<T extends object>() {
  return { type: "object" } as { type: "object" } & Typed<T>;
}

/** A choice among objects that differ in the value of a field. Nothing checks it. */
export function variants<T extends object>(name: string, discriminator: string, rules: readonly Rule[]) {
  const variant: MultiRule = { type: "multi", name, discriminator, rules };
  return variant as MultiRule & Typed<T>;
}

/** A parameter that the service checks by itself, because the rules depend on one of its fields; `shape` is for the OpenAPI document. */
export function checkedByService<T extends object>(shape: Rule) {
  return { type: "any", shape } as { type: "any"; shape: Rule } & Typed<T>;
}

/** A result that is not JSON, such as a stream. Nothing checks it. */
export function unchecked<T>() {
  return { type: "any" } as { type: "any" } & Typed<T>;
}

/** The result of an operation that returns nothing. */
export const nothing = { type: "equal", value: null } as const;

/** Any text. */
export const text = { type: "string" } as const;
export const nullableText = { type: "string", nullable: true } as const;
/** ISO 8601. */
export const time = { type: "string", format: "date-time" } as const;
export const count = { type: "number", integer: true, min: 0 } as const;

/** The usual answer: data, and a message for people. */
export function withMessage<const R extends Rule>(data: R) {
  return object({ data, message: text });
}

/** The parameter that bounds how much an answer holds: from 1, as a number or its text. */
export function limit(description: string, { max = 100, default: usual = 20 } = {}) {
  return { type: "number", integer: true, min: 1, max, default: usual, convert: true, description } as const;
}

/** The parameter that says where a page begins. */
export const cursor = {
  type: "string",
  min: 1,
  max: 128,
  optional: true,
  description: "`next_cursor` of the page before.",
} as const;

/** The same, for cursors of one form. */
export function cursorOf(pattern: RegExp) {
  return {
    ...cursor,
    pattern,
    messages: { stringPattern: "must be a `next_cursor` of this list" },
  } as const;
}
