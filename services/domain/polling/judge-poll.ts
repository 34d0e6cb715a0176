/** How a source fares. `gone`: it said that it will not come back; it is looked at once a day. */
export interface Health {
  health: "ok" | "failing" | "gone";
  /** Failed polls since the last good one. */
  failures: number;
}

export interface Judgement extends Health {
  /** What those who track the source are told of, once for each change. */
  notice: "source.failing" | "source.recovered" | "source.gone" | null;
}

/** Failed polls in a row after which a source counts as failing. */
const patience = 5;

/** What a poll makes of a source's health. */
export function judgePoll({ health, failures }: Health, outcome: "ok" | "failed" | "gone"): Judgement {
  if (outcome === "ok")
    return { health: "ok", failures: 0, notice: health === "ok" ? null : "source.recovered" };
  const failed = failures + 1;
  if (outcome === "gone")
    return { health: "gone", failures: failed, notice: health === "gone" ? null : "source.gone" };
  const fails = health === "ok" && failed >= patience;
  return {
    health: fails ? "failing" : health,
    failures: failed,
    notice: fails ? "source.failing" : null,
  };
}
