import type { Metric, Sample } from "../../../mixins/metrics/prometheus-text.ts";
import type { Request, Response } from "../gateway.ts";

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 600];

interface Series {
  method: string;
  route: string;
  status: number;
  count: number;
  sum: number;
  /** Observations up to each bound and above the one before. */
  within: number[];
}

/**
 * HTTP requests and how long they took, by method, route and status; 499 is a client that left. Labels are the route's
 * template, never its parameters or keys.
 * Moleculer's own histogram hashes its labels on every request, which this does not.
 */
export class HttpMetrics implements Metric {
  readonly name = "magpie.http.request.duration.seconds";
  readonly type = "histogram";
  readonly description = "Seconds from the request's headers to the end of the answer";
  readonly #series = new Map<string, Map<number, Series>>();

  observe(req: Request, res: Response): void {
    const status = res.writableFinished ? res.statusCode : 499;
    const series = this.#of(knownMethod(req.method), req.match?.route.path ?? "unmatched", status);
    const seconds = (performance.now() - req.startedAt) / 1000;
    const at = bounds.findIndex(bound => seconds <= bound);
    if (at >= 0) series.within[at] = (series.within[at] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
  }

  snapshot(): Sample[] {
    const all = [...this.#series.values()].flatMap(byStatus => [...byStatus.values()]);
    return all.map(({ method, route, status, count, sum, within }) => {
      let total = 0;
      const cumulative = bounds.map((bound, at) => {
        total += within[at] ?? 0;
        return [bound, total] as const;
      });
      return { labels: { method, route, status }, count, sum, buckets: cumulative };
    });
  }

  #of(method: string, route: string, status: number): Series {
    const name = `${method} ${route}`;
    const byStatus = this.#series.get(name) ?? new Map<number, Series>();
    const known = byStatus.get(status);
    if (known) return known;
    const series = { method, route, status, count: 0, sum: 0, within: bounds.map(() => 0) };
    this.#series.set(name, byStatus.set(status, series));
    return series;
  }
}

/** Clients choose methods freely; a label must not grow with them. */
function knownMethod(method = "OTHER"): string {
  return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].includes(method) ? method : "OTHER";
}
