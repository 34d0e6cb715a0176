/* How a source is doing, in a word, and why. */
import type { VNode } from "preact";
import type { TrackedSource } from "../../services/contracts/source-lists.contract.ts";
import { html } from "../html.ts";
import { Mark, type MarkKind } from "../parts/state.ts";

export const healthMarks: Record<TrackedSource["health"], [MarkKind, string]> = {
  ok: ["good", "OK"],
  failing: ["warn", "Failing"],
  gone: ["bad", "Gone"],
};

type Polling = Pick<TrackedSource, "health" | "problem">;

export function HealthMark({ of: { health, problem } }: { of: Polling }): VNode {
  const [kind, word] = problem && health === "ok" ? (["warn", "Retrying"] as const) : healthMarks[health];
  return html`<${Mark} kind=${kind}>${word}<//>`;
}
