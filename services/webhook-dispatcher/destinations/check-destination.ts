import { type Context, Errors } from "moleculer";
import { rulesFor } from "../endpoints/destination-fields.ts";

/**
 * Checks a destination by the rules of its type, and fills in their defaults. A choice of rules would name the fields of all types
 * in its errors; these are of one.
 */
export function checkDestination(
  { broker, action }: Context,
  { destination }: { destination?: unknown },
): void {
  if (destination === undefined || destination === null) return;
  const check = broker.validator?.compile({ destination: rulesFor(destination) });
  const found = check?.({ destination }) ?? true;
  if (found === true) return;
  const errors = (found as unknown as object[]).map(error => ({
    ...error,
    action: action?.name,
    nodeID: broker.nodeID,
  }));
  throw new Errors.ValidationError("Parameters validation error!", "VALIDATION_ERROR", errors);
}
