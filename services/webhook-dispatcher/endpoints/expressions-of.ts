import { invalid } from "../../contracts/errors.ts";
import type { WebhookContext } from "../context.ts";
import type { Wanted } from "./endpoint-fields.ts";

/** Throws a 400 that names the field and the place where an expression of a request is no JSONata. */
export async function admitExpressions(
  { expressions }: Pick<WebhookContext, "expressions">,
  keyId: string,
  wanted: Pick<Wanted, "filter" | "transform">,
): Promise<void> {
  for (const field of ["filter", "transform"] as const) {
    const expression = wanted[field];
    const problem = expression ? await expressions.check(keyId, expression) : null;
    if (problem !== null)
      throw invalid(field, "malformed", `\`${field}\` cannot be read as JSONata: ${problem}`);
  }
}
