import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import type { Blobs } from "./blobs.ts";
import { diskBlobs } from "./disk.blobs.ts";

const sweepEveryMs = 10 * 60_000;

/** What the mixin adds to a service. */
export interface WithBlobs {
  blobs: Blobs;
}

/** Binary results below the data folder, swept while the service runs; the accessor is `this.blobs`. */
export function blobsMixin(config: Pick<Config, "dataDir">): Partial<ServiceSchema> {
  let timer: NodeJS.Timeout | undefined;
  return mixin<WithBlobs>({
    created() {
      this.blobs = diskBlobs(join(config.dataDir, "blobs"));
    },
    async started() {
      const sweep = async () => {
        try {
          const removed = await this.blobs.sweep(Date.now());
          if (removed > 0) this.logger.info("blobs.swept", { removed });
        } catch (error) {
          this.logger.error("blobs.sweep.failed", { error: String(error) });
        }
      };
      await sweep();
      timer = setInterval(sweep, sweepEveryMs);
    },
    async stopped() {
      clearInterval(timer);
    },
  });
}
