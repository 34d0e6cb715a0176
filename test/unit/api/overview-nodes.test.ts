import { rates, sumUnderWay } from "../../../services/api/overview/nodes.ts";
import { activityKinds, type NodeActivity } from "../../../services/contracts/overview.contract.ts";

/** A node whose polls of its last minutes, up to `minute`, were these. */
function node(minute: number, polls: number[], under_way = { scrapes_running: 1, events_waiting: 2 }) {
  const empty = new Array<number>(60).fill(0);
  const series = Object.fromEntries(activityKinds.map(kind => [kind, empty]));
  const activity = {
    node: "n",
    minute,
    series: { ...series, polls: [...empty, ...polls].slice(-60) },
    under_way,
  };
  return { activity: activity as NodeActivity };
}

const minuteMs = 60_000;
const now = 500 * minuteMs + 30_000;
const silent = { activity: null };

test("nodes are added by the minutes of the clock", () => {
  const { from, step_s, series } = rates([node(500, [1, 2, 3]), node(499, [10, 20]), silent], now);
  expect([from, step_s]).toEqual([new Date(441 * minuteMs).toISOString(), 60]);
  expect(series.polls).toHaveLength(60);
  expect(series.polls.slice(-4)).toEqual([0, 11, 22, 3]);
  expect(series.events).toEqual(new Array(60).fill(0));
});

test("of a node whose clock is ahead, the minutes that have not come are left out", () => {
  expect(rates([node(502, [5, 6, 7])], now).series.polls.slice(-2)).toEqual([0, 5]);
});

test("what is under way is the sum of the nodes that answered, and null when one could not say", () => {
  expect(sumUnderWay([node(1, []), node(2, []), silent])).toEqual({ scrapes_running: 2, events_waiting: 4 });
  const unsure = { ...node(1, []).activity, under_way: { scrapes_running: 1, events_waiting: null } };
  expect(sumUnderWay([node(1, []), { activity: unsure }])).toEqual({
    scrapes_running: 2,
    events_waiting: null,
  });
});
