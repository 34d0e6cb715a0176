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

/** The pages of every crawl as `this.frontier`. */
export function frontierMixin(config: Pick<Config, "dataDir">): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      this.frontier = openEmbeddedFrontier(join(config.dataDir, "magpie.db"));
    },
    async stopped() {
      await this.frontier?.close();
      this.frontier = undefined;
    },
  });
}
