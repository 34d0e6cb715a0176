import { Validators } from "moleculer";
import {
  cursorOf,
  type Fields,
  type Infer,
  type InferFields,
  isOptional,
  limit,
  list,
  type nothing,
  object,
  type Rule,
  rule,
  text,
  time,
  trusted,
  unchecked,
} from "../../../services/contracts/schema.ts";

/** Whether two types are one and the same; a case below does not compile when they are not. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function isTaken(props: Fields, value: Record<string, unknown>): boolean {
  return new Validators.Fastest().compile({ $$strict: true, ...props } as never)(value) === true;
}

/** A rule, values that it takes, and values that it refuses. `same` states the type of the former. */
function holds<const R extends Rule, T>(one: R, _same: Same<Infer<R>, T>, good: T[], bad: unknown[]): void {
  for (const value of good) expect([value, isTaken({ value: one }, { value })]).toEqual([value, true]);
  for (const value of bad) expect([value, isTaken({ value: one }, { value })]).toEqual([value, false]);
}

describe("the type of a rule is the type of the values that it takes", () => {
  test("strings, numbers and flags", () => {
    holds<typeof text, string>(text, true, ["", "a"], [1, null, undefined]);
    holds<typeof time, string>(time, true, ["2025-03-25T09:30:00.000Z"], [1]);
    const count = rule({ type: "number", integer: true, min: 1 });
    holds<typeof count, number>(count, true, [1], ["1", 0, 1.5]);
    const flag = rule({ type: "boolean" });
    holds<typeof flag, boolean>(flag, true, [true, false], ["true", 1]);
  });

  test("enumerations and constants", () => {
    const state = rule({ type: "enum", values: ["a", "b"] });
    holds<typeof state, "a" | "b">(state, true, ["a", "b"], ["c", 1]);
    const version = rule({ type: "equal", value: "v1" });
    holds<typeof version, "v1">(version, true, ["v1"], ["v2"]);
  });

  test("what may be null, and is nothing but null", () => {
    const name = rule({ type: "string", nullable: true });
    holds<typeof name, string | null>(name, true, ["a", null], [1]);
    const same: Same<Infer<typeof nothing>, null> = true;
    expect(same).toBe(true);
  });

  test("lists, records and alternatives", () => {
    const names = list({ type: "string", min: 1 });
    holds<typeof names, string[]>(names, true, [[], ["a"]], [["a", ""], "a", [1]]);
    const headers = rule({ type: "record", value: { type: "string", empty: true } });
    holds<typeof headers, Record<string, string>>(headers, true, [{}, { a: "" }], [{ a: 1 }, []]);
    const either = rule({ type: "multi", rules: [list(text), headers] });
    holds<typeof either, string[] | Record<string, string>>(either, true, [["a"], { a: "b" }], ["a", 1]);
  });

  test("objects, with fields that may be absent and fields with a default", () => {
    const page = object({
      url: text,
      note: { type: "string", optional: true },
      limit: limit("Rows."),
      inner: object({ batch: { type: "number", optional: true, nullable: true } }),
    });
    type Page = { url: string; limit: number; inner: { batch?: number | null }; note?: string };
    holds<typeof page, Page>(
      page,
      true,
      [
        { url: "u", limit: 1, inner: {} },
        { url: "u", limit: 2, inner: { batch: null }, note: "n" },
      ],
      [{}, { url: 1 }, { url: "u", inner: { batch: "1" } }],
    );
    const open = rule({ type: "object" });
    holds<typeof open, Record<string, unknown>>(open, true, [{}, { a: 1 }], ["a", []]);
  });

  test("types that are stated because the rule looks less far", () => {
    const request = trusted<{ url: string }>();
    holds<typeof request, { url: string }>(request, true, [{ url: "u" }], ["a", 1]);
    const stream = unchecked<AsyncIterable<Buffer>>();
    const same: Same<Infer<typeof stream>, AsyncIterable<Buffer>> = true;
    expect(same).toBe(true);
  });
});

test("a default and `optional` both let a field be left out", () => {
  expect(isOptional({ type: "string" })).toBe(false);
  expect(isOptional({ type: "string", optional: true })).toBe(true);
  expect(isOptional({ type: "boolean", default: false })).toBe(true);
  expect(isOptional(limit("Rows."))).toBe(true);
  expect(isOptional(cursorOf(/^\d+$/))).toBe(true);
});

test("parameters are objects of fields", () => {
  const params = { id: text, days: limit("Days.", { max: 366 }) } as const;
  const same: Same<InferFields<typeof params>, { id: string; days: number }> = true;
  expect(same).toBe(isTaken(params, { id: "1" }));
});
