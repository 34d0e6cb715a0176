import type { Store, TransactionCollection, Update } from "../../mixins/store/store.ts";
import { type TrackerContext, type TrackerStores, type TrackerTransaction, transact } from "./context.ts";
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
  readonly #store: (stores: TrackerStores) => Store<StoredStep>;
  readonly #collection: (tx: TrackerTransaction) => TransactionCollection<Step>;

  constructor(
    store: (stores: TrackerStores) => Store<Step>,
    collection: (tx: TrackerTransaction) => TransactionCollection<Step>,
  ) {
    this.#store = store as unknown as (stores: TrackerStores) => Store<StoredStep>;
    this.#collection = collection;
  }

  /** Leases at most `max` documents that are due, the longest overdue first. */
  async leaseDue(context: TrackerContext, max: number): Promise<Leased<Step>[]> {
    if (context.leaseTokens.next() === null) return [];
    const query = { dueAt: { $lte: context.now() } };
    const due = await this.#store(context).find({ query, sort: ["dueAt"], limit: max });
    return collectLeased(due.map(({ _id }) => this.#lease(context, _id)));
  }

  /** When the next one is due, in milliseconds; null without any. */
  async nextAt(context: TrackerContext): Promise<number | null> {
    const [next] = await this.#store(context).find({
      query: { dueAt: { $gte: 0 } },
      sort: ["dueAt"],
      limit: 1,
    });
    return next?.dueAt ?? null;
  }

  /** Releases the leases of a dead session. */
  async release(context: TrackerContext, session: string): Promise<void> {
    await this.#store(context).updateMany(
      { lease: tokensOfSession(session) },
      { $set: { dueAt: context.now() }, $unset: { lease: true } },
    );
  }

  /** Runs `work` in a transaction, unless another process has taken the document over. Returns whether it ran. */
  write(
    context: TrackerContext,
    { _id, lease }: Leased<Step>,
    work: (tx: TrackerTransaction, step: Step) => void,
  ): Promise<boolean> {
    return transact(context, tx => {
      const step = this.#collection(tx).findById(_id);
      if (step?.lease !== lease) return false;
      work(tx, step);
      return true;
    });
  }

  #lease(context: TrackerContext, id: string): Promise<Leased<Step> | null> {
    return transact(context, tx => {
      const step = this.#collection(tx).findById(id);
      const lease = context.leaseTokens.next();
      if (step?.dueAt === undefined || lease === null || step.dueAt > context.now()) return null;
      const update: Update<StoredStep> = { $set: { lease, dueAt: context.now() + leaseMs } };
      this.#collection(tx).updateById(id, update as Update<Step>);
      return { ...step, lease };
    });
  }
}
