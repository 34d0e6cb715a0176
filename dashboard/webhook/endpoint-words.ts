/* The state of an endpoint in words. */
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import type { MarkKind } from "../parts/state.ts";

export type Health = Pick<WebhookState, "status" | "failures"> &
  Partial<Pick<WebhookState, "enabled" | "held">>;

/** The mark of an endpoint. A paused one is no fault. */
export function markOf({ status, enabled = true, failures, held }: Health): [MarkKind, string] {
  if (!enabled) return ["quiet", "Paused"];
  if (status === "FAILED") return ["bad", "Failed"];
  if (status === "UNCONFIRMED") return ["warn", "Not confirmed yet"];
  if (held) return ["warn", "Held for a quota"];
  return failures > 0 ? ["warn", "Retrying"] : ["good", "Active"];
}

/** Says when the next attempt is, where no time is planned. */
export function nextWords({ status, enabled = true, held }: Health): string {
  if (!enabled || status === "DISABLED") return "once it continues";
  if (status === "FAILED") return "once it is active again";
  if (held)
    return `when the quota of ${held.name} resets: ${held.used} of ${held.limit} of this ${held.period} are used`;
  return status === "UNCONFIRMED" ? "once its owner agrees" : "as events come";
}
