import { jest } from "@jest/globals";
import { Growth } from "../../../mixins/log/growth.ts";

/** A count of appends with the last one of each key, as Redis keeps it. */
class Counted {
  count = 0;
  readonly #keys = new Map<string, number>();
  isAway = false;

  grow(...keyIds: string[]): number {
    this.count += 1;
    for (const keyId of keyIds) this.#keys.set(keyId, this.count);
    return this.count;
  }

  lose(): void {
    this.count = 0;
    this.#keys.clear();
  }

  async look(since: number) {
    if (this.isAway) throw new Error("away");
    const after = since > this.count ? 0 : since;
    return { count: this.count, grown: new Map([...this.#keys].filter(([, at]) => at > after)) };
  }
}

let counted: Counted;
let growth: Growth;
let heard: string[];
let errors: string[];
beforeEach(() => {
  jest.useFakeTimers();
  counted = new Counted();
  [heard, errors] = [[], []];
  growth = new Growth(0, {
    look: since => counted.look(since),
    onError: error => errors.push(String(error)),
  });
  growth.listen(keyIds => heard.push(keyIds.join()));
});
afterEach(() => {
  growth.close();
  jest.useRealTimers();
});
const aWhile = () => jest.advanceTimersByTimeAsync(5000);

test("a hint is told at once, and not again by a look", async () => {
  growth.hear(["k1", "k2"], counted.grow("k1", "k2"));
  expect(heard).toEqual(["k1,k2"]);
  await aWhile();
  expect(heard).toEqual(["k1,k2"]);
});

test("what is not hinted at is told by a look, and not again by a late hint", async () => {
  const count = counted.grow("k1");
  await aWhile();
  growth.hear(["k1"], count);
  await aWhile();
  expect(heard).toEqual(["k1"]);
});

test("of hints that are lost in part only the rest is told, also of a key that was hinted at before", async () => {
  growth.hear(["k1"], counted.grow("k1"));
  counted.grow("k2");
  counted.grow("k1");
  await aWhile();
  expect(heard).toEqual(["k1", "k1,k2"]);
});

test("a hint that comes in the wrong order does no harm", async () => {
  const [first, second] = [counted.grow("k1"), counted.grow("k1")];
  growth.hear(["k1"], second);
  growth.hear(["k1"], first);
  await aWhile();
  expect(heard).toEqual(["k1", "k1"]);
});

test("a server that is away is told of, and what grew meanwhile afterwards", async () => {
  counted.isAway = true;
  counted.grow("k1");
  await aWhile();
  expect([heard, new Set(errors)]).toEqual([[], new Set(["Error: away"])]);
  counted.isAway = false;
  await aWhile();
  expect(heard).toEqual(["k1"]);
});

test("a server that has lost its count is followed anew", async () => {
  for (let n = 0; n < 5; n += 1) counted.grow("k1");
  await aWhile();
  growth.hear(["k1"], counted.grow("k1"));
  counted.lose();
  counted.grow("k1");
  await aWhile();
  growth.hear(["k2"], counted.grow("k2"));
  await aWhile();
  expect(heard).toEqual(["k1", "k1", "k1", "k2"]);
});

test("nobody is told any more once it is closed", async () => {
  counted.grow("k1");
  growth.close();
  await aWhile();
  growth.hear(["k1"], counted.grow("k1"));
  expect([heard, jest.getTimerCount()]).toEqual([[], 0]);
});
