import type { OutgoingEvent } from "../lanes/active-lane.ts";

/** Events as NDJSON: one a line, each as a webhook has it. */
export function linesOf(events: readonly Pick<OutgoingEvent, "body">[]): string {
  return events.map(({ body }) => `${body}\n`).join("");
}
