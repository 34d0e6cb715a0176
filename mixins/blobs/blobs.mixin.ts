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

type Of = Pick<Config, "dataDir" | "cluster">;

interface OpenBlobs {
  blobs: Blobs;
  close?(): Promise<void>;
}

/** Binary results below the data folder, or in the cluster's MongoDB, swept while the service runs: `this.blobs`. */
export function blobsMixin(config: Of): Partial<ServiceSchema> {
  let timer: NodeJS.Timeout | undefined;
  let opened: OpenBlobs | undefined;
  return mixin<WithBlobs>({
    async started() {
      opened = await open(config);
      this.blobs = opened.blobs;
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
      await opened?.close?.();
      opened = undefined;
    },
  });
}

async function open({ dataDir, cluster }: Of): Promise<OpenBlobs> {
  if (!cluster) return { blobs: diskBlobs(join(dataDir, "blobs")) };
  // The client of MongoDB is memory and time that the embedded mode need not spend.
  const { openClusterBlobs } = await import("./cluster.blobs.ts");
  return openClusterBlobs(cluster);
}
