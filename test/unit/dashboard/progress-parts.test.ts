import { ended, segments, withoutPage } from "../../../dashboard/jobs/progress-parts.ts";

const none = { discovered: 0, queued: 0, running: 0, completed: 0, failed: 0, skipped: 0 };

test("the parts follow one another and fill the bar", () => {
  expect(segments({ ...none, discovered: 10, completed: 4, failed: 1, running: 2, queued: 3 })).toEqual([
    { name: "completed", from: 0, width: 40 },
    { name: "failed", from: 40, width: 10 },
    { name: "running", from: 50, width: 20 },
    { name: "queued", from: 70, width: 30 },
  ]);
});

test("the bar is empty before the first page", () => {
  expect(segments(none)).toEqual([]);
});

test("a page that was read, failed or was skipped has ended", () => {
  expect(ended({ ...none, completed: 4, failed: 1, skipped: 2, running: 8, queued: 16 })).toBe(7);
});

test("pages that ended without being read are named beside the bar of a list", () => {
  expect(withoutPage({ ...none, completed: 1, skipped: 30 })).toEqual(["30 skipped"]);
  expect(withoutPage({ ...none, failed: 2, skipped: 1 })).toEqual(["2 failed", "1 skipped"]);
  expect(withoutPage({ ...none, completed: 4 })).toEqual([]);
});
