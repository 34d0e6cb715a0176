export type State = "ok" | "warn" | "fail";

/** What was looked at, how it is, and what to do about it. */
export interface Checked {
  check: string;
  state: State;
  said: string;
}

export function checked(check: string, state: State, said: string): Checked {
  return { check, state, said };
}
