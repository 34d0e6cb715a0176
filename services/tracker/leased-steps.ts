import type { Store, Update } from "../../mixins/store/store.ts";
import { updateIf } from "../../mixins/store/update-if.ts";
import type { TrackerContext, TrackerStores } from "./context.ts";
import { tokensOfSession } from "./maintenance/worker-session.ts";
import { collectLeased } from "./polling/due-sources.ts";

/** Longer than any step takes, since each of its calls has a deadline: if a lease expires, its process is dead. */
const leaseMs = 600_000;

/** Something that takes a step when it is due. */
export interface StoredStep {
  _id: string;
  /** Milliseconds; when the next step is due. While leased: when the lease ends. Absent when there is none. */
  dueAt?: number;
  /** The token of the step under way: only its holder may write the outcome. */
  lease?: string;
}

/** What only the holder of the token may do the next step of. */
export type Leased<Step extends StoredStep> = Step & { lease: string };

/** The documents of one collection whose steps are taken under leases. */
export class LeasedSteps<Step extends StoredStep> {
  readonly #store: (stores: TrackerStores) => Store<Step>;

  constructor(store: (stores: TrackerStores) => Store<Step>) {
    this.#store = store;
  }

  /** The store as queries see it, which know the common fields. */
  #steps(stores: TrackerStores): Store<StoredStep> {
    return this.#store(stores) as unknown as Store<StoredStep>;
  }

  /** Leases at most `max` documents that are due, the longest overdue first. */
  async leaseDue(context: TrackerContext, max: number): Promise<Leased<Step>[]> {
    if (context.leaseTokens.next() === null) return [];
    const query = { dueAt: { $lte: context.now() } };
    const due = await this.#steps(context).find({ query, sort: ["dueAt"], limit: max });
    return collectLeased(due.map(({ _id }) => this.#lease(context, _id)));
  }

  /** When the next one is due, in milliseconds; null without any. */
  async nextAt(context: TrackerContext): Promise<number | null> {
    const [next] = await this.#steps(context).find({
      query: { dueAt: { $gte: 0 } },
      sort: ["dueAt"],
      limit: 1,
    });
    return next?.dueAt ?? null;
  }

  /** Releases the leases of a dead session. */
  async release(context: TrackerContext, session: string): Promise<void> {
    await this.#steps(context).updateMany(
      { lease: tokensOfSession(session) },
      { $set: { dueAt: context.now() }, $unset: { lease: true } },
    );
  }

  /** Changes the document, or removes it by null, unless another process has taken it over. Returns whether it did. */
  async write(
    context: TrackerContext,
    { _id, lease }: Leased<Step>,
    work: (step: Step) => Step | null,
  ): Promise<boolean> {
    let isOurs = false;
    await this.#store(context).change(_id, step => {
      isOurs = step?.lease === lease;
      return step && isOurs ? work(step) : undefined;
    });
    return isOurs;
  }

  async #lease(context: TrackerContext, id: string): Promise<Leased<Step> | null> {
    const lease = context.leaseTokens.next();
    if (lease === null) return null;
    const isDue = ({ dueAt }: Step) => dueAt !== undefined && dueAt <= context.now();
    const update = { $set: { lease, dueAt: context.now() + leaseMs } } as unknown as Update<Step>;
    const step = await updateIf(this.#store(context), id, isDue, update).catch(async error => {
      // Perhaps the answer is lost, and not the write: nobody would take the step until the lease ends.
      const isOurs = (held: StoredStep) => held.lease === lease;
      const free = { $set: { dueAt: context.now() }, $unset: { lease: true as const } };
      await updateIf(this.#steps(context), id, isOurs, free).catch(() => undefined);
      throw error;
    });
    return step && { ...step, lease };
  }
}
