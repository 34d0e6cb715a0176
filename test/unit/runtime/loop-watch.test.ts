import { setImmediate as yieldToLoop } from "node:timers/promises";
import { jest } from "@jest/globals";
import { type Context, ServiceBroker } from "moleculer";
import { superviseCalls } from "../../../mixins/runtime/calls.middleware.ts";
import { exposition } from "../../../mixins/runtime/metrics.ts";
import { until } from "../../support/until.ts";

type Line = Record<string, unknown>;

/** Time goes by in work alone: what a busy machine does with this process is seen by nobody. */
let nowMs = 0;

/** Work that nothing can interrupt, and a little of the processor's time. */
function block(ms: number): void {
  nowMs += ms;
  const { user, system } = process.threadCpuUsage();
  while (process.threadCpuUsage({ user, system }).user < 2000);
}

const lines: Line[] = [];
let broker: ServiceBroker;

beforeEach(async () => {
  lines.length = 0;
  jest.spyOn(performance, "now").mockImplementation(() => nowMs);
  broker = new ServiceBroker({ logger: false, middlewares: [superviseCalls(() => false)] });
  broker.logger.warn = (event: string, fields: Line) => {
    if (event === "event_loop.blocked") lines.push(fields);
  };
  broker.createService({
    name: "sums",
    actions: {
      add: () => block(1),
      long: () => block(450),
      later: async (ctx: Context) => {
        await ctx.call("sums.add");
        block(450);
      },
      parts: async (ctx: Context) => {
        for (let part = 0; part < 30; part++) {
          await ctx.call("sums.add");
          block(part === 7 ? 60 : 12);
        }
      },
      wait: () => yieldToLoop(),
    },
    events: { "page.changed": () => block(450) },
  });
  await broker.start();
});

afterEach(async () => {
  // A service that stops waits by the clock.
  jest.restoreAllMocks();
  await broker.stop();
});

/** The line that names what held the loop. */
async function held(named: (line: Line) => boolean = () => true): Promise<Line> {
  await until("the line is logged", () => lines.some(named));
  return lines.find(named) as Line;
}

test.each(["sums.long", "sums.later"])("%s is named, with the id of its key", async action => {
  const caller = { keyId: "key_1", owner: "ann" };
  await broker.call(action, {}, { meta: { caller } });
  const line = await held(line => line.action === action);
  expect(line).toMatchObject({ action, keyId: "key_1", requestID: expect.any(String) });
  expect(line.ms).toBeGreaterThanOrEqual(450);
  expect(line.longestMs).toBe(450);
  expect(line.cpuMs).toBeGreaterThan(0);
});

test("of many parts that hold the loop together, the longest is named", async () => {
  await broker.call("sums.parts", { keyId: "key_2" });
  expect(await held()).toMatchObject({ action: "sums.parts", keyId: "key_2", longestMs: 60 });
});

test("an event of the bus is named by its type", async () => {
  await broker.emit("page.changed", {});
  expect(await held()).toMatchObject({ eventName: "page.changed" });
});

test("what runs without a call follows the call that ended before it", async () => {
  await broker.call("sums.wait");
  setImmediate(() => block(450));
  const { action, after = "sums.wait" } = await held();
  expect([action, after]).toEqual([undefined, "sums.wait"]);
});

test("a route is named by its template", async () => {
  const req = {
    method: "POST",
    match: { route: { path: "/web/scrape" } },
    admission: { caller: { keyId: "key_3" } },
  };
  await broker.call("sums.long", { req });
  expect(await held()).toMatchObject({ route: "POST /web/scrape", keyId: "key_3" });
});

test("what holds the loop is counted", async () => {
  await broker.call("sums.long");
  await held();
  expect(await exposition(broker)).toMatch(/^magpie_event_loop_blocked_seconds_count [1-9]/m);
});
