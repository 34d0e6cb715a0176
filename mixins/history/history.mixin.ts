import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/service.ts";
import type { Config } from "../config/config.ts";
import { logEvent } from "../log/log-events.ts";
import { openBlobs } from "../store/blobs/open-blobs.ts";
import { openEmbeddedHistory } from "./embedded.history.ts";
import type { OpenHistory } from "./history.ts";

/** What the mixin adds to a service. */
export interface WithHistory {
  history: OpenHistory;
}

interface Inside {
  history?: OpenHistory;
}

/** What sources said, of every source, as `this.history`. */
export function historyMixin(config: Pick<Config, "dataDir" | "cluster" | "s3">): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      this.history = await open(config, (hash, error) =>
        logEvent(this.logger, "history_content.failed", { hash, error }),
      );
    },
    async stopped() {
      await this.history?.close();
      this.history = undefined;
    },
  });
}

async function open(
  config: Pick<Config, "dataDir" | "cluster" | "s3">,
  onUnreadable: (hash: string, error: unknown) => void,
): Promise<OpenHistory> {
  const { dataDir, cluster } = config;
  if (!cluster) return openEmbeddedHistory(join(dataDir, "magpie.db"), onUnreadable);
  // Imported here: the embedded mode need not load the client of MongoDB.
  const { openMongoHistory } = await import("./mongo.history.ts");
  return openMongoHistory(cluster, await openBlobs(config), { onUnreadable });
}
