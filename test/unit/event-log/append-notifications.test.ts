import { jest } from "@jest/globals";
import { AppendNotifications } from "../../../mixins/event-log/append-notifications.ts";

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
let notifications: AppendNotifications;
let notified: string[];
let errors: string[];
beforeEach(() => {
  jest.useFakeTimers();
  counted = new Counted();
  [notified, errors] = [[], []];
  notifications = new AppendNotifications(0, {
    poll: since => counted.look(since),
    onError: error => errors.push(String(error)),
  });
  notifications.listen(keyIds => notified.push(keyIds.join()));
});
afterEach(() => {
  notifications.close();
  jest.useRealTimers();
});
const aWhile = () => jest.advanceTimersByTimeAsync(5000);

test("a notification passes at once, and not again by a poll", async () => {
  notifications.receive(["k1", "k2"], counted.grow("k1", "k2"));
  expect(notified).toEqual(["k1,k2"]);
  await aWhile();
  expect(notified).toEqual(["k1,k2"]);
});

test("an append whose notification is lost is found by a poll, and not notified again by a late one", async () => {
  const count = counted.grow("k1");
  await aWhile();
  notifications.receive(["k1"], count);
  await aWhile();
  expect(notified).toEqual(["k1"]);
});

test("when some notifications are lost a poll passes only the rest, also of a key that was notified before", async () => {
  notifications.receive(["k1"], counted.grow("k1"));
  counted.grow("k2");
  counted.grow("k1");
  await aWhile();
  expect(notified).toEqual(["k1", "k1,k2"]);
});

test("notifications in the wrong order do no harm", async () => {
  const [first, second] = [counted.grow("k1"), counted.grow("k1")];
  notifications.receive(["k1"], second);
  notifications.receive(["k1"], first);
  await aWhile();
  expect(notified).toEqual(["k1", "k1"]);
});

test("an error of a poll is reported, and the next poll finds what grew meanwhile", async () => {
  counted.isAway = true;
  counted.grow("k1");
  await aWhile();
  expect([notified, new Set(errors)]).toEqual([[], new Set(["Error: away"])]);
  counted.isAway = false;
  await aWhile();
  expect(notified).toEqual(["k1"]);
});

test("after the server has lost its count, new appends are still notified", async () => {
  for (let n = 0; n < 5; n += 1) counted.grow("k1");
  await aWhile();
  notifications.receive(["k1"], counted.grow("k1"));
  counted.lose();
  counted.grow("k1");
  await aWhile();
  notifications.receive(["k2"], counted.grow("k2"));
  await aWhile();
  expect(notified).toEqual(["k1", "k1", "k1", "k2"]);
});

test("after a close nobody is notified", async () => {
  counted.grow("k1");
  notifications.close();
  await aWhile();
  notifications.receive(["k1"], counted.grow("k1"));
  expect([notified, jest.getTimerCount()]).toEqual([[], 0]);
});
