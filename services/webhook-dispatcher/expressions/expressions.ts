import { isKilled, type Killed, openProcesses, type Processes } from "../../../mixins/runtime/processes.ts";
import { hasProblem, type Job, type Match, type Problem, type Transformed } from "./jobs.ts";
import { limits } from "./limits.ts";

/** Evaluates JSONata that users write, each within its limits; a key that overruns them delays no other. */
export interface Expressions {
  /** What is wrong with the expression itself; null for nothing. */
  check(keyId: string, expression: string): Promise<string | null>;
  /** Whether each of these events, given as JSON, passes; one entry for each. */
  match(keyId: string, expression: string, events: readonly string[]): Promise<Match[]>;
  /** The body that the expression makes of an event; the bindings are its variables. */
  transform(
    keyId: string,
    expression: string,
    event: string,
    bindings: Record<string, unknown>,
  ): Promise<Transformed>;
}

/** What a turn takes of a long list. */
const [turnEvents, turnCharacters] = [64, 500_000];

/** Expressions in processes of their own, which start with the first and end when there are none for a minute. */
export function openExpressions(): Expressions & { close(): Promise<void> } {
  const processes: Processes<Job, unknown> = openProcesses({
    program: new URL("./evaluate.child.ts", import.meta.url),
    flags: [
      "--no-warnings",
      // Whatever an expression may find: no files to write, no programs to start, no ways to prototypes.
      ...["--permission", "--allow-fs-read=*", "--allow-worker", "--disable-proto=delete"],
    ],
    width: 2,
    maxMs: limits.wallMs,
  });
  const suspended = new Suspended();
  const ask = async <Result extends object | boolean>(keyId: string, job: Job): Promise<Result | Problem> => {
    const reason = suspended.reasonFor(keyId, job.expression);
    if (reason !== undefined) return { problem: reason };
    const answer = await processes.run(keyId, job);
    const result = isKilled(answer) ? { problem: wordsOf(answer), isLate: true } : (answer as Result);
    for (const each of [result].flat()) if (isLate(each)) suspended.add(keyId, job.expression);
    return result;
  };
  return {
    check: async (keyId, expression) => {
      const result = await ask<boolean>(keyId, { is: "check", expression });
      return hasProblem(result) ? result.problem : null;
    },
    match: async (keyId, expression, events) => {
      const matches: Match[] = [];
      for (let size = turnEvents; matches.length < events.length; ) {
        const turn = turnOf(events, matches.length, size);
        const found = await ask<Match[]>(keyId, { is: "match", expression, events: turn });
        if (!hasProblem(found)) matches.push(...found);
        // It is one of them that takes so long: from here on they come one by one.
        else if (turn.length > 1) size = 1;
        else matches.push(found);
      }
      return matches;
    },
    transform: (keyId, expression, event, bindings) =>
      ask<Transformed>(keyId, { is: "transform", expression, event, bindings }),
    close: () => processes.close(),
  };
}

function isLate(result: unknown): boolean {
  return typeof result === "object" && result !== null && "isLate" in result;
}

function turnOf(events: readonly string[], from: number, size: number): string[] {
  const turn: string[] = [];
  let characters = 0;
  for (const event of events.slice(from, from + size)) {
    characters += event.length;
    if (turn.length > 0 && characters > turnCharacters) break;
    turn.push(event);
  }
  return turn;
}

function wordsOf({ killed }: Killed): string {
  return killed === "time"
    ? `It takes more than ${limits.wallMs / 1000} s.`
    : "It needs too much memory, or its process has ended.";
}

/** How often an expression may overrun its time before it rests, and for how long. */
const [mostOverruns, restMs] = [5, 60_000];

/** Expressions that have overrun their time again and again: they rest, since each time delays others. */
class Suspended {
  readonly #overruns = new Map<string, { count: number; until: number }>();

  reasonFor(keyId: string, expression: string): string | undefined {
    const found = this.#overruns.get(nameOf(keyId, expression));
    if (!found || found.count < mostOverruns) return undefined;
    if (Date.now() < found.until) return "It has overrun its time again and again, and rests for a minute.";
    this.#overruns.delete(nameOf(keyId, expression));
    return undefined;
  }

  add(keyId: string, expression: string): void {
    const now = Date.now();
    for (const [name, { until }] of this.#overruns) if (until <= now) this.#overruns.delete(name);
    const name = nameOf(keyId, expression);
    const count = (this.#overruns.get(name)?.count ?? 0) + 1;
    this.#overruns.set(name, { count, until: now + restMs });
  }
}

function nameOf(keyId: string, expression: string): string {
  return `${keyId} ${expression}`;
}
