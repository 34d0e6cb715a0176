import { type Span, type Tracer, TracerExporters } from "moleculer";
import { fetch } from "undici";
import { type Periodic, periodic } from "../async/periodic.ts";
import type { TracingConfig } from "../config/config.ts";
import { logEvent } from "../log/log-events.ts";
import { parseTraceparent, spanIdOf, traceIdOf } from "./trace-context.ts";

/** Spans that wait for a collector that is away; further ones are dropped and counted. */
const mostWaiting = 5000;
const mostInRequest = 512;
const everyMs = 2000;
const requestMs = 10_000;

/**
 * Sends finished spans to an OpenTelemetry collector, as OTLP over HTTP in JSON (`POST <endpoint>/v1/traces`). Spans are
 * lost rather than kept when the collector is away: no request waits for it.
 */
export class OtlpExporter extends TracerExporters.Base {
  readonly #config: TracingConfig;
  readonly #resource: object;
  #waiting: object[] = [];
  #dropped = 0;
  #sending: Periodic | undefined;

  constructor(config: TracingConfig, version: string) {
    super({});
    this.#config = config;
    this.#resource = attributesOf({ "service.name": config.serviceName, "service.version": version });
  }

  override init(tracer: Tracer): void {
    super.init(tracer);
    const onError = (error: unknown) => this.#onError(error);
    this.#sending = periodic(() => this.#flush(), { everyMs, onError });
  }

  override async stop(): Promise<void> {
    await this.#sending?.stop();
    await this.#flush().catch(error => this.#onError(error));
  }

  override spanFinished(span: Span): void {
    if (!span.sampled) return;
    const otlp = otlpSpan(span);
    if (!otlp) return;
    if (this.#waiting.length >= mostWaiting) this.#dropped += 1;
    else this.#waiting.push(otlp);
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.slice(0, mostInRequest);
      await this.#send(spans);
      this.#waiting = this.#waiting.slice(spans.length);
    }
    if (this.#dropped > 0) logEvent(this.broker.logger, "spans.dropped", { spans: this.#dropped });
    this.#dropped = 0;
  }

  async #send(spans: object[]): Promise<void> {
    const { endpoint, headers } = this.#config;
    const scopeSpans = [{ scope: { name: "magpie" }, spans }];
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ resourceSpans: [{ resource: this.#resource, scopeSpans }] }),
      signal: AbortSignal.timeout(requestMs),
    });
    await response.body?.cancel();
    if (response.status >= 500 || response.status === 429)
      throw new Error(`The collector answered with status ${response.status}.`);
    // What it refuses otherwise it refuses again.
    if (!response.ok) logEvent(this.broker.logger, "trace_export.refused", { status: response.status });
  }

  #onError(error: unknown): void {
    logEvent(this.broker.logger, "trace_export.failed", { error, spans: this.#waiting.length });
  }
}

const [internal, server, client] = [1, 2, 3];
const [ok, failed] = [1, 2];

/** Undefined for a span of a trace whose caller does not want it recorded. */
function otlpSpan({ name, id, traceID, parentID, startTime, finishTime, tags, error, service }: Span) {
  const caller = parseTraceparent(tags.traceparent);
  if (caller && !caller.isSampled) return undefined;
  const parentSpanId = parentID ? spanIdOf(parentID) : caller?.spanId;
  const { action, nodeID, remoteCall, callingLevel, isRequest } = tags;
  const [method, route] = [tags["http.request.method"], tags["http.route"]];
  return {
    traceId: caller?.traceId ?? traceIdOf(traceID ?? id),
    spanId: spanIdOf(id),
    ...(parentSpanId && { parentSpanId }),
    name: method ? `${method} ${route ?? ""}`.trim() : (action?.name ?? name),
    kind: isRequest ? client : remoteCall || callingLevel === 1 ? server : internal,
    startTimeUnixNano: nanoseconds(startTime),
    endTimeUnixNano: nanoseconds(finishTime),
    ...attributesOf({
      "rpc.system": action && "moleculer",
      "rpc.service": service?.fullName,
      "rpc.method": action?.name,
      "service.instance.id": nodeID,
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": tags["http.response.status_code"],
      "error.type": errorType(error),
    }),
    status: { code: error ? failed : ok },
  };
}

function errorType(error: Span["error"]): string | undefined {
  if (!error) return undefined;
  return error === true ? "error" : ((error as { type?: string }).type ?? error.name);
}

/** Milliseconds with a fraction, which nanoseconds in a double do not have. */
function nanoseconds(ms: number | null): string {
  const whole = Math.floor(ms ?? 0);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round(((ms ?? 0) - whole) * 1e6)));
}

function attributesOf(all: Record<string, unknown>): { attributes: object[] } {
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== null);
  return { attributes: given.map(([key, value]) => ({ key, value: { stringValue: String(value) } })) };
}
