import { GroupedWrites } from "../../../mixins/async/grouped-writes.ts";

test("what comes in one turn of the loop, or during a write, is written together", async () => {
  const writes: number[][] = [];
  let later: Promise<void> | undefined;
  const grouped = new GroupedWrites<number>(async items => {
    writes.push([...items]);
    later ??= Promise.all([grouped.add([4]), grouped.add([5, 6])]).then(() => undefined);
  });
  await Promise.all([grouped.add([1]), grouped.add([2, 3])]);
  await later;
  expect(writes).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test("items that cannot be written fail for their caller alone", async () => {
  const written: string[] = [];
  const grouped = new GroupedWrites<string>(async items => {
    if (items.includes("bad")) throw new Error("not written");
    written.push(...items);
  });
  const outcomes = await Promise.allSettled([
    grouped.add(["first"]),
    grouped.add(["bad"]),
    grouped.add(["last"]),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(written).toEqual(["first", "last"]);
});

test("a write takes about two hundred items, and more only of one caller", async () => {
  const sizes: number[] = [];
  const grouped = new GroupedWrites<number>(async items => {
    sizes.push(items.length);
  });
  const some = (count: number) => Array.from({ length: count }, (_, n) => n);
  for (const count of [150, 150, 10, 1000]) void grouped.add(some(count));
  await grouped.done();
  expect(sizes).toEqual([300, 1010]);
});
