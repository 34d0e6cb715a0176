import { FinalFailure } from "../../../mixins/queue/queue.ts";
import { fail } from "../../../services/contracts/errors.ts";
import { retryOrGiveUp } from "../../../services/crawler/crawl.ts";

/** The record of one crawl. */
function context() {
  let faults = 0;
  return { crawls: { update: async () => ({ faults: ++faults }) } } as never;
}

test("a server that is away is waited for, however often it is asked", async () => {
  const [crawls, away] = [context(), fail("overloaded", "Away.")];
  for (let run = 0; run < 50; run++) expect(await retryOrGiveUp(crawls, "c", away)).toBe(away);
});

test("the fifth error on our side ends a crawl, whatever servers are away in between", async () => {
  const [crawls, error] = [context(), new TypeError("x is undefined")];
  for (let run = 0; run < 4; run++) {
    expect(await retryOrGiveUp(crawls, "c", error)).toBe(error);
    await retryOrGiveUp(crawls, "c", fail("overloaded", "Away."));
  }
  const last = await retryOrGiveUp(crawls, "c", error);
  expect(last).toBeInstanceOf(FinalFailure);
  expect(last).toMatchObject({ code: "internal_error", cause: error });
});
