import { Distribution } from "../../../mixins/runtime/counters.ts";
import type { Metric, Sample } from "../../../mixins/runtime/prometheus-text.ts";
import type { Request, Response } from "../request/request.ts";
import type { Untaken } from "./untaken.ts";

/** Upper bounds in seconds. */
const bounds = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 600];

interface Series {
  labels: { method: string; route: string };
  durations: Distribution;
  /** Requests by status; 499 is a client that left. */
  byStatus: Map<number, number>;
}

/**
 * HTTP requests: durations by method and route, counts by status. Labels are the route's template, never its parameters or
 * keys. There is no histogram per status: it would add a dozen lines for each status that a client can provoke. Moleculer's
 * own histogram hashes its labels on every request; this one does not.
 */
export class HttpMetrics {
  /** The series of each route, then of each method. */
  readonly #series = new Map<string, Map<string, Series>>();
  readonly #untaken: Pick<Untaken, "bytes">;

  constructor(untaken: Pick<Untaken, "bytes">) {
    this.#untaken = untaken;
  }

  observe(req: Request, res: Response): void {
    const status = res.writableFinished ? res.statusCode : 499;
    const series = this.#of(knownMethod(req.method), req.match?.route.path ?? "unmatched");
    series.durations.observe((performance.now() - req.startedAt) / 1000);
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
  }

  metrics(): Metric[] {
    return [
      {
        name: "magpie_http_request_duration_seconds",
        type: "histogram",
        description: "Seconds from the request's headers to the end of the answer",
        snapshot: () => this.#all().map(({ labels, durations }) => durations.sample(labels)),
      },
      {
        name: "magpie_http_requests_total",
        type: "counter",
        description: "HTTP requests by status; 499 is a client that left",
        snapshot: () => this.#all().flatMap(counts),
      },
      {
        name: "magpie_http_untaken_bytes",
        type: "gauge",
        description: "Bytes of answers and streams that clients do not take",
        snapshot: () => [{ value: this.#untaken.bytes }],
      },
    ];
  }

  #of(method: string, route: string): Series {
    const known = this.#series.get(route)?.get(method);
    if (known) return known;
    const series = { labels: { method, route }, durations: new Distribution(bounds), byStatus: new Map() };
    const byMethod = this.#series.get(route) ?? new Map<string, Series>();
    this.#series.set(route, byMethod.set(method, series));
    return series;
  }

  #all(): Series[] {
    return [...this.#series.values()].flatMap(byMethod => [...byMethod.values()]);
  }
}

function counts({ labels, byStatus }: Series): Sample[] {
  return [...byStatus].map(([status, value]) => ({ labels: { ...labels, status }, value }));
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Clients choose methods freely, so unknown ones share a label. */
function knownMethod(method = "OTHER"): string {
  return methods.has(method) ? method : "OTHER";
}
