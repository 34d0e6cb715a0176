import { within } from "../../../mixins/async/timeout.ts";
import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { keyOf, leadingShard, shardOf } from "../../domain/delivery/lane.ts";
import type { Dispatcher } from "../lanes/dispatcher.ts";
import { type BusyLanes, eventsWaiting, laneLag } from "../lanes/waiting-events.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { watchHeartbeat } from "./heartbeat.ts";
import type { LaneThread, ThreadEvents } from "./lane-thread.ts";
import type { PassedShards, ToThread, Waiting } from "./messages.ts";

/** When threads work lanes. */
export interface ThreadLimits {
  /** How many threads there are then. */
  threads: number;
  /**
   * So many requests within so long are worth threads, each of which takes half a second of CPU to start, and memory. With 0
   * there are threads from the start.
   */
  many: number;
  manyWithinMs: number;
  /** They end when such a time has brought fewer requests than `many`. */
  idleMs: number;
  /** How long there are none after one has failed. */
  restMs: number;
  /** How often each is asked whether it still works. */
  beatMs: number;
  /** What is asked of all threads waits so long for each. */
  askMs: number;
}

export const threadLimits: Omit<ThreadLimits, "threads"> = {
  many: 1_000,
  manyWithinMs: 5_000,
  idleMs: 60_000,
  restMs: 60_000,
  beatMs: 10_000,
  askMs: 1_500,
};

/** A thread that runs. */
interface Running {
  /** Keys that were busy when it took their shards. */
  keyIds: readonly string[];
  /** It gives its shards back, and ends then. */
  isEnding: boolean;
  /** Lanes that it has not left yet, although their shards are back. */
  withheld: Set<string>;
  endHeartbeat(): void;
}

interface LanesHere {
  dispatcher: Dispatcher;
  waiting: BusyLanes;
  /** Wakes what is late in a shard. */
  checkShard(shard: number): void;
  writeError(): Promise<unknown>;
}

/** Where threads may be used. */
export interface Threading {
  limits: ThreadLimits;
  open(events: ThreadEvents): LaneThread;
  /** Lets threads open the databases, until the returned function is called. */
  share(): () => void;
  onError(error: unknown): void;
}

/**
 * The lanes of this node: in this thread, or in others while there is much to send. Threads are to a process what nodes are to a
 * cluster: each works the lanes of its shards from the store and the log, and is told of changes that requests make.
 */
export class ThreadedLanes {
  readonly #here: LanesHere;
  readonly #threading: Threading | undefined;
  readonly #leases = new Map<number, Lease>();
  /** Which thread works a shard that this one does not. */
  readonly #threadOf = new Map<number, LaneThread>();
  readonly #threads = new Map<LaneThread, Running>();
  #endSharing: (() => void) | undefined;
  #idle: NodeJS.Timeout | undefined;
  #since = 0;
  #requests = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  #isStopping = false;

  constructor(here: LanesHere, threading: Threading | undefined) {
    this.#here = here;
    this.#threading = threading;
  }

  gain(shard: number, lease: Lease): void {
    this.#leases.set(shard, lease);
    this.#here.dispatcher.gain(shard, lease);
    this.#here.checkShard(shard);
    const mayStart = this.#threads.size === 0 && performance.now() >= this.#notBefore;
    if (this.#threading?.limits.many === 0 && mayStart) this.#start(this.#threading);
  }

  async lose(shard: number): Promise<void> {
    this.#leases.delete(shard);
    await this.#here.dispatcher.lose(shard);
  }

  /** A request goes out from this thread. */
  noteRequest(): void {
    if (!this.#threading || this.#threads.size > 0 || this.#isStopping) return;
    const { many, manyWithinMs } = this.#threading.limits;
    const now = performance.now();
    if (now - this.#since > manyWithinMs) [this.#since, this.#requests] = [now, 0];
    this.#requests += 1;
    if (this.#requests >= many && now >= this.#notBefore) this.#start(this.#threading);
  }

  get shards(): number[] {
    return [...this.#here.dispatcher.shards, ...this.#threadOf.keys()];
  }

  works(keyId: string): boolean {
    return this.#here.dispatcher.works(keyId) || this.#threadOf.has(shardOf(keyId));
  }

  /** Whether this node is the leader (owns shard 0). */
  get leads(): boolean {
    return this.#here.dispatcher.leads || this.#threadOf.has(leadingShard);
  }

  /** The number of threads that work lanes. */
  get threads(): number {
    return new Set(this.#threadOf.values()).size;
  }

  /** The lanes in memory of this thread. */
  get busy(): string[] {
    return this.#here.dispatcher.busy;
  }

  wake(keyIds: readonly string[]): void {
    this.#tell("wake", keyIds, here => this.#here.dispatcher.wake(here));
  }

  /** A request to another node may have changed endpoints or lanes of these keys. */
  reread(laneIds: readonly string[]): void {
    this.#tell("reread", laneIds.map(keyOf), here => this.#here.dispatcher.reread(here));
  }

  quotasChanged(keyId: string): void {
    this.#tell("quotas", [keyId], () => this.#here.dispatcher.quotasChanged(keyId));
  }

  /** The tags of a key's sources were changed. */
  retagged(keyId: string): void {
    this.#tell("retagged", [keyId], () => undefined);
  }

  /** Events were erased in the log. */
  erased(): void {
    this.#here.dispatcher.erased();
    for (const thread of new Set(this.#threadOf.values())) thread.post({ is: "erased" });
  }

  /** A request to this node has changed the endpoint or its lane. */
  changed(endpoint: StoredEndpoint): void {
    this.#here.dispatcher.changed(endpoint);
  }

  removed(laneId: string): void {
    this.#here.dispatcher.removed(laneId);
  }

  /** False unless a thread has the lanes of the key, which then reads them again. */
  rereadInThread(keyId: string): boolean {
    const thread = this.#threadOf.get(shardOf(keyId));
    thread?.post({ is: "reread", keyIds: [keyId] });
    return thread !== undefined;
  }

  /** Undelivered events; see `laneLag` and `eventsWaiting`. */
  async waiting(): Promise<Waiting> {
    const { waiting } = this.#here;
    const here = { lag: await laneLag(waiting), waiting: await eventsWaiting(waiting) };
    const theirs = await this.#askAll(thread => thread.ask("waiting"), { lag: 0, waiting: 0 });
    return {
      lag: theirs.reduce((sum, { lag }) => sum + lag, here.lag),
      waiting: theirs.reduce((sum, each) => sum + each.waiting, here.waiting),
    };
  }

  /** The error of the last write of outcomes that failed, or undefined; in any thread. */
  async writeError(): Promise<unknown> {
    const here = await this.#here.writeError();
    if (here !== undefined) return here;
    const late = "A thread that delivers has not told whether it stores outcomes";
    const theirs = await this.#askAll(thread => thread.ask("writeError"), late);
    return theirs.find(error => error !== undefined);
  }

  /** Starts no more attempts, and resolves when those under way are recorded. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const threads = [...this.#threads.keys()];
    await Promise.all([this.#here.dispatcher.stop(), ...threads.map(thread => thread.stop())]);
  }

  /** Leaves out a thread that ends meanwhile; takes `late` from one that answers too late. */
  async #askAll<Answer>(ask: (thread: LaneThread) => Promise<Answer>, late: Answer): Promise<Answer[]> {
    const threads = [...new Set(this.#threadOf.values())];
    const { askMs = 0 } = this.#threading?.limits ?? {};
    const answers = await Promise.allSettled(threads.map(thread => within(askMs, ask(thread), () => late)));
    return answers.flatMap(each => (each.status === "fulfilled" ? [each.value] : []));
  }

  #tell(
    is: "wake" | "reread" | "quotas" | "retagged",
    keyIds: readonly string[],
    here: (keyIds: readonly string[]) => void,
  ): void {
    const byThread = Map.groupBy(keyIds, keyId => this.#threadOf.get(shardOf(keyId)));
    for (const [thread, some] of byThread)
      if (thread) thread.post({ is, keyIds: some } satisfies ToThread);
      else here(some);
  }

  /** Requests go out whether or not it succeeds. */
  #start(threading: Threading): void {
    try {
      this.#endSharing = threading.share();
      for (let place = 0; place < threading.limits.threads; place += 1) this.#open(threading, place);
    } catch (error) {
      this.#failed(error);
      if (this.#threads.size === 0) this.#allEnded();
    }
  }

  #open({ limits, open }: Threading, place: number): void {
    const thread: LaneThread = open({
      ready: () => {
        this.#watchLoad(limits);
        this.#watch(thread, limits);
        this.#handOver(thread, place, limits.threads);
      },
      passed: passed => this.#takeBack(thread, passed),
      admit: laneIds => this.#admit(thread, laneIds),
      attempted: requests => {
        this.#requests += requests;
      },
      ended: error => this.#ended(thread, error),
    });
    this.#threads.set(thread, {
      isEnding: false,
      keyIds: [],
      withheld: new Set(),
      endHeartbeat: () => undefined,
    });
  }

  /** Its shards come back once it has ended, so that no lane is worked twice. */
  #watch(thread: LaneThread, { beatMs }: ThreadLimits): void {
    const running = this.#threads.get(thread);
    if (!running) return;
    const onSilent = () => thread.kill(new Error("A thread that delivers does not answer any more"));
    running.endHeartbeat = watchHeartbeat(() => thread.ask("beat"), beatMs, onSilent);
  }

  /** Gives the thread its part of the shards. Lanes with something under way follow when it is recorded. */
  #handOver(thread: LaneThread, place: number, threads: number): void {
    const running = this.#threads.get(thread);
    if (this.#isStopping || !running || running.isEnding) return;
    const shards = this.#here.dispatcher.shards.filter(shard => shard % threads === place);
    const { keyIds, leaving } = this.#here.dispatcher.pass(shards);
    running.keyIds = keyIds;
    for (const shard of shards) this.#threadOf.set(shard, thread);
    thread.post({ is: "gain", shards, keyIds, withheld: [...leaving.keys()] });
    for (const [laneId, left] of leaving)
      void left.then(() => thread.post({ is: "admit", laneIds: [laneId] }));
  }

  #watchLoad(limits: ThreadLimits): void {
    if (this.#idle) return;
    this.#requests = 0;
    this.#idle = setInterval(() => this.#endIfIdle(limits), limits.idleMs).unref();
  }

  #endIfIdle({ many }: ThreadLimits): void {
    if (this.#requests < many) this.#endAll();
    this.#requests = 0;
  }

  #endAll(): void {
    for (const [thread, running] of this.#threads) {
      if (!running.isEnding) thread.post({ is: "pass" });
      running.isEnding = true;
    }
  }

  #takeBack(thread: LaneThread, { shards, keyIds, withheld }: PassedShards): void {
    if (this.#isStopping) return;
    for (const laneId of withheld) this.#threads.get(thread)?.withheld.add(laneId);
    this.#gainAgain(shards, withheld);
    this.#here.dispatcher.wake(keyIds);
    if (withheld.length === 0) void thread.stop();
  }

  #admit(thread: LaneThread, laneIds: readonly string[]): void {
    const withheld = this.#threads.get(thread)?.withheld;
    for (const laneId of laneIds) withheld?.delete(laneId);
    this.#here.dispatcher.admit(laneIds);
    if (withheld?.size === 0) void thread.stop();
  }

  #gainAgain(shards: readonly number[], withheld: readonly string[]): void {
    for (const shard of shards) {
      this.#threadOf.delete(shard);
      const lease = this.#leases.get(shard);
      if (!lease) continue;
      this.#here.dispatcher.gain(shard, lease, withheld);
      this.#here.checkShard(shard);
    }
  }

  /** What it had under way when it failed is sent again. */
  #ended(thread: LaneThread, error: unknown): void {
    const { withheld = [], keyIds = [], endHeartbeat } = this.#threads.get(thread) ?? {};
    endHeartbeat?.();
    this.#threads.delete(thread);
    const shards = [...this.#threadOf].flatMap(([shard, by]) => (by === thread ? shard : []));
    const hasFailed = error !== undefined || (shards.length > 0 && !this.#isStopping);
    if (hasFailed) this.#failed(error ?? new Error("A thread that delivers has ended"));
    if (!this.#isStopping) {
      this.#gainAgain(shards, []);
      if (shards.length > 0) this.#here.dispatcher.wake(keyIds);
    }
    this.#here.dispatcher.admit([...withheld]);
    if (this.#threads.size === 0) this.#allEnded();
  }

  #allEnded(): void {
    clearInterval(this.#idle);
    this.#idle = undefined;
    this.#unshare();
    [this.#since, this.#requests] = [0, 0];
  }

  /** Another program may look into a file just now; the lock is taken with the next transaction then. */
  #unshare(): void {
    try {
      this.#endSharing?.();
    } catch (error) {
      this.#threading?.onError(error);
    }
    this.#endSharing = undefined;
  }

  /** The others end, too: their shards are shared out anew next time. */
  #failed(error: unknown): void {
    this.#notBefore = performance.now() + (this.#threading?.limits.restMs ?? 0);
    this.#threading?.onError(error);
    if (!this.#isStopping) this.#endAll();
  }
}
