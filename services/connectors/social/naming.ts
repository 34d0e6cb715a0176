import { codeOf, type ErrorExtras, fail } from "../../contracts/errors.ts";

/** A refusal under the name that the field has for the caller. */
export function naming(error: unknown, from: string, to: string): unknown {
  const { data, message } = Object(error) as Error & { data?: ErrorExtras };
  if (codeOf(error) !== "validation_failed" || !data?.details) return error;
  const details = data.details.map(each => (each.field === from ? { ...each, field: to } : each));
  return fail("validation_failed", message, { ...data, details }, error);
}
