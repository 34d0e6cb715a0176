import { isObject, present } from "../../../../services/domain/json/fields.ts";

test.each([
  [{}, true],
  [[], false],
  [null, false],
  ["text", false],
])("isObject(%j) is %p", (value, expected) => expect(isObject(value)).toBe(expected));

test("fields that are undefined are left out, and those that are null stay", () =>
  expect(Object.entries(present({ a: undefined, b: null, c: 0 }))).toEqual([
    ["b", null],
    ["c", 0],
  ]));
