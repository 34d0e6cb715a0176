import { jest } from "@jest/globals";
import { Parts } from "../../../../services/scraper/render/take-picture.ts";

const part = new Uint8Array(1);
const signal = new AbortController().signal;

async function drawn(deadline: number, clock: { now: number }) {
  const parts = new Parts(
    { deadline, signal },
    async () => {
      clock.now += 60;
      return part;
    },
    { shown: 1000, atOnce: 300 },
  );
  let count = 0;
  for await (const _ of parts.draw()) {
    count += 1;
    // It takes its time to be joined.
    clock.now += 40;
  }
  return { count, height: parts.height };
}

describe("the parts of a long picture", () => {
  const clock = { now: 0 };
  beforeEach(() => {
    clock.now = 0;
    jest.spyOn(Date, "now").mockImplementation(() => clock.now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test("end with the page", async () => {
    expect(await drawn(10_000, clock)).toEqual({ count: 4, height: 1000 });
  });

  test("end before one that would take longer than is left", async () => {
    expect(await drawn(250, clock)).toEqual({ count: 2, height: 600 });
  });

  test("are one at least", async () => {
    expect(await drawn(-1, clock)).toEqual({ count: 1, height: 300 });
  });
});

test("the height counts a part that is the last one wanted", async () => {
  const parts = new Parts({ deadline: Number.POSITIVE_INFINITY, signal }, async () => part, {
    shown: 1000,
    atOnce: 300,
  });
  for await (const _ of parts.draw()) break;
  expect(parts.height).toBe(300);
});
