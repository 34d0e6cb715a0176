/* Marks for the states of scrapes, crawls and join requests, and the duration of a job. */
import type { VNode } from "preact";
import { html } from "../html.ts";
import { Mark, type MarkKind } from "../parts/state.ts";
import { duration } from "../parts/time.ts";

const marks: Record<string, [MarkKind, string]> = {
  pending: ["quiet", "Pending"],
  crawling: ["quiet", "Crawling"],
  waiting: ["quiet", "Waiting"],
  active: ["quiet", "Approved"],
  completed: ["good", "Completed"],
  cancelled: ["warn", "Cancelled"],
  failed: ["bad", "Failed"],
};

/** `code`: the HTTP status of a page that was read. One that answers with an error is read, but nobody wanted that. */
export function JobMark({ state, code }: { state: string; code?: number | null | undefined }): VNode {
  const [known, word] = marks[state] ?? ["quiet", state];
  const kind = known === "good" && (code ?? 0) >= 400 ? "warn" : known;
  return html`<${Mark} kind=${kind}>${word}<//>`;
}

/** Makes the choices of a filter of states. */
export function stateChoices(states: string[]): [value: string, name: string][] {
  return [["", "Any state"], ...states.map((state): [string, string] => [state, marks[state]?.[1] ?? state])];
}

/** The duration of a job in words; empty until it has ended. */
export function took(from: string | null | undefined, to: string | null | undefined): string {
  if (!from || !to) return "";
  return duration((Date.parse(to) - Date.parse(from)) / 1000);
}
