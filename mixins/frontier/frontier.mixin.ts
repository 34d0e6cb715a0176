import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { type OpenFrontier, openEmbeddedFrontier } from "./embedded.frontier.ts";
import type { Frontier } from "./frontier.ts";

/** What the mixin adds to a service. */
export interface WithFrontier {
  frontier: Frontier;
}

interface Inside {
  frontier?: OpenFrontier;
}

/** Opens a driver; it tells `onError` of what hinders it. */
export type OpenDriver = (onError: (error: unknown) => void) => OpenFrontier;

/** The pages of every crawl as `this.frontier`; in the database file unless another driver is given. */
export function frontierMixin(config: Pick<Config, "dataDir">, open?: OpenDriver): Partial<ServiceSchema> {
  const path = join(config.dataDir, "magpie.db");
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("frontier.hindered", { error });
      this.frontier = open ? open(onError) : openEmbeddedFrontier(path);
    },
    async stopped() {
      await this.frontier?.close();
      this.frontier = undefined;
    },
  });
}
