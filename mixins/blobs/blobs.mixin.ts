import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { closeMongo, openMongo } from "../mongo/mongo.ts";
import type { Blobs } from "./blobs.ts";
import { diskBlobs } from "./disk.blobs.ts";
import { gridfsBlobs } from "./gridfs.blobs.ts";

const sweepEveryMs = 10 * 60_000;

/** What the mixin adds to a service. */
export interface WithBlobs {
  blobs: Blobs;
}

/** Binary results below the data folder, or in the cluster's MongoDB, swept while the service runs: `this.blobs`. */
export function blobsMixin({
  dataDir,
  cluster,
}: Pick<Config, "dataDir" | "cluster">): Partial<ServiceSchema> {
  let timer: NodeJS.Timeout | undefined;
  let opened = false;
  return mixin<WithBlobs>({
    async started() {
      this.blobs = cluster ? await gridfsBlobs(await openMongo(cluster)) : diskBlobs(join(dataDir, "blobs"));
      opened = true;
      const sweep = async () => {
        try {
          const removed = await this.blobs.sweep(Date.now());
          if (removed > 0) this.logger.info("blobs.swept", { removed });
        } catch (error) {
          this.logger.error("blobs.sweep.failed", { error });
        }
      };
      await sweep();
      timer = setInterval(sweep, sweepEveryMs);
    },
    async stopped() {
      clearInterval(timer);
      if (cluster && opened) await closeMongo(cluster);
      opened = false;
    },
  });
}
