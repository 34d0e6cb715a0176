/* An endpoint in words: what it sends to, and its state. */
import type { DestinationOptions } from "../../services/contracts/destinations.ts";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import type { MarkKind } from "../parts/state.ts";
import { destinations } from "./destinations.ts";
import { formats, isMail } from "./formats.ts";

/** What an endpoint sends to: `Folder`, `Mail`, `URL`, `Slack`. */
export function receiverOf({
  destination,
  url,
  format,
}: Pick<WebhookState, "destination" | "url" | "format">): string {
  if (destination) return destinations[destination.type].name;
  if (isMail(url)) return "Mail";
  return format === "standard" ? "URL" : (formats[format].split(":")[0] ?? format);
}

/** What holds events that are sent together. Requests alone are signed. */
export type Unit = "request" | "mail" | "file" | "write";

export function unitOf({
  destination,
  url,
}: {
  destination?: Pick<DestinationOptions, "type"> | null | undefined;
  url: string;
}): Unit {
  if (destination) return destinations[destination.type].unit;
  return isMail(url) ? "mail" : "request";
}

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
