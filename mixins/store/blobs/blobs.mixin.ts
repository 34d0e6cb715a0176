import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../../services/contracts/service.ts";
import { type Periodic, periodic } from "../../async/periodic.ts";
import type { Config } from "../../config/config.ts";
import { logEvent } from "../../log/log-events.ts";
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
  let sweeping: Periodic | undefined;
  let opened: OpenBlobs | undefined;
  return mixin<WithBlobs>({
    async started() {
      opened = await open(config);
      this.blobs = opened.blobs;
      const sweep = async () => {
        const removed = await this.blobs.sweep(Date.now());
        if (removed > 0) logEvent(this.logger, "blobs.deleted", { removed });
      };
      const onError = (error: unknown) => logEvent(this.logger, "blob_cleanup.failed", { error });
      sweeping = periodic(sweep, { everyMs: sweepEveryMs, onError });
      await sweeping.run();
    },
    async stopped() {
      await sweeping?.stop();
      await opened?.close?.();
      opened = undefined;
    },
  });
}

async function open({ dataDir, cluster }: Of): Promise<OpenBlobs> {
  if (!cluster) return { blobs: diskBlobs(join(dataDir, "blobs")) };
  // The embedded mode does not load the client of MongoDB, which takes memory and time.
  const { openClusterBlobs } = await import("./gridfs.blobs.ts");
  return openClusterBlobs(cluster);
}
