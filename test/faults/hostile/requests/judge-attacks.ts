import { seconds } from "../judge.ts";
import { quantile } from "../neighbours.ts";
import type { Memory } from "../processes.ts";
import type { Sample } from "./innocent.ts";

/** What came of an attack, and of the innocent key beside it. */
export interface Hit {
  attack: string;
  /** What the attacker got, in words. */
  outcome: string;
  ms: number;
  deaths: number;
  samples: Sample[];
  memory: Memory;
}

/**
 * The API may be silent for so long, or for five times of what it was without an attack. A bound below this would
 * judge the machine, which other work may keep busy: Node parses 60,000 requests that came at once in half a second.
 */
const silenceMs = 5000;

/** One sentence for each thing that should not be. `alone` has the innocent key's answers before the first attack. */
export function judgeAttacks(alone: Sample[], hits: Hit[]): string[] {
  const bound = Math.max(silenceMs, 5 * Math.max(0, ...times(alone, "live")));
  return hits.flatMap(({ attack, deaths, samples, outcome }) => {
    const silence = Math.max(0, ...times(samples, "live"));
    const failed = samples.filter(({ isRight }) => !isRight).length;
    return [
      ...(deaths > 0 ? [`${attack}: the service died ${deaths} times`] : []),
      ...(silence > bound ? [`${attack}: the API was silent for ${seconds(silence)}`] : []),
      ...(failed > 0 ? [`${attack}: ${failed} requests of another key failed`] : []),
      ...(/internal_error|^no answer/.test(outcome) ? [`${attack}: its answer is ${outcome}`] : []),
    ];
  });
}

/** The innocent key's figures: `live p99 4 ms, at most 9 ms; scrapes p99 31 ms (212)`. */
export function figuresOf(samples: Sample[]): string {
  const [live, scrapes] = [times(samples, "live"), times(samples, "scrape")];
  const whole = (ms: number) => `${Math.round(ms)} ms`;
  return (
    `live p99 ${whole(quantile(live, 0.99))}, at most ${whole(Math.max(0, ...live))}; ` +
    `scrapes p99 ${whole(quantile(scrapes, 0.99))} (${scrapes.length})`
  );
}

function times(samples: Sample[], kind: Sample["kind"]): number[] {
  return samples.flatMap(sample => (sample.kind === kind ? sample.ms : []));
}
