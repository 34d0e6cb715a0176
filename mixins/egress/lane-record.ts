export type UnreachableReason = "dns" | "connect" | "tls" | "timeout";

/** What the guard saw of one job. */
export interface LaneReport {
  /** What the targets sent. */
  bytes: number;
  /** `host:port` of each target that was refused, once each. */
  refused: string[];
  /** Targets that could not be reached, or the upstream proxy in their place; once each. */
  unreachable: { host: string; reason: UnreachableReason }[];
  /** The byte budget was used up; what the browser shows may be cut short. */
  overBudget: boolean;
}

export interface LaneRecord {
  reset(maxBytes: number): void;
  refuse(target: string): void;
  miss(host: string, reason: UnreachableReason): void;
  /** Adds bytes; true when they pass the budget. */
  spend(bytes: number): boolean;
  isSpent(): boolean;
  report(): LaneReport;
}

// A page can name any number of hosts; the record stays small.
const maxHosts = 200;

export function createLaneRecord(): LaneRecord {
  let maxBytes = Number.POSITIVE_INFINITY;
  let bytes = 0;
  const refused = new Set<string>();
  const unreachable = new Map<string, UnreachableReason>();
  const isSpent = () => bytes > maxBytes;
  return {
    isSpent,
    reset: budget => {
      maxBytes = budget;
      bytes = 0;
      refused.clear();
      unreachable.clear();
    },
    refuse: target => {
      if (refused.size < maxHosts) refused.add(target);
    },
    miss: (host, reason) => {
      if (unreachable.size < maxHosts) unreachable.set(host, reason);
    },
    spend: count => {
      bytes += count;
      return isSpent();
    },
    report: () => ({
      bytes,
      refused: [...refused],
      unreachable: Array.from(unreachable, ([host, reason]) => ({ host, reason })),
      overBudget: isSpent(),
    }),
  };
}
