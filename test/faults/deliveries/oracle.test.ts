import { type Arrival, Oracle } from "./oracle.ts";

const arrival = (number: number, epoch: number, rest: Partial<Arrival> = {}): Arrival => ({
  key: 1,
  eventId: `evt_${number}`,
  item: { feed: 0, number },
  epoch,
  accepted: true,
  ...rest,
});

function oracle(): Oracle {
  const made = new Oracle();
  for (const number of [0, 1, 2]) made.expect(1, { feed: 0, number });
  return made;
}

const all = [arrival(0, 1), arrival(1, 1), arrival(2, 1)];

test.each<[string, Arrival[], RegExp | null]>([
  ["all is there, in order", all, null],
  ["one is missing", all.slice(1), /item-0-0 never arrived/],
  ["one was refused only", [...all.slice(0, 2), arrival(2, 1, { accepted: false })], /never arrived/],
  ["one was refused first", [...all.slice(0, 2), arrival(2, 1, { accepted: false }), arrival(2, 1)], null],
  ["two changed places", [arrival(1, 1), arrival(0, 1), arrival(2, 1)], /item-0-0 came after item 1/],
  ["one was not due", [...all, arrival(3, 1)], /item-0-3 was never due/],
  ["one was another key's", [...all, arrival(0, 1, { key: 2 })], /key 2, item-0-0 was never due/],
  ["one came again over a kill", [...all, arrival(2, 2)], null],
  ["one came again without a kill", [...all, arrival(2, 1)], /without a kill/],
  [
    "more came again than were in flight",
    [...all, ...Array.from({ length: 17 }, () => arrival(2, 2))],
    /without a kill|beyond the window/,
  ],
  ["one came as two events", [...all, arrival(2, 2, { eventId: "evt_other" })], /as two events/],
])("%s", (_, arrivals, complaint) => {
  const { wrong } = oracle().judge(arrivals, () => true);
  if (complaint) expect(wrong.join("\n")).toMatch(complaint);
  else expect(wrong).toEqual([]);
});

test("what was refused five times and is listed as set aside is not lost", () => {
  const refused = Array.from({ length: 5 }, () => arrival(2, 1, { accepted: false }));
  const listed = oracle();
  listed.setAside(1, "evt_2");
  expect(listed.judge([...all.slice(0, 2), ...refused], () => true)).toMatchObject({ dead: 1, wrong: [] });
  expect(listed.judge([...all.slice(0, 2), ...refused.slice(1)], () => true).wrong).toHaveLength(1);
});

test("it counts", () => {
  const { expected, arrived, duplicates } = oracle().judge([...all.slice(0, 2), arrival(1, 2)], () => true);
  expect([expected, arrived, duplicates]).toEqual([3, 2, 1]);
});
