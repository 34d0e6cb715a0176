import { exposition, expositionType } from "../../../mixins/metrics/exposition.ts";
import type { OwnAnswer } from "../route.ts";

/** Open like the health checks: it counts, and names no key, owner or address. */
export const metrics: OwnAnswer = {
  params: { $$strict: true },
  async answer({ broker, http }) {
    return { type: expositionType, body: await exposition(broker, [http]) };
  },
};
