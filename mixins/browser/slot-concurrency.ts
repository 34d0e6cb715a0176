import type { Page } from "puppeteer";
import type { Cluster } from "puppeteer-cluster";

type ConcurrencyClass = Exclude<Parameters<typeof Cluster.launch>[0]["concurrency"], number | undefined>;
type Concurrency = InstanceType<ConcurrencyClass>;

/**
 * A concurrency implementation for puppeteer-cluster that hands out slots, not pages: the session for a slot depends
 * on the job, and puppeteer-cluster 0.25 loses a worker for good (and raises an unhandled rejection) when a page cannot
 * be had. It adds a listener to each page for each job, so the stand-in keeps none.
 */
export const slotConcurrency = class {
  async init(): Promise<void> {
    await Promise.resolve();
  }
  async close(): Promise<void> {
    await Promise.resolve();
  }
  async workerInstance() {
    const slot = { page: { on: () => undefined } as unknown as Page };
    const nothing = async () => undefined;
    return {
      jobInstance: async () => ({ resources: slot, close: nothing }),
      close: nothing,
      repair: nothing,
    };
  }
} as unknown as new (
  ...args: ConstructorParameters<ConcurrencyClass>
) => Concurrency;
