import { codeOf } from "../contracts/errors.ts";

/** Moleculer's errors for a room that is not there or takes nothing, and the connectors' own. */
const absent = new Set([
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "REQUEST_QUEUE_FULL",
  "REQUEST_REJECTED",
  "connector_unavailable",
]);

/** Whether an error says that nobody was there to do what was asked: nothing was done, and nothing is known. */
export function isAbsence(error: unknown): boolean {
  return absent.has(String(Object(error).type));
}

/** Milliseconds that an error wants us to wait; 0 when it does not say. */
export function retryAfterMs(error: unknown): number {
  if (codeOf(error) === undefined) return 0;
  const seconds = Object(Object(error).data).retry_after;
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : 0;
}
