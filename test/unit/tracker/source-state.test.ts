import { connectorState, smallChanges } from "../../../services/tracker/sources.store.ts";

const stored = { _id: "s", state: { intervalMs: 60_000, etag: '"a"', seen: ["x", "y"] } };

test.each<[string, Record<string, unknown>, Record<string, unknown> | null]>([
  ["nothing", {}, {}],
  ["a number", { intervalMs: 90_000 }, { intervalMs: 90_000 }],
  ["a text, and a field that was not there", { etag: '"b"', hub: null }, { etag: '"b"', hub: null }],
  ["a list", { seen: ["x", "y", "z"] }, null],
  ["a long text", { etag: "e".repeat(201) }, null],
  ["many texts", Object.fromEntries(["a", "b", "c"].map(name => [name, "e".repeat(199)])), null],
  ["a field that is gone", { etag: undefined }, null],
])("%s that has changed: %j", (_, changes, moved) => {
  const state = Object.fromEntries(
    Object.entries({ ...stored.state, ...changes }).filter(([, value]) => value !== undefined),
  );
  expect(smallChanges(stored, state)).toEqual(moved);
  if (moved) expect(connectorState(stored, { moved } as never)).toEqual(state);
});

test("a source without a stored state has what it moved", () => {
  expect(connectorState(null, { moved: { seen: 1 } })).toEqual({ seen: 1 });
  expect(connectorState(null)).toEqual({});
});

test("small changes before the stored state are void: their source was not written after it", () => {
  const later = { ...stored, fence: 3 };
  expect(connectorState(later, { moved: { intervalMs: 1 }, movedIn: 2 })).toEqual(stored.state);
  expect(connectorState(later, { moved: { intervalMs: 1 }, movedIn: 3 })).toHaveProperty("intervalMs", 1);
  expect(connectorState(stored, { moved: { intervalMs: 1 } })).toHaveProperty("intervalMs", 1);
});
