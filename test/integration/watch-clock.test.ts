import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker } from "moleculer";
import { defaultLimits } from "../../services/contracts/caller.ts";
import type { View } from "../../services/contracts/watch.contract.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { leaseDueSources, nextDueAt } from "../../services/tracker/polling/due-sources.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { beginTracking } from "../../services/tracker/tracking/begin-tracking.ts";
import { removeFolder } from "../support/folders.ts";
import { pollOne } from "../support/poll-one.ts";
import { retention } from "../support/retention.ts";

const minute = 60_000;
const hour = 60 * minute;

let dataDir: string;
let broker: ServiceBroker;
let made = 0;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-watch-clock-"));
  broker = new ServiceBroker({ logger: false });
  broker.createService(trackerService({ dataDir, pollMinIntervalMs: minute, ...retention }));
  await broker.start();
});
afterAll(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});

/** When a view of a page is polled between two dates, by a clock that goes from one due date to the next. */
async function pollsBetween(from: string, to: string, view: View, minIntervalMs = minute): Promise<number[]> {
  const tracker = broker.getLocalService("tracker") as Service & { context: TrackerContext };
  made += 1;
  const externalId = `https://site-${made}.example/`;
  let now = Date.parse(from);
  const answer = { ok: true as const, posts: [], state: {}, nextInMs: 10 };
  const context: TrackerContext = {
    ...tracker.context,
    minIntervalMs,
    now: () => now,
    keyUses: async () => new Map(),
    pollConnector: async () => answer,
    pollViews: async views => views.map(() => answer),
  };
  const resolved = { kind: "web" as const, externalId, username: "u", name: "n", state: {} };
  const follow = { follow: async () => undefined };
  const key = { keyId: "k", limits: defaultLimits };
  const { source } = await beginTracking(context, key, resolved, follow as never, view);
  const polls: number[] = [];
  for (;;) {
    now = (await nextDueAt(context)) ?? Number.POSITIVE_INFINITY;
    if (now >= Date.parse(to)) break;
    for (const leased of await leaseDueSources(context, 1)) {
      expect(await pollOne(context, leased)).toBe("ok");
      polls.push(now);
    }
  }
  await context.sources.remove(source._id);
  return polls;
}

function waits(polls: number[]): number[] {
  return polls.slice(1).map((at, n) => at - (polls[n] ?? 0));
}

/** Day of the week, date and time of day, by a way of its own. */
function local(at: number, timeZone: string): { day: string; date: string; time: string } {
  const [date = "", time = ""] = new Date(at).toLocaleString("sv-SE", { timeZone }).split(" ");
  return { day: new Date(at).toLocaleDateString("en-GB", { timeZone, weekday: "short" }), date, time };
}

test("15m polls at 15 minutes, with a tenth of slack and never before", async () => {
  const polls = await pollsBetween("2027-01-04T00:00:00Z", "2027-01-05T00:00:00Z", { interval: "15m" });
  expect(polls.length).toBeGreaterThan(85);
  for (const wait of waits(polls)) {
    expect(wait).toBeGreaterThanOrEqual(15 * minute);
    expect(wait).toBeLessThanOrEqual(16.5 * minute);
  }
});

test("never below the shortest interval, whatever the view or the site says", async () => {
  const day = ["2027-01-04T00:00:00Z", "2027-01-04T12:00:00Z"] as const;
  // The view is older than the setting.
  for (const view of [{ interval: "2m" }, {}, { ignore: ["x"] }]) {
    const polls = await pollsBetween(...day, view, 10 * minute);
    expect(polls.length).toBeGreaterThan(60);
    expect(Math.min(...waits(polls))).toBeGreaterThanOrEqual(10 * minute);
  }
});

test.each([
  ["summer", "2027-03-25T23:00:00Z", "2027-03-30T22:00:00Z", ["26", "29", "30"]],
  ["winter", "2027-10-28T22:00:00Z", "2027-11-02T23:00:00Z", ["29", "01", "02"]],
])("a schedule keeps to local time over the change to %s", async (_season, from, to, dates) => {
  const time_zone = "Europe/Vienna";
  const schedule = { time_zone, days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" };
  const polls = await pollsBetween(from, to, { interval: "1h", schedule } as View);
  const times = polls.map(at => local(at, time_zone));
  for (const { day, time } of times) {
    expect(["Sat", "Sun"]).not.toContain(day);
    expect(time >= "08:00:00" && time < "18:00:00").toBe(true);
  }
  for (const date of dates) {
    const of = times.filter(each => each.date.endsWith(`-${date}`));
    // The first one within the minutes over which an opening is spread, the others hourly.
    expect([date, of[0]?.time.slice(0, 4)]).toEqual([date, "08:0"]);
    expect(of.length).toBeGreaterThanOrEqual(9);
  }
  expect(Math.min(...waits(polls))).toBeGreaterThanOrEqual(hour);
});

test("a window in the hour that the clock leaves out, or has twice, is polled on that day too", async () => {
  const time_zone = "America/New_York";
  const schedule = { time_zone, from: "02:15", to: "03:45" };
  for (const [from, to, date] of [
    ["2027-03-13T12:00:00Z", "2027-03-16T12:00:00Z", "2027-03-14"],
    ["2027-11-06T12:00:00Z", "2027-11-09T12:00:00Z", "2027-11-07"],
  ] as const) {
    const times = (await pollsBetween(from, to, { interval: "15m", schedule })).map(at =>
      local(at, time_zone),
    );
    expect(new Set(times.map(each => each.date)).size).toBe(3);
    expect(times.filter(each => each.date === date).length).toBeGreaterThanOrEqual(2);
    for (const { time } of times) expect(time >= "02:15:00" && time < "03:45:00").toBe(true);
  }
});
