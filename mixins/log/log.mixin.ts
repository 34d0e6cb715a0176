import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { type Appended, appended } from "../../services/contracts/events.ts";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { type OpenLog, openEmbeddedLog } from "./embedded.log.ts";
import type { EventLog } from "./log.ts";

/** What the mixin adds to a service. */
export interface WithLog {
  log: EventLog;
}

interface Inside {
  log?: OpenLog;
}

/** The event log of every key as `this.log`. */
export function logMixin(config: Pick<Config, "dataDir">): Partial<ServiceSchema> {
  return mixin<Inside>({
    events: {
      [appended.name](this: Inside, ctx: { params: Appended }) {
        this.log?.hear(ctx.params.keyIds);
      },
    },
    async started() {
      this.log = openEmbeddedLog({
        path: join(config.dataDir, "magpie.db"),
        hint: keyIds => this.broker.broadcast(appended.name, { keyIds } satisfies Appended),
      });
    },
    async stopped() {
      this.log?.close();
      this.log = undefined;
    },
  });
}
