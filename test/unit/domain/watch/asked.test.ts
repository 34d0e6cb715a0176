import { line, listed, WatchedLines } from "./watched-lines.ts";

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const text = times(12, n => line(`A sentence about boats, number ${"abcdefghijkl"[n]}.`, `main>p:${n + 2}`));
const status = (said: string) => [line(said, "#status"), ...text];
const restless = ["Open", "Closed soon", "Open", "Delayed by fog", "Open", "Closed soon"];

test("a restless line that begins to meet `contains` is told at once", () => {
  const watch = new WatchedLines({ when: { contains: ["Cancelled"] } });
  for (const said of restless) watch.check(status(said));
  expect(watch.check(status("Cancelled today")).change?.added).toContain("Cancelled today");
});

test("the same with `added_only`, as often as it happens", () => {
  const watch = new WatchedLines({ when: { contains: ["Cancelled"], added_only: true } });
  for (const said of [...restless, "Cancelled today", "Open", "Closed soon", "Cancelled today", "Open"])
    watch.check(status(said));
  expect(watch.told.map(({ change }) => change?.added)).toEqual([["Cancelled today"], ["Cancelled today"]]);
});

test("a line that is wanted is told in a list that is new at each check", () => {
  const watch = new WatchedLines({ when: { contains: ["zebra"], added_only: true } });
  const flats = times(40, n => `Flat in street ${"abcdefghijklmnopqrstuvwxyz"[n % 26]}${n < 26 ? "" : "x"}`);
  for (let n = 0; n < 6; n += 1) watch.check([...listed(flats.slice(n * 5, n * 5 + 5), "main>ul"), ...text]);
  const last = [...flats.slice(30, 32), "A zebra flat", ...flats.slice(32, 34)];
  expect(watch.check([...listed(last, "main>ul"), ...text]).change?.added).toContain("A zebra flat");
});

test("what is wanted counts in numbers as any counter", () => {
  const watch = new WatchedLines({ when: { contains: ["tickets"] } });
  for (let n = 0; n < 10; n += 1) watch.check(status(`${90 - n} tickets left`));
  expect(watch.told).toHaveLength(2);
});

test("a price that somebody has pointed at is told at every change, among other lines too", () => {
  const small = new WatchedLines({ select: [".product"] });
  const wide = new WatchedLines({ select: ["main"] });
  const prices = [101, 102, 103, 104, 105, 5];
  for (const price of prices) {
    const product = [line("Boat", "#p>h2"), line(`$${price}`, "#p>p"), line("In stock", "#p>p:2")];
    small.check(product);
    wide.check([...product, ...text]);
  }
  expect(small.told).toHaveLength(prices.length - 1);
  expect(wide.told).toHaveLength(prices.length - 1);
});

test("other words are not muted in what somebody has pointed at", () => {
  const watch = new WatchedLines({ select: ["main"] });
  for (const said of restless.slice(0, 5)) watch.check(status(said));
  expect(watch.check(status("Closed because of fire")).change?.added).toEqual(["Closed because of fire"]);
});

test("with `unique_lines` no new line is muted", () => {
  const watch = new WatchedLines({ unique_lines: true });
  for (let n = 0; n < 10; n += 1) watch.check(status(`Lot ${1040 + n}`));
  expect(watch.added).toEqual(times(9, n => `Lot ${1041 + n}`));
});

test.each([
  { contains: ["In stock"] },
  { not_contains: ["Sold out"] },
  // Lines that only together meet it.
  { contains: ["In stock A sentence"] },
])("a condition that was not met meanwhile is told again once it is: %o", when => {
  const watch = new WatchedLines({ when });
  watch.check([...status("Sold out"), line("Price $7", "main>p:20")]);
  const stock = (price: number) => [...status("In stock"), line(`Price $${price}`, "main>p:20")];
  expect(watch.check(stock(7)).change).toMatchObject({ added: ["In stock"], removed: ["Sold out"] });
  for (let n = 0; n < 12; n += 1)
    expect(watch.check([...status("Sold out"), line("Price $8", "main>p:20")]).change).toBeUndefined();
  const again = watch.check(stock(8)).change;
  expect(again?.added).toContain("In stock");
  expect(again?.removed).toContain("Sold out");
  expect(watch.check(stock(8)).outcome).toBe("same");
});

test("what changes while a condition that was met is not met is told with the next event", () => {
  const watch = new WatchedLines({ when: { contains: ["In stock"] } });
  const shop = (said: string, price: string) => [...status(said), line(price, "main>p:20")];
  for (const said of ["In stock", "Sold out", "Sold out"]) watch.check(shop(said, "Small size"));
  watch.check(shop("Sold out", "Large size"));
  expect(watch.check(shop("In stock", "Large size")).change).toMatchObject({
    added: ["In stock", "Large size"],
    removed: ["Sold out", "Small size"],
  });
});

test("a condition that is met in turn is told each time", () => {
  const watch = new WatchedLines({ when: { contains: ["In stock"] } });
  for (let n = 0; n < 20; n += 1) watch.check(status(n % 2 === 0 ? "Sold out" : "In stock"));
  expect(watch.told).toHaveLength(10);
});

test("what somebody has pointed at is told each time it takes turns with other words", () => {
  const watch = new WatchedLines({ select: ["#status"] });
  const checks = times(16, n => watch.check([line(n % 2 ? "Sold out" : "In stock", "#status")]));
  expect(checks.slice(1).map(({ change }) => change?.added)).toEqual(
    times(15, n => [n % 2 ? "In stock" : "Sold out"]),
  );
});

test("the same among other lines, where a number that comes and goes is muted", () => {
  const told = (states: readonly string[]) => {
    const watch = new WatchedLines({ select: ["main"] });
    for (let n = 0; n < 16; n += 1) watch.check(status(states[n % states.length] ?? ""));
    return watch.told.length;
  };
  expect(told(["Sold out", "In stock"])).toBe(15);
  expect(told(["$17", "$23"])).toBe(15);
  expect(told(["17", "23"])).toBeLessThan(5);
});
