import type { ServiceBroker } from "moleculer";
import type { ExtractionPool } from "../../services/scraper/extract/extraction-pool.ts";
import { until } from "./until.ts";

/** Has the scraper of this process ready to read a page at once: on a busy machine the first one would be late. */
export async function untilWarm(broker: ServiceBroker): Promise<void> {
  const { extraction } = broker.getLocalService("scraper") as unknown as { extraction: ExtractionPool };
  void extraction.prepare();
  await until("a thread is ready", () => extraction.ready() > 0);
}
