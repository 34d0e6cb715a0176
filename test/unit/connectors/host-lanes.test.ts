import { memoryLimiter } from "../../../mixins/limiter/memory.limiter.ts";
import { HostLanes } from "../../../services/connectors/host-lanes.ts";
import { until } from "../../support/until.ts";

const never = new AbortController().signal;

test("two at a time go to a host, of all processes together; to another host meanwhile", async () => {
  const limiter = memoryLimiter();
  const processes = [new HostLanes("host", 2, limiter), new HostLanes("host", 2, limiter)];
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const run = (name: string, host: string) =>
    processes.map(lanes =>
      lanes.run(host, never, async () => {
        begun.push(name);
        await held;
        begun.splice(begun.indexOf(name), 1);
      }),
    );
  const all = ["1", "2", "3"].flatMap(name => run(name, "a.example"));
  all.push(...run("other", "b.example"));
  await until("both hosts are busy", () => begun.length === 4);
  await expect(processes[0]?.run("a.example", AbortSignal.timeout(250), async () => 1)).rejects.toMatchObject(
    {
      type: "overloaded",
    },
  );
  expect(begun.filter(name => name !== "other")).toHaveLength(2);
  resolve();
  await Promise.all(all);
  expect(await processes[1]?.run("a.example", never, async () => "free")).toBe("free");
});

test("what is looked up has lanes of its own", async () => {
  const limiter = memoryLimiter();
  const [polls, lookUps] = [new HostLanes("host", 1, limiter), new HostLanes("look-up", 1, limiter)];
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const hanging = lookUps.run("a.example", never, () => held);
  expect(await polls.run("a.example", never, async () => "polled")).toBe("polled");
  resolve();
  await hanging;
});

test("a place is given back by whatever fails, and one that cannot be had is nobody's", async () => {
  const lanes = new HostLanes("host", 1, memoryLimiter());
  await expect(lanes.run("a", never, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await lanes.run("a", never, async () => 1)).toBe(1);
  const away = new HostLanes("host", 1, { acquire: () => Promise.reject(new Error("away")) });
  for (let times = 0; times < 2; times += 1)
    await expect(away.run("a", never, async () => 1)).rejects.toThrow("away");
});
