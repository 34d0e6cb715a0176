import type { FieldError } from "../errors/detail-codes.ts";

/** Why a goal cannot be taken: without a language model nobody could judge by it. Null where it can. */
export function checkGoal({ goal }: { goal?: string | null }, hasModel: boolean): FieldError | null {
  if (!goal || hasModel) return null;
  const message =
    "This installation has no language model to judge changes by a goal: its operator can set LLM_BASE_URL and " +
    "LLM_MODEL to any OpenAI-compatible one. Without it, leave `goal` out, and say what counts with `when.contains`, " +
    "`select` or `ignore`.";
  return { field: "goal", code: "not_configured", message };
}
