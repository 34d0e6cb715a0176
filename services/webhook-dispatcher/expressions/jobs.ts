/** What a process is asked about an expression; events are JSON. */
export type Job =
  | { is: "check"; expression: string }
  | { is: "match"; expression: string; events: readonly string[] }
  | { is: "transform"; expression: string; event: string; bindings: Record<string, unknown> };

/** A sentence about an expression that has failed. */
export interface Problem {
  problem: string;
  /** It has overrun its time. */
  isLate?: boolean;
}

/** Whether an event passes. */
export type Match = boolean | Problem;

/** The body that an expression makes of an event. */
export type Transformed = { contentType: string; body: string } | Problem;

export function hasProblem(result: object | boolean): result is Problem {
  return typeof result === "object" && "problem" in result;
}
