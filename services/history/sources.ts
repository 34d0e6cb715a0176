import type { HeldSource } from "../contracts/held-source.contract.ts";
import type { SourceDetail } from "../contracts/history.contract.ts";
import type { Reading } from "./context.ts";
import { iso, shownCheck } from "./shown.ts";
import { summaryOf } from "./site-pages.ts";

/** Events that are counted, at most. */
const maxCounted = 1000;

/** A source as its page shows it. */
export async function readSource(reading: Reading): Promise<SourceDetail> {
  const { context, held } = reading;
  const { history } = context;
  const [{ versions, bytes }, [latest], changed, summary] = await Promise.all([
    history.size(held.id),
    history.checks(held.id, { limit: 1 }),
    history.versions(held.id, { outcomes: ["changed"], limit: maxCounted }),
    summaryOf(reading),
  ]);
  const run = held.run ?? (latest && latest.last >= held.readsFrom ? latest : null);
  return {
    ...held.shown,
    last_check: run ? shownCheck(reading, run) : null,
    interval_ms: intervalOf(held.shown),
    versions,
    bytes,
    events: changed.filter(({ at }) => at >= held.readsFrom).length,
    values: valuesOf(held),
    watched_from: iso(held.readsFrom),
    ...summary,
  };
}

function intervalOf({ due_at, polled_at }: HeldSource["shown"]): number | null {
  const wait = Date.parse(due_at) - Date.parse(polled_at);
  return wait > 0 ? wait : null;
}

/** The latest value of each field. */
function valuesOf({ values }: HeldSource): SourceDetail["values"] {
  return Object.fromEntries(values.map(({ field, value }) => [field, value]));
}
