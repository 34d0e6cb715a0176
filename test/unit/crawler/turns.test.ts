import { openEmbeddedManners } from "../../../mixins/manners/embedded.manners.ts";
import { Bell } from "../../../services/crawler/bell.ts";
import { FairGate } from "../../../services/crawler/fair-gate.ts";
import { HostManners } from "../../../services/crawler/host-manners.ts";

const never = new AbortController().signal;

/** Works that begin when the gate lets them and end when they are told to. */
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

test("a gate lets so many in, and groups that wait take turns", async () => {
  const gate = new FairGate(2);
  const { begun, add, endOne } = works((...args) => gate.run(...args));
  const all = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"].map(name => add(name.charAt(0), name));
  await settled();
  expect(begun).toEqual(["a1", "a2"]);
  for (let n = 0; n < all.length; n++) await endOne();
  await Promise.all(all);
  expect(begun).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5"]);
  expect(gate.isIdle).toBe(true);
});

test("who gives up waiting has no turn, and takes none from others", async () => {
  const gate = new FairGate(1);
  const { begun, add, endOne } = works((...args) => gate.run(...args));
  const leaving = new AbortController();
  const first = add("a", "a1");
  const gone = add("b", "b1", leaving.signal);
  const last = add("c", "c1");
  leaving.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  await endOne();
  expect(begun).toEqual(["a1", "c1"]);
  await endOne();
  await Promise.all([first, last]);
  await expect(add("a", "a2", leaving.signal)).rejects.toThrow("gone");
  expect(gate.isIdle).toBe(true);
});

test("a work that fails leaves its place", async () => {
  const gate = new FairGate(1);
  await expect(gate.run("a", never, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await gate.run("a", never, async () => "in")).toBe("in");
});

const errand = (url: string, spacingMs = 0) => ({ crawlId: "crawl", url, spacingMs });

test("a host has so many visitors at a time, whatever other hosts have", async () => {
  const manners = new HostManners(2, openEmbeddedManners());
  const { begun, add, endOne } = works((url, signal, work) => manners.visit(errand(url), signal, work));
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
  // A clock that stands still: whoever has to wait does so until it is told to give up.
  const manners = new HostManners(
    2,
    openEmbeddedManners(() => 1_000_000),
  );
  const visit = (url: string, signal = never) => manners.visit(errand(url, 50_000), signal, async () => url);
  const leaving = new AbortController();
  expect(await visit("https://a.test/1")).toBe("https://a.test/1");
  const second = visit("https://a.test/2", leaving.signal);
  const begun = settling(second);
  await settled();
  expect(await begun()).toBe(false);
  expect(await visit("https://b.test/1")).toBe("https://b.test/1");
  await manners.leaveAlone("https://c.test/busy", 10_000);
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

test("a ring is heard by who waits, and by the next who does", async () => {
  const bell = new Bell();
  const heard = bell.heard(60_000);
  bell.ring();
  await heard;
  bell.ring();
  await bell.heard(60_000);
  await bell.heard(1);
});
