import { FinalFailure } from "../../../mixins/queue/queue.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { judgeFault } from "../../../services/crawler/judge-fault.ts";

/** The record of one crawl. */
function room() {
  let faults = 0;
  return { crawls: { update: async () => ({ faults: ++faults }) } } as never;
}

test("a server that is away is waited for, however often it is asked", async () => {
  const [crawls, away] = [room(), fail("overloaded", "Away.")];
  for (let run = 0; run < 50; run++) expect(await judgeFault(crawls, "c", away)).toBe(away);
});

test("a fault of our own is met five times, whatever servers are away in between", async () => {
  const [crawls, fault] = [room(), new TypeError("x is undefined")];
  for (let run = 0; run < 4; run++) {
    expect(await judgeFault(crawls, "c", fault)).toBe(fault);
    await judgeFault(crawls, "c", fail("overloaded", "Away."));
  }
  const last = await judgeFault(crawls, "c", fault);
  expect(last).toBeInstanceOf(FinalFailure);
  expect(last).toMatchObject({ code: "internal_error", cause: fault });
});
