import { ServiceBroker } from "moleculer";
import { reportActivity, underWayGauges } from "../../../mixins/runtime/activity.middleware.ts";
import { Activity, activityOf } from "../../../mixins/runtime/activity.ts";
import { addGauge } from "../../../mixins/runtime/metrics.ts";
import { call } from "../../../services/contracts/action.ts";
import { nodeActivity } from "../../../services/contracts/overview.contract.ts";

const minute = 60_000;

function activityAt(start: number) {
  const clock = { now: start };
  return { clock, activity: new Activity(() => clock.now) };
}

const last = (series: number[], count: number) => series.slice(-count);

test("counts stay in the minute in which they were made, for an hour", () => {
  const { clock, activity } = activityAt(1000 * minute);
  activity.add("polls", 3);
  clock.now += minute;
  activity.add("polls");
  activity.add("polls");
  activity.add("events", 7);
  const { minute: at, series } = activity.lastHour();
  expect(at).toBe(1001);
  expect(series.polls).toHaveLength(60);
  expect(last(series.polls, 3)).toEqual([0, 3, 2]);
  expect(last(series.events, 2)).toEqual([0, 7]);
  clock.now += 58 * minute;
  expect(activity.lastHour().series.polls.slice(0, 3)).toEqual([3, 2, 0]);
  clock.now += minute;
  expect(activity.lastHour().series.polls.slice(0, 3)).toEqual([2, 0, 0]);
  clock.now += minute;
  expect(activity.lastHour().series.polls).toEqual(new Array(60).fill(0));
});

test("after a pause of any length nothing old appears", () => {
  const { clock, activity } = activityAt(7 * minute);
  activity.add("scrapes", 5);
  clock.now += 1_000_000 * minute + 1;
  activity.add("scrapes");
  expect(activity.lastHour().series.scrapes).toEqual([...new Array(59).fill(0), 1]);
});

test("a clock that is set back loses no counts and clears none", () => {
  const { clock, activity } = activityAt(100 * minute);
  activity.add("requests", 2);
  clock.now -= 5 * minute;
  activity.add("requests", 2);
  expect(activity.lastHour()).toMatchObject({ minute: 100 });
  expect(last(activity.lastHour().series.requests, 1)).toEqual([4]);
});

test("a node reports what it has done, and null for a gauge that cannot be read", async () => {
  const broker = new ServiceBroker({ logger: false, nodeID: "one", middlewares: [reportActivity] });
  const gauge = { name: underWayGauges.events_waiting, description: "" };
  addGauge(broker, { ...gauge, read: () => [{ value: 4 }] });
  addGauge(broker, { ...gauge, read: async () => [{ value: 3 }] });
  addGauge(broker, {
    name: underWayGauges.scrapes_running,
    description: "",
    read: () => Promise.reject(new Error("away")),
  });
  await broker.start();
  activityOf(broker).add("polls", 9);
  const answer = await call(broker, nodeActivity, {}).finally(() => broker.stop());
  expect(answer).toMatchObject({ node: "one", under_way: { events_waiting: 7, scrapes_running: null } });
  expect(answer.series.polls.at(-1)).toBe(9);
});
