import type { Store } from "../../../../mixins/store/store.ts";
import type { Voice } from "../../../domain/sandbox/world.ts";
import type { Door } from "../../messenger/sandbox.connector.ts";
import type { SocialKind } from "../kinds.ts";
import { type Memory, type Said, Stage } from "./stage.ts";

/** What was said on demand on a simulated platform. */
export interface StoredSaid extends Said {
  _id: string;
  kind: SocialKind;
}

/** A request to be let into a gated channel; `_id` is the invite. */
export interface StoredKnock {
  _id: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Milliseconds for which what was said on demand can be read. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

const saidCollection = "sandbox_said";

/** The stage of a simulated platform, with what was said on it before. */
export async function openStage(
  kind: SocialKind,
  voices: readonly Voice[],
  everyMs: number | null,
  store: Store<StoredSaid>,
): Promise<Stage> {
  await store.removeMany({ kind, at: { $lt: Date.now() - keptMs } });
  const stage = new Stage({ voices, everyMs, memory: memoryOf(kind, store), now: Date.now });
  await stage.refresh();
  return stage;
}

function memoryOf(kind: SocialKind, store: Store<StoredSaid>): Memory {
  return {
    after: at => store.find({ query: { kind, at: { $gt: at } }, sort: ["at"] }),
    keep: (said, timeOf) =>
      store.transaction(transaction => {
        const all = transaction.collection<StoredSaid>(saidCollection);
        const [latest] = all.find({ query: { kind }, sort: ["-at"], limit: 1 });
        const at = timeOf(latest?.at ?? 0);
        all.insert({ _id: `${kind} ${at}`, kind, at, ...said });
        return { at, ...said };
      }),
  };
}

/** The doors of the gated channels, at which others may have knocked too. */
export function openDoor(store: Store<StoredKnock>): Door {
  return {
    askedAt: async invite => (await store.findById(invite))?.at,
    ask: (invite, at) => store.upsert(invite, { $set: { at } }),
    now: Date.now,
  };
}
