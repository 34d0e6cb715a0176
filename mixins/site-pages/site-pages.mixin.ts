import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/service.ts";
import type { Config } from "../config/config.ts";
import { openEmbeddedSitePages } from "./embedded.site-pages.ts";
import type { OpenSitePages } from "./site-pages.ts";

/** What the mixin adds to a service. */
export interface WithSitePages {
  sitePages: OpenSitePages;
}

interface Inside {
  sitePages?: OpenSitePages;
}

type Of = Pick<Config, "dataDir" | "cluster">;

/** The pages of every tracked site of the installation as `this.sitePages`. */
export function sitePagesMixin(config: Of): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      this.sitePages = await open(config);
    },
    async stopped() {
      await this.sitePages?.close();
      this.sitePages = undefined;
    },
  });
}

async function open({ dataDir, cluster }: Of): Promise<OpenSitePages> {
  if (!cluster) return openEmbeddedSitePages(join(dataDir, "magpie.db"));
  // The client of MongoDB is memory and time that the embedded mode need not spend.
  const { openMongoSitePages } = await import("./mongo.site-pages.ts");
  return openMongoSitePages(cluster);
}
