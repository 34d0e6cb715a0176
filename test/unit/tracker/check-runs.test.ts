import { mutedAfter } from "../../../services/tracker/polling/check-runs.ts";

test("a pattern of a muted line that is too long to be kept is left out, not cut", () => {
  const muted = ["/^[\\d]+ boats$/", `/^${"boat ".repeat(80)}$/`].map(ignore => ({
    place: "p",
    text: "7",
    since: 1,
    ignore,
  }));
  const check = { outcome: "muted" as const, reason: "", tookMs: 1, muted };
  const kept = mutedAfter([], { ok: true, posts: [], check } as unknown as Parameters<typeof mutedAfter>[1]);
  expect(kept.map(({ ignore }) => ignore)).toEqual([muted[0]?.ignore, ""]);
});
