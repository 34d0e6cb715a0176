import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import { openEmbeddedHostPoliteness } from "../../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { HostQueues } from "../../../mixins/coordination/host-politeness/host-queues.ts";
import { inHostSlot } from "../../../services/connectors/host-slot.ts";
import { until } from "../../support/until.ts";

const never = new AbortController().signal;

test("two at a time go to a host, of all processes together; to another host meanwhile", async () => {
  const politeness = openEmbeddedHostPoliteness();
  const processes = [1, 2].map(() => new HostQueues(politeness, { width: 2, purpose: "poll" }));
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const run = (name: string, url: string) =>
    processes.map(hosts =>
      inHostSlot(hosts, url, never, async () => {
        begun.push(name);
        await held;
        begun.splice(begun.indexOf(name), 1);
      }),
    );
  const all = ["1", "2", "3"].flatMap(name => run(name, `https://a.example/${name}`));
  all.push(...run("other", "https://b.example/"));
  await until("both hosts are busy", () => begun.length === 4);
  const waiting = processes.map(hosts =>
    inHostSlot(hosts, "https://a.example/", AbortSignal.timeout(250), async () => 1),
  );
  for (const late of waiting) await expect(late).rejects.toMatchObject({ type: "overloaded" });
  expect(begun.filter(name => name !== "other")).toHaveLength(2);
  resolve();
  await Promise.all(all);
  for (const hosts of processes)
    expect(await inHostSlot(hosts, "https://a.example/", never, async () => "free")).toBe("free");
});

test("look-ups, polls and crawls of a host count separately", async () => {
  const politeness = openEmbeddedHostPoliteness();
  const [polls, lookUps, crawls] = ["poll", "look-up", undefined].map(
    purpose => new HostQueues(politeness, { width: 1, ...(purpose && { purpose }) }),
  ) as [HostQueues, HostQueues, HostQueues];
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const hanging = [lookUps, crawls].map(hosts => inHostSlot(hosts, "https://a.example/", never, () => held));
  expect(await inHostSlot(polls, "https://a.example/", never, async () => "polled")).toBe("polled");
  resolve();
  await Promise.all(hanging);
});

test("a slot is free again after work that fails, whose error stays as it is", async () => {
  const hosts = new HostQueues(openEmbeddedHostPoliteness(), { width: 1, purpose: "poll" });
  const broken = new Error("broken");
  await expect(inHostSlot(hosts, "https://a.example/", never, () => Promise.reject(broken))).rejects.toBe(
    broken,
  );
  expect(await inHostSlot(hosts, "https://a.example/", never, async () => 1)).toBe(1);
});

test("a thousand polls of a host that does not answer leave the places to other hosts", async () => {
  const hosts = new HostQueues(openEmbeddedHostPoliteness(), { width: 2, purpose: "poll", mostWaiting: 32 });
  const places = new FairSemaphore({ width: 256 });
  const { promise: held, resolve } = Promise.withResolvers<string>();
  const poll = (url: string, work: () => Promise<string>) =>
    places.run("", never, () =>
      inHostSlot(hosts, url, never, work).catch((error: { type: string }) => error.type),
    );
  const thousand = Array.from({ length: 1000 }, (_, n) => poll(`https://slow.example/${n}`, () => held));
  expect(await poll("https://other.example/", async () => "read")).toBe("read");
  expect(places.running).toBeLessThanOrEqual(2 + 32);
  resolve("late");
  const outcomes = await Promise.all(thousand);
  expect(outcomes.filter(outcome => outcome === "late")).toHaveLength(2 + 32);
  expect(outcomes.filter(outcome => outcome === "overloaded")).toHaveLength(1000 - 2 - 32);
});
