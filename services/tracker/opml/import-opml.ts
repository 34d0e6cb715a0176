import type { ParamsOf } from "../../contracts/action.ts";
import type { Caller } from "../../contracts/caller.ts";
import { invalid } from "../../contracts/errors.ts";
import type {
  importOpml as contract,
  OpmlEntry,
  OpmlImport,
  OpmlOutcome,
} from "../../contracts/opml.contract.ts";
import type { StoredEntry } from "../batches/batches.store.ts";
import { runBatch } from "../batches/track-many.ts";
import type { TrackerContext } from "../context.ts";
import { keyList } from "./key-list.ts";
import type { OpmlReader } from "./opml-reader.ts";
import { type Planned, planImport } from "./plan-import.ts";

type Answer = { data: OpmlImport; message: string };

/** Tracks what an OPML document names. New sources are a batch, which continues after the answer. */
export async function importOpml(
  context: TrackerContext,
  caller: Caller,
  { mode, dry_run, content_type, body }: ParamsOf<typeof contract>,
  reader: OpmlReader,
): Promise<Answer> {
  const charset = /charset=["']?([\w-]+)/i.exec(content_type ?? "")?.[1];
  const sender = { keyId: caller.keyId, signal: context.closing };
  const reading = await reader.read({ body, charset }, sender);
  if (!reading.ok) throw invalid("body", "opml", reading.reason);
  if (mode === "sync" && reading.entries.length === 0)
    throw invalid("body", "opml", "The document names no source. To track nothing, untrack the sources.");
  const plan = planImport(reading, { mode, held: await keyList(context, caller.keyId) });
  if (dry_run)
    return answer(
      { mode, dry_run, batch_id: null },
      plan.map(({ shown }) => shown),
    );
  await change(context, caller, plan);
  const wanted = plan.filter(({ item }) => item !== undefined);
  const batch_id =
    wanted.length === 0
      ? null
      : (
          await runBatch(
            context,
            caller,
            wanted.flatMap(({ item }) => item ?? []),
          )
        )._id;
  const ended = batch_id === null ? [] : await entriesOf(context, batch_id);
  const outcomes = new Map(wanted.map(({ shown }, number) => [shown, ended[number]]));
  return answer(
    { mode, dry_run, batch_id },
    plan.map(({ shown }) => shownOf(shown, outcomes.get(shown))),
  );
}

/** Subscriptions that are changed at a time. */
const chunk = 25;

/** Gives known sources their tags, without asking their sites. */
async function change(context: TrackerContext, { keyId }: Caller, plan: Planned[]): Promise<void> {
  const changes = plan.flatMap(({ change }) => change ?? []);
  for (let at = 0; at < changes.length; at += chunk)
    await Promise.all(
      changes.slice(at, at + chunk).map(({ id, set }) => context.subscriptions.update(id, { $set: set })),
    );
  if (changes.length > 0) context.onRetagged(keyId);
}

function entriesOf({ entries }: TrackerContext, batchId: string): Promise<StoredEntry[]> {
  return entries.find({ query: { batchId }, sort: ["_id"] });
}

const outcomes: Record<StoredEntry["status"], OpmlOutcome> = {
  pending: "pending",
  tracked: "added",
  known: "kept",
  waiting: "waiting",
  failed: "failed",
  removed: "removed",
};

function shownOf(shown: OpmlEntry, entry: StoredEntry | undefined): OpmlEntry {
  if (!entry) return shown;
  const { status, data = shown.data, error } = entry;
  return { ...shown, outcome: outcomes[status], ...(data && { data }), ...(error && { error }) };
}

function answer(about: Pick<OpmlImport, "mode" | "dry_run" | "batch_id">, entries: OpmlEntry[]): Answer {
  const numberOf = (outcome: OpmlOutcome) => entries.filter(each => each.outcome === outcome).length;
  const pending = numberOf("pending");
  const counts = {
    added: numberOf("added"),
    kept: numberOf("kept"),
    removed: numberOf("removed"),
    waiting: numberOf("waiting"),
    pending,
    failed: numberOf("failed"),
  };
  const data = {
    ...about,
    state: pending > 0 ? ("running" as const) : ("completed" as const),
    ...counts,
    entries,
  };
  return { data, message: messageOf(data) };
}

function messageOf({ dry_run, added, kept, removed, waiting, pending, failed }: OpmlImport): string {
  const parts = Object.entries({ added, kept, removed, waiting, pending, failed })
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${number} ${name}`);
  const summary = parts.length === 0 ? "The document names no source." : `Sources: ${parts.join(", ")}.`;
  return dry_run ? `Nothing was changed. ${summary}` : summary;
}
