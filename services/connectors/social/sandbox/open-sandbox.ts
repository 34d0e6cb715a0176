import type { Store } from "../../../../mixins/store/store.ts";
import type { Voice } from "../../../domain/sandbox/world.ts";
import type { Door } from "../../messenger/sandbox.connector.ts";
import type { SocialKind } from "../kinds.ts";
import { type Said, Stage } from "./stage.ts";

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

/** The stage of a simulated platform, with what was said on it before the last stop. */
export async function openStage(
  kind: SocialKind,
  voices: readonly Voice[],
  everyMs: number | null,
  store: Store<StoredSaid>,
): Promise<Stage> {
  await store.removeMany({ kind, at: { $lt: Date.now() - keptMs } });
  const kept = await store.find({ query: { kind }, sort: ["at"] });
  return new Stage({
    voices,
    everyMs,
    said: kept.map(({ voice, at, text }) => ({ voice, at, text })),
    keep: said => store.insert({ _id: `${kind} ${said.at}`, kind, ...said }),
    now: Date.now,
  });
}

/** The doors of the gated channels, with whoever knocked before the last stop. */
export async function openDoor(store: Store<StoredKnock>): Promise<Door> {
  const knocks = new Map((await store.find()).map(({ _id, at }) => [_id, at]));
  return {
    askedAt: invite => knocks.get(invite),
    async ask(invite, at) {
      await store.upsert(invite, { $set: { at } });
      knocks.set(invite, at);
    },
    now: Date.now,
  };
}
