import type { PollResult } from "../../contracts/connectors.contract.ts";
import type { TrackerContext } from "../context.ts";
import type { StoredSource } from "../sources.store.ts";
import { checkFields, endedCheck, mutedAfter, runAfter, valuesAfter } from "./check-runs.ts";
import type { KeptVersions } from "./keep-versions.ts";
import { bodyIdOf } from "./source-events.ts";

/** What is known of a check once its events are in the log. */
export interface ToldCheck extends KeptVersions {
  /** Milliseconds since the epoch: when the check began, and when its events were made. */
  startedAt: number;
  eventAt: number;
}

/** Writes the runs that have ended with a check, and answers what the source's document has of those that go on. */
export async function recordCheck(
  { history, now }: Pick<TrackerContext, "history" | "now">,
  { _id: sourceId, run: formerRun, values: formerValues = [], muted = [] }: StoredSource,
  result: PollResult,
  { posts, versionId, startedAt, eventAt }: ToldCheck,
): Promise<Pick<StoredSource, "run" | "values" | "muted" | "version">> {
  const last = posts.at(-1);
  const made = last && { eventId: bodyIdOf(sourceId, last), eventAt: last.at ?? eventAt };
  const found = { ...(versionId !== undefined && { versionId }), ...made };
  const { run, ended } = runAfter(formerRun, endedCheck(result, startedAt, now() - startedAt, found));
  if (ended) await history.addChecks([{ ...ended, sourceId }]);
  const { values, ended: endedValues } = valuesAfter(formerValues, result, startedAt);
  if (endedValues.length > 0) await history.addValues(endedValues.map(each => ({ ...each, sourceId })));
  const isPage = result.ok && versionId !== undefined && !result.check?.items?.length;
  return { ...checkFields(run, values, mutedAfter(muted, result)), ...(isPage && { version: versionId }) };
}
