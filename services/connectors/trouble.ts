import type { PollResult } from "../contracts/connectors.contract.ts";
import { codeOf, type ErrorCode } from "../contracts/errors.ts";
import type { ConnectorTools, PolledSource } from "./connector.ts";
import { retryAfter } from "./hints.ts";
import { backoff, jittered } from "./pace.ts";

const ours = new Set<ErrorCode>(["internal_error", "unauthorized", "overloaded"]);

/** What a poll that failed tells. The source is left alone for as long as it asks, and longer with each failure. */
export function trouble(
  { state, failures }: PolledSource,
  { minIntervalMs, random }: Pick<ConnectorTools, "minIntervalMs" | "random">,
  reason: string,
  { gone = false, askedMs = 0 } = {},
): PollResult {
  const retryAfterMs = Math.max(askedMs, jittered(backoff(failures, minIntervalMs), random()));
  return { ok: false, reason, gone, retryAfterMs, state };
}

/** The same for an answer with a status that is no success. */
export function statusTrouble(
  source: PolledSource,
  tools: ConnectorTools,
  status: number,
  headers: Record<string, string>,
): PollResult {
  if (status === 410)
    return trouble(source, tools, "The site says that this is gone for good.", { gone: true });
  const askedMs = retryAfter(headers["retry-after"], tools.now()) ?? 0;
  return trouble(source, tools, `The site answered with status ${status}.`, { askedMs });
}

/** The same for an error of a fetch. Trouble on this side is no fault of the source, which was not looked at: thrown. */
export function errorTrouble(source: PolledSource, tools: ConnectorTools, error: unknown): PollResult {
  const code = codeOf(error);
  if (code === undefined || ours.has(code)) throw error;
  return trouble(source, tools, (error as Error).message);
}
