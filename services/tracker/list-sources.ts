import { findPage } from "../../mixins/store/find-page.ts";
import type { Listed, SourceStanding, Wanted } from "../contracts/inspection.contract.ts";
import type { SourceKind } from "../contracts/source.ts";
import { publicSource } from "./records.ts";
import type { StoredSource, TrackerRoom } from "./room.ts";

/** What is tracked, by whomever, and how its polling goes. */
export async function listSources(
  room: TrackerRoom,
  { source: kind, ...wanted }: Wanted & { source?: SourceKind },
): Promise<Listed<SourceStanding>> {
  const { page, next_cursor } = await findPage(room.sources, { ...wanted, ...(kind && { query: { kind } }) });
  const data = await Promise.all(page.map(source => standing(room, source)));
  return { data, next_cursor, message: "Sources listed." };
}

async function standing({ subscriptions }: TrackerRoom, source: StoredSource): Promise<SourceStanding> {
  const { health, failures, polledAt, dueAt } = source;
  return {
    ...publicSource(source),
    keys: await subscriptions.count({ sourceId: source._id }),
    health,
    failures,
    polled_at: new Date(polledAt).toISOString(),
    due_at: new Date(dueAt).toISOString(),
  };
}
