import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import type { Limiter } from "./limiter.ts";
import { memoryLimiter } from "./memory.limiter.ts";

/** What the mixin adds to a service. */
export interface WithLimiter {
  limiter: Limiter;
}

/** Rates and slots by key; the accessor is `this.limiter`. The memory driver has nothing to close. */
export function limiterMixin(_config: Config): Partial<ServiceSchema> {
  return mixin<WithLimiter>({
    created() {
      this.limiter = memoryLimiter();
    },
  });
}
