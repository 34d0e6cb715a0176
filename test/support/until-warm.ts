import type { ServiceBroker } from "moleculer";
import type { ExtractionPool } from "../../services/scraper/extract/extraction-pool.ts";
import { until } from "./until.ts";

/** Waits until the scraper of this process can read a page at once: on a busy machine the first one would be late. */
export async function untilWarm(broker: ServiceBroker): Promise<void> {
  const { extraction } = broker.getLocalService("scraper") as unknown as { extraction: ExtractionPool };
  await until("a thread is ready", () => extraction.ready() > 0);
}
