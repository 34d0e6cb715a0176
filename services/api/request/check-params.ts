import { Validators } from "moleculer";
import type { ParamsSchema } from "../../contracts/action.ts";
import { fail } from "../../contracts/errors.ts";
import { fieldErrors, type InvalidParameter } from "../response/public-error.ts";

type Check = (params: Record<string, unknown>) => true | InvalidParameter[];

const validator = new Validators.Fastest();
const checks = new WeakMap<ParamsSchema, Check>();

/**
 * Checks the parameters of what the gateway answers itself, as the broker checks those of actions, and fills the defaults
 * in. Throws 400 that names each mistake.
 */
export function checkParams(rules: ParamsSchema, params: Record<string, unknown>): void {
  const check = checks.get(rules) ?? (validator.compile({ ...rules }) as unknown as Check);
  checks.set(rules, check);
  const found = check(params);
  if (found === true) return;
  const details = fieldErrors(found, rules);
  throw fail("validation_failed", details[0]?.message ?? "The parameters are not valid.", { details });
}
