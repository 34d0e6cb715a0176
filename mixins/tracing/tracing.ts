import type { Context, TracerOptions } from "moleculer";
import type { CallMeta } from "../../services/contracts/caller.ts";
import type { TracingConfig } from "../config/config.ts";
import { OtlpExporter } from "./otlp-exporter.ts";

/** The broker's tracing: off unless a collector is set. Spans hold the names of actions, no parameters and no answers. */
export function tracingOptions(config: TracingConfig | undefined, version: string): TracerOptions {
  if (!config) return { enabled: false };
  return {
    enabled: true,
    exporter: new OtlpExporter(config, version) as never,
    sampling: { rate: config.ratio },
    // A message may hold an address of a user.
    errorFields: ["name", "code", "type"],
    tags: { action: tagsOf },
  };
}

function tagsOf({ meta }: Context<unknown, CallMeta>): { traceparent?: string } {
  return meta.traceparent === undefined ? {} : { traceparent: meta.traceparent };
}
