import type { Metric, Sample } from "../../../mixins/runtime/metrics.ts";
import type { Request, Response } from "../request/request.ts";

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 600];

interface Series {
  labels: { method: string; route: string };
  count: number;
  sum: number;
  /** Observations up to each bound and above the one before. */
  within: number[];
  /** Requests by status; 499 is a client that left. */
  byStatus: Map<number, number>;
}

/**
 * HTTP requests: durations by method and route, counts by status. Labels are the route's template, never its parameters or
 * keys. There is no histogram per status: it would add a dozen lines for each status that a client can provoke. Moleculer's
 * own histogram hashes its labels on every request; this one does not.
 */
export class HttpMetrics {
  readonly #series = new Map<string, Series>();

  observe(req: Request, res: Response): void {
    const status = res.writableFinished ? res.statusCode : 499;
    const series = this.#of(knownMethod(req.method), req.match?.route.path ?? "unmatched");
    const seconds = (performance.now() - req.startedAt) / 1000;
    const at = bounds.findIndex(bound => seconds <= bound);
    if (at >= 0) series.within[at] = (series.within[at] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
  }

  metrics(): Metric[] {
    return [
      {
        name: "magpie.http.request.duration.seconds",
        type: "histogram",
        description: "Seconds from the request's headers to the end of the answer",
        snapshot: () => [...this.#series.values()].map(durations),
      },
      {
        name: "magpie.http.requests.total",
        type: "counter",
        description: "HTTP requests by status; 499 is a client that left",
        snapshot: () => [...this.#series.values()].flatMap(counts),
      },
    ];
  }

  #of(method: string, route: string): Series {
    const name = `${method} ${route}`;
    const known = this.#series.get(name);
    if (known) return known;
    const within = bounds.map(() => 0);
    const series = { labels: { method, route }, count: 0, sum: 0, within, byStatus: new Map() };
    this.#series.set(name, series);
    return series;
  }
}

function durations({ labels, count, sum, within }: Series): Sample {
  let total = 0;
  const buckets = bounds.map((bound, at) => {
    total += within[at] ?? 0;
    return [bound, total] as const;
  });
  return { labels, count, sum, buckets };
}

function counts({ labels, byStatus }: Series): Sample[] {
  return [...byStatus].map(([status, value]) => ({ labels: { ...labels, status }, value }));
}

/** Clients choose methods freely, so unknown ones share a label. */
function knownMethod(method = "OTHER"): string {
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].includes(method) ? method : "OTHER";
}
