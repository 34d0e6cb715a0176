import type { Context, ServiceBroker, Span } from "moleculer";
import { formatTraceparent, parseTraceparent, spanIdOf, traceIdOf } from "./trace-context.ts";

/** A piece of work that is no call of an action. */
export interface OpenSpan {
  /** Its place in the trace, for what it causes. */
  readonly traceparent: string;
  /** `tags` are names of `otlp-exporter.ts`; nothing that a user chose. */
  end(tags?: { error?: string; "http.response.status_code"?: number }): void;
}

interface SpanOptions {
  /** The `traceparent` of what caused it; without one it begins a trace. */
  parent?: string | undefined;
  /** A request to another server. */
  isRequest?: boolean;
}

/** Begins a span; undefined while no traces are kept. */
export function openSpan(
  { tracer, nodeID }: Pick<ServiceBroker, "tracer" | "nodeID">,
  name: string,
  { parent, isRequest }: SpanOptions = {},
): OpenSpan | undefined {
  if (!tracer.isEnabled()) return undefined;
  const caller = parseTraceparent(parent);
  const tags = { nodeID, isRequest, ...(caller && { traceparent: parent }) };
  const span = tracer.startSpan(name, { tags, ...(caller && { sampled: caller.isSampled }) });
  return {
    traceparent: placeOf(span),
    end: ({ error, ...tags } = {}) => {
      span.addTags(tags);
      if (error !== undefined) span.setError(Object.assign(new Error(error), { type: error }));
      span.finish();
    },
  };
}

/** The place of a call in its trace, for work that continues it later; undefined while no traces are kept. */
export function traceparentOf({ span }: Pick<Context, "span">): string | undefined {
  return span ? placeOf(span) : undefined;
}

function placeOf({ id, traceID, sampled, tags }: Span): string {
  const caller = parseTraceparent(tags.traceparent);
  return formatTraceparent({
    traceId: caller?.traceId ?? traceIdOf(traceID),
    spanId: spanIdOf(id),
    isSampled: sampled && caller?.isSampled !== false,
  });
}
