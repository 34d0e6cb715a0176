import { type Arrival, Oracle } from "./oracle.ts";

const arrival = (number: number, at: number, rest: Partial<Arrival> = {}): Arrival => ({
  key: 1,
  eventId: `evt_${number}`,
  item: { feed: 0, number },
  at,
  accepted: true,
  ...rest,
});

function oracle(): Oracle {
  const made = new Oracle();
  for (const number of [0, 1, 2]) made.expect(1, { feed: 0, number });
  made.killed(100);
  return made;
}

const all = [arrival(0, 10), arrival(1, 20), arrival(2, 30)];

test.each<[string, Arrival[], RegExp | null]>([
  ["all is there, in order", all, null],
  ["one is missing", all.slice(1), /item-0-0 never arrived/],
  ["one was refused only", [...all.slice(0, 2), arrival(2, 30, { accepted: false })], /never arrived/],
  ["one was refused first", [...all.slice(0, 2), arrival(2, 30, { accepted: false }), arrival(2, 40)], null],
  ["two changed places", [arrival(1, 10), arrival(0, 20), arrival(2, 30)], /item-0-0 came after item 1/],
  ["one was not due", [...all, arrival(3, 40)], /item-0-3 was never due/],
  ["one was another key's", [...all, arrival(0, 40, { key: 2 })], /key 2, item-0-0 was never due/],
  ["one came again over a kill", [...all, arrival(2, 110)], null],
  ["one came again without a kill", [...all, arrival(2, 40)], /without a kill/],
  [
    "more came again than were in flight",
    [...all, ...Array.from({ length: 17 }, () => arrival(2, 110))],
    /without a kill|beyond the window/,
  ],
  ["one came as two events", [...all, arrival(2, 110, { eventId: "evt_other" })], /as two events/],
])("%s", (_, arrivals, complaint) => {
  const { wrong } = oracle().judge(arrivals, () => true);
  if (complaint) expect(wrong.join("\n")).toMatch(complaint);
  else expect(wrong).toEqual([]);
});

test("it counts", () => {
  const { expected, arrived, duplicates } = oracle().judge([...all.slice(0, 2), arrival(1, 110)], () => true);
  expect([expected, arrived, duplicates]).toEqual([3, 2, 1]);
});
