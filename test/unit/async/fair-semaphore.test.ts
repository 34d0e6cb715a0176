import { FairSemaphore, type FairSemaphoreOptions } from "../../../mixins/async/fair-semaphore.ts";

const never = new AbortController().signal;
const settled = () => new Promise(resolve => setImmediate(resolve));

/** Works named by their group and a number; each ends on command. */
function worksIn(options: FairSemaphoreOptions) {
  const queue = new FairSemaphore(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    queue,
    begun,
    add: (name: string, signal = never) =>
      queue.run(name.charAt(0), signal, () => {
        begun.push(name);
        return new Promise<void>(resolve => ends.set(name, resolve));
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await settled();
    },
  };
}

test("a place that becomes free goes to the group that holds the fewest", async () => {
  const { queue, begun, add, end } = worksIn({ width: 2 });
  const all = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1"].map(name => add(name));
  await settled();
  expect(begun).toEqual(["a1", "a2"]);
  expect([queue.waiting("a"), queue.waiting("b"), queue.waiting("x"), queue.waiting()]).toEqual([3, 2, 0, 6]);
  for (let n = 0; n < all.length; n++) await end(begun[n] ?? "");
  await Promise.all(all);
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4", "a5"]);
  expect(queue.isIdle).toBe(true);
});

test("groups that hold equally much take turns", async () => {
  const { begun, add, end } = worksIn({ width: 1 });
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map(name => add(name));
  for (let n = 0; n < all.length; n++) {
    await settled();
    await end(begun[n] ?? "");
  }
  await Promise.all(all);
  expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("a group holds no more than its share, though places are free", async () => {
  const { queue, begun, add, end } = worksIn({ width: 3, perGroup: 2 });
  const all = ["a1", "a2", "a3", "b1", "b2"].map(name => add(name));
  await settled();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
  await end("b2");
  expect([queue.running, queue.waiting("a")]).toEqual([2, 1]);
  await end("a2");
  expect(begun.at(-1)).toBe("a3");
  for (const name of ["a1", "a3"]) await end(name);
  await Promise.all(all);
});

test("who gives up waiting has no turn, and takes none from others", async () => {
  const { queue, begun, add, end } = worksIn({ width: 1 });
  const leaving = new AbortController();
  const first = add("a1");
  const gone = add("b1", leaving.signal);
  const last = add("c1");
  leaving.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  await end("a1");
  expect(begun).toEqual(["a1", "c1"]);
  await end("c1");
  await Promise.all([first, last]);
  await expect(add("a2", leaving.signal)).rejects.toThrow("gone");
  expect(queue.isIdle).toBe(true);
});

test("a work that fails leaves its place, and a place is given back once", async () => {
  const queue = new FairSemaphore({ width: 1 });
  await expect(queue.run("a", never, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run("a", never, async () => "in")).toBe("in");
  const leave = await queue.acquire("a", never);
  leave();
  leave();
  const next = await queue.acquire("a", never);
  expect(queue.running).toBe(1);
  next();
  expect(queue.isIdle).toBe(true);
});
