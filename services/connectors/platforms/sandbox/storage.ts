import type { Store } from "../../../../mixins/store/store.ts";
import { isInserted } from "../../../../mixins/store/update-if.ts";
import type { SandboxAccount } from "../../../domain/sandbox/world.ts";
import type { SocialKind } from "../../social/social-connector.ts";
import type { JoinRequests } from "./messenger.ts";
import { type PostMemory, type Remarks, type SandboxPost, Simulator } from "./simulator.ts";

/** A post made on demand on a simulated platform. */
export interface StoredSandboxPost extends Remarks {
  _id: string;
  kind: SocialKind;
  /** Milliseconds since the epoch. */
  at: number;
  /** The id of the account. */
  voice: string;
  text: string;
}

/** A join request for a gated channel; `_id` is the invite. */
export interface StoredJoinRequest {
  _id: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Milliseconds for which posts made on demand are kept. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** The simulator of a platform, with the stored posts. */
export async function openSimulator(
  kind: SocialKind,
  accounts: readonly SandboxAccount[],
  everyMs: number | null,
  store: Store<StoredSandboxPost>,
): Promise<Simulator> {
  await store.removeMany({ kind, at: { $lt: Date.now() - keptMs } });
  const simulator = new Simulator({
    accounts,
    everyMs,
    memory: memoryOf(kind, store),
    now: Date.now,
  });
  await simulator.refresh();
  return simulator;
}

function memoryOf(kind: SocialKind, store: Store<StoredSandboxPost>): PostMemory {
  return {
    after: async time => (await store.find({ query: { kind, at: { $gt: time } }, sort: ["at"] })).map(toPost),
    async keep({ account, ...said }, timeOf) {
      for (;;) {
        const [latest] = await store.find({ query: { kind }, sort: ["-at"], limit: 1 });
        const at = timeOf(latest?.at ?? 0);
        const post = { _id: `${kind} ${at}`, kind, at, voice: account, ...said };
        if (await isInserted(store, post)) return toPost(post);
      }
    },
  };
}

function toPost({ voice: account, at, text, language, media }: StoredSandboxPost): SandboxPost {
  return { account, at, text, ...(language !== undefined && { language }), ...(media && { media }) };
}

/** The join requests for gated channels, of all processes. */
export function openJoinRequests(store: Store<StoredJoinRequest>): JoinRequests {
  return {
    askedAt: async invite => (await store.findById(invite))?.at,
    ask: (invite, at) => store.upsert(invite, { $set: { at } }),
    now: Date.now,
  };
}
