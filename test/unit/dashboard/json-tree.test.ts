import { h, render } from "preact";
import { JsonTree } from "../../../dashboard/parts/json-tree.ts";
import { openDocument } from "./document.ts";

function shown(value: unknown, open?: number): HTMLElement {
  const place = openDocument();
  render(h(JsonTree, { value, ...(open === undefined ? {} : { open }) }), place);
  return place;
}

test.each([
  [null, "null"],
  [true, "true"],
  [1.5, "1.5"],
  ['a "quoted" <b>', '"a \\"quoted\\" <b>"'],
])("the value %j takes one line", (value, text) => {
  expect(shown(value).textContent).toBe(text);
});

test("one level is open, and closed levels have no elements", () => {
  const place = shown({ a: { b: "hidden" }, c: [1, 2] });
  expect(place.textContent).toBe("{ 2 fields }a: { 1 field }c: [ 2 entries ]");
  expect(place.querySelectorAll("details").length).toBe(3);
});

test("as many levels are open as asked for", () => {
  expect(shown({ a: { b: { c: "x" } } }, 2).textContent).toBe("{ 1 field }a: { 1 field }b: { 1 field }");
  expect(shown({ a: { b: { c: "x" } } }, 3).textContent).toContain('c: "x"');
});

test("a long list shows its first hundred entries and a button for more", () => {
  const place = shown(Array.from({ length: 250 }, (_, at) => at));
  expect(place.querySelectorAll(".json-leaf").length).toBe(100);
  expect(place.querySelector("button")?.textContent).toBe("Show 100 more of 250");
});

test("markup in names and values stays text", () => {
  const place = shown({ "<script>": "<img src=x>" });
  expect(place.querySelectorAll("script, img").length).toBe(0);
  expect(place.textContent).toContain('<script>: "<img src=x>"');
});
