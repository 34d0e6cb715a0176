import { type Arrival, Oracle, type Promised } from "./oracle.ts";

const arrival = (number: number, epoch: number, rest: Partial<Arrival> = {}): Arrival => ({
  key: 1,
  eventId: `evt_${number}`,
  seq: number + 1,
  item: { feed: 0, number },
  epoch,
  accepted: true,
  ...rest,
});

const healthy: Promised = { mode: "conversation", isHealthy: true, refusesOnce: true, staysActive: false };

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
  ["one came again before a fault was over", [...all, arrival(2, 1, { amidFault: true })], null],
  ["one came again without a kill", [...all, arrival(2, 1)], /without a kill/],
  [
    "more came again than were in flight",
    [...all, ...Array.from({ length: 129 }, () => arrival(2, 2))],
    /without a kill|beyond the window/,
  ],
  ["one came as two events", [...all, arrival(2, 2, { eventId: "evt_other" })], /as two events/],
])("%s", (_, arrivals, complaint) => {
  const { wrong } = oracle().judge(arrivals, () => healthy);
  if (complaint) expect(wrong.join("\n")).toMatch(complaint);
  else expect(wrong).toEqual([]);
});

describe("order", () => {
  const judged = (arrivals: Arrival[], promised: Partial<Promised>) =>
    oracle().judge(arrivals, () => ({ ...healthy, ...promised })).wrong;
  const [first, second, third] = all;
  if (!first || !second || !third) throw new Error("there are three");
  const ofAnother = { ...arrival(0, 1), eventId: "evt_other", seq: 4, item: { feed: 1, number: 0 } };
  const withAnother = (arrivals: Arrival[], promised: Partial<Promised>) => {
    const made = oracle();
    made.expect(1, ofAnother.item);
    return made.judge(arrivals, () => ({ ...healthy, ...promised })).wrong;
  };

  test("of feeds among one another counts in batches only", () => {
    const arrivals = [ofAnother, ...all];
    expect(withAnother(arrivals, {})).toEqual([]);
    expect(withAnother(arrivals, { mode: "none" })).toEqual([]);
    expect(withAnother(arrivals, { mode: "batch" }).join()).toMatch(/came as event 1 after event 4/);
    expect(withAnother(arrivals, { mode: "batch", isHealthy: false })).toEqual([]);
  });

  test("of attempts goes by the log, within a window, where none is promised", () => {
    expect(judged([third, first, second], { mode: "none" })).toEqual([]);
    const far = all.map((each, at) => (at === 2 ? { ...each, seq: 200 } : each));
    expect(judged([...far].reverse(), { mode: "none" }).join()).toMatch(/after event 200/);
  });

  test("of what is taken counts where nothing is refused twice, whatever was tried before", () => {
    const refused = { ...first, accepted: false };
    const failing = { isHealthy: false };
    expect(judged([refused, first, second, third], failing)).toEqual([]);
    expect(judged([refused, second, first, third], failing).join()).toMatch(/item-0-0 came after item 1/);
    expect(judged([refused, second, first, third], { ...failing, refusesOnce: false })).toEqual([]);
    expect(judged([refused, second, first, third], { ...failing, mode: "none" })).toEqual([]);
  });
});

test("what is set aside although it must not be", () => {
  const listed = oracle();
  listed.setAside(1, "evt_2");
  expect(listed.judge(all, () => healthy).wrong).toEqual([]);
  expect(listed.judge(all, () => ({ ...healthy, staysActive: true })).wrong).toEqual(["1 evt_2 is dead"]);
});

test("what was refused five times and is listed as set aside is not lost", () => {
  const refused = Array.from({ length: 5 }, () => arrival(2, 1, { accepted: false }));
  const listed = oracle();
  listed.setAside(1, "evt_2");
  expect(listed.judge([...all.slice(0, 2), ...refused], () => healthy)).toMatchObject({ dead: 1, wrong: [] });
  expect(listed.judge([...all.slice(0, 2), ...refused.slice(1)], () => healthy).wrong).toHaveLength(1);
});

test("it counts", () => {
  const { expected, arrived, duplicates } = oracle().judge(
    [...all.slice(0, 2), arrival(1, 2)],
    () => healthy,
  );
  expect([expected, arrived, duplicates]).toEqual([3, 2, 1]);
});
