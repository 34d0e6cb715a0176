import type { ServiceSchema } from "moleculer";
import { mixin } from "../../../services/contracts/service.ts";
import { type Periodic, periodic } from "../../async/periodic.ts";
import type { Config } from "../../config/config.ts";
import { logEvent } from "../../log/log-events.ts";
import type { Blobs } from "./blobs.ts";
import { type OpenBlobs, openBlobs } from "./open-blobs.ts";

const sweepEveryMs = 10 * 60_000;

/** What the mixin adds to a service. */
export interface WithBlobs {
  blobs: Blobs;
}

/** Binary results where the installation keeps them, swept while the service runs: `this.blobs`. */
export function blobsMixin(config: Pick<Config, "dataDir" | "cluster" | "s3">): Partial<ServiceSchema> {
  let sweeping: Periodic | undefined;
  let opened: OpenBlobs | undefined;
  return mixin<WithBlobs>({
    async started() {
      opened = await openBlobs(config);
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
      await opened?.close();
      opened = undefined;
    },
  });
}
