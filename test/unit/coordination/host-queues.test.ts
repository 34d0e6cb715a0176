import { openEmbeddedHostPoliteness } from "../../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { HostQueues } from "../../../mixins/coordination/host-politeness/host-queues.ts";

const never = new AbortController().signal;

/** Works that begin in turn and end on demand. */
function works(run: (group: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    add: (group: string, name: string, signal = never) =>
      run(group, signal, () => {
        begun.push(name);
        return new Promise<void>(resolve => ends.push(resolve));
      }),
    /** Ends the oldest work, and lets what follows from that happen. */
    endOne: async () => {
      ends.shift()?.();
      await settled();
    },
  };
}

const settled = () => new Promise(resolve => setImmediate(resolve));

const hostRequest = (url: string, spacingMs = 0) => ({ group: "crawl", url, spacingMs });

test("a host has so many visitors at a time, whatever other hosts have", async () => {
  const hosts = new HostQueues(openEmbeddedHostPoliteness(), { width: 2 });
  const { begun, add, endOne } = works((url, signal, work) => hosts.request(hostRequest(url), signal, work));
  const all = [
    add("https://a.test/1", "a1"),
    add("https://a.test/2", "a2"),
    add("http://a.test/3", "a3"),
    add("https://b.test/", "b1"),
  ];
  await settled();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  for (let n = 0; n < all.length; n++) await endOne();
  await Promise.all(all);
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
});

test("visits are spaced as the host asks, and it is left alone when it asks for that", async () => {
  // With a fixed clock, what has to wait does so until it is aborted.
  const hosts = new HostQueues(
    openEmbeddedHostPoliteness(() => 1_000_000),
    { width: 2 },
  );
  const visit = (url: string, signal = never) =>
    hosts.request(hostRequest(url, 50_000), signal, async () => url);
  const leaving = new AbortController();
  expect(await visit("https://a.test/1")).toBe("https://a.test/1");
  const second = visit("https://a.test/2", leaving.signal);
  const begun = settling(second);
  await settled();
  expect(await begun()).toBe(false);
  expect(await visit("https://b.test/1")).toBe("https://b.test/1");
  await hosts.backOff("https://c.test/busy", 10_000);
  const third = visit("https://c.test/1", leaving.signal);
  leaving.abort(new Error("closing"));
  await expect(second).rejects.toThrow();
  await expect(third).rejects.toThrow();
});

/** Whether a promise has settled by now. */
function settling(promise: Promise<unknown>): () => Promise<boolean> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  return async () => isSettled;
}
