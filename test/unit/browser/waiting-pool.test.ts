import { type BrowserPool, waitingPool } from "../../../mixins/browser/browser-pool.ts";
import { codeOf, fail } from "../../../services/contracts/errors.ts";

const spec = { tenant: "key", skipTlsVerification: true };
const { signal } = new AbortController();

/** A pool that refuses a given number of times, and keeps what it accepts until it is released. */
function heldPool(refusals = 0, problem?: unknown) {
  const held: (() => void)[] = [];
  let asked = 0;
  const run = async () => {
    asked += 1;
    if (asked <= refusals) throw fail("overloaded", "Full.");
    await new Promise<void>(resolve => held.push(resolve));
  };
  const pool = { run, problem: () => problem } as unknown as BrowserPool;
  const letGo = () => held.splice(0).map(end => end());
  return { pool, held, letGo, asked: () => asked };
}

const task = async () => undefined;
/** All that is due without a timer. */
const rest = () => new Promise(resolve => setImmediate(resolve));

test("no more of them are in the pool than its width, and the others follow in their order", async () => {
  const { pool, held, letGo, asked } = heldPool();
  const patient = waitingPool(pool, 2);
  const ended: number[] = [];
  const all = Promise.all(
    [0, 1, 2, 3, 4].map(n => patient.run(spec, signal, task).then(() => ended.push(n))),
  );
  for (const wanted of [2, 4, 5]) {
    await rest();
    expect([asked(), held.length]).toEqual([wanted, wanted === 5 ? 1 : 2]);
    letGo();
  }
  await all;
  expect(ended).toEqual([0, 1, 2, 3, 4]);
});

test("a full pool is asked until it has a place", async () => {
  const { pool, letGo, asked } = heldPool(2);
  let isDone = false;
  const run = waitingPool(pool, 1)
    .run(spec, signal, task)
    .then(() => {
      isDone = true;
    });
  while (!isDone) {
    letGo();
    await rest();
  }
  await run;
  expect(asked()).toBe(3);
});

test("where no browser starts nobody waits for one", async () => {
  const { pool, asked } = heldPool(9, new Error("no browser"));
  const error = await waitingPool(pool, 1)
    .run(spec, signal, task)
    .catch((reason: unknown) => reason);
  expect([codeOf(error), asked()]).toEqual(["overloaded", 1]);
});

test("who gives up, waiting for a turn or for the pool, leaves the turn to others", async () => {
  const { pool, held, letGo } = heldPool(1);
  const patient = waitingPool(pool, 1);
  const [first, second] = [new AbortController(), new AbortController()];
  const refused = patient.run(spec, first.signal, task).catch((reason: unknown) => reason);
  const waiting = patient.run(spec, second.signal, task).catch((reason: unknown) => reason);
  const last = patient.run(spec, signal, task);
  await rest();
  second.abort("second");
  first.abort("first");
  expect(await Promise.all([refused, waiting])).toEqual(["first", "second"]);
  await rest();
  expect(held).toHaveLength(1);
  letGo();
  await last;
});
