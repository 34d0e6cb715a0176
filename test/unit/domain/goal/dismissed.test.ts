import { isDismissed } from "../../../../services/domain/goal/dismissed.ts";

const event = (data: object) => JSON.stringify({ id: "evt_1", type: "web.page.changed", data });

test.each([
  ["dismissed", { judgement: { judged: true, meaningful: false } }, true],
  ["meaningful", { judgement: { judged: true, meaningful: true } }, false],
  ["not judged in time", { judgement: { judged: false, reason: "late" } }, false],
  ["dismissed on a page of a monitor", { page: { judgement: { judged: true, meaningful: false } } }, true],
  ["meaningful on a page of a monitor", { page: { judgement: { judged: true, meaningful: true } } }, false],
  ["without a judgement", { change: { title: "x" } }, false],
  ["a page that quotes one", { change: { title: '"judgement":{"meaningful":false}' } }, false],
  [
    "fields of a page that look like one",
    { change: { fields: { judgement: { meaningful: false } } } },
    false,
  ],
])("%s", (_, data, dismissed) => {
  expect(isDismissed(event(data))).toBe(dismissed);
});
