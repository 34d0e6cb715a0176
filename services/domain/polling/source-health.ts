/** The health of a source. `gone`: the source says that it will not come back; it is polled once a day. */
export interface Health {
  health: "ok" | "failing" | "gone";
  /** Failed polls since the last successful one. */
  failures: number;
}

export interface HealthJudgement extends Health {
  /** The event for the keys that track the source, once per change. */
  notice: "source.failing" | "source.recovered" | "source.gone" | null;
}

/** Consecutive failed polls after which a source counts as failing. */
const failuresUntilFailing = 5;

/** A source's health after a poll. */
export function judgeHealth(
  { health, failures }: Health,
  outcome: "ok" | "failed" | "gone",
): HealthJudgement {
  if (outcome === "ok")
    return { health: "ok", failures: 0, notice: health === "ok" ? null : "source.recovered" };
  const failed = failures + 1;
  if (outcome === "gone")
    return { health: "gone", failures: failed, notice: health === "gone" ? null : "source.gone" };
  const fails = health === "ok" && failed >= failuresUntilFailing;
  return {
    health: fails ? "failing" : health,
    failures: failed,
    notice: fails ? "source.failing" : null,
  };
}
