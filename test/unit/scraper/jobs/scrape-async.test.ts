import type { Quotas } from "../../../../mixins/clients/quotas.ts";
import type { ScraperContext } from "../../../../services/scraper/context.ts";
import { runQueuedScrape } from "../../../../services/scraper/jobs/scrape-async.ts";
import { noQuotas } from "../../../support/no-quotas.ts";

test("a scrape that is cancelled while its run charges it is not charged", async () => {
  const record: Record<string, unknown> = {
    _id: "scr_1",
    keyId: "k",
    status: "pending",
    fence: 0,
    request: {},
  };
  const open = new Set<string>();
  const quotas: Quotas = {
    ...noQuotas,
    has: () => true,
    charge: async (_, charges) => {
      // The end of the scrape is written and settled before this charge is.
      Object.assign(record, { status: "failed", error: { code: "cancelled", message: "" } });
      for (const { id } of charges) open.add(id);
      return { granted: charges.map(({ id }) => id), refused: null, quotas: [] };
    },
    settle: async (_, ids, isDone) => {
      expect(isDone).toBe(false);
      for (const id of ids) open.delete(id);
    },
  };
  const context = {
    quotas,
    now: Date.now,
    workerSlot: async () => () => undefined,
    limiter: { acquire: async () => () => undefined },
    scrapes: {
      findById: async () => ({ ...record }),
      updateMany: async (_: unknown, { $set }: { $set: object }) => Object.assign(record, $set) && 1,
    },
  } as unknown as ScraperContext;
  await runQueuedScrape(context, { id: "scr_1" }, { fence: 1, signal: new AbortController().signal });
  expect([record.status, [...open]]).toEqual(["failed", []]);
});
