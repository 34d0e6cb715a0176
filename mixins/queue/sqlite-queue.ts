import { EventEmitter } from "node:events";
import { closeDatabase, type Database, openDatabase } from "../store/sqlite/database.ts";
import { GroupCommit } from "../store/sqlite/group-commit.ts";
import { JobTable } from "./job-table.ts";
import {
  checkJob,
  checkName,
  type Job,
  type JobHandler,
  type JobState,
  type NewJob,
  type Queue,
  type Queues,
  type Worker,
  type WorkOptions,
} from "./queue.ts";
import { SqliteWorker, type SqliteWorkerOptions } from "./sqlite-worker.ts";

export interface SqliteQueuesOptions {
  /** The database file. */
  path: string;
  /** Receives errors; the work continues. */
  onError: (error: unknown) => void;
  now?: () => number;
}

/** What all queues on one database file share in this process. */
interface OpenQueueFile {
  tables: JobTable;
  groupCommit: GroupCommit;
  /** Events `wake <queue>` and `cancel <queue>`. */
  signals: EventEmitter;
}

const openFiles = new WeakMap<Database, OpenQueueFile>();

/**
 * The queues in the database file of the embedded mode. One process at a time has that file open, so the lock on the file
 * is the lease of every job: a job that is running when a process opens the file died with the process before.
 */
export function openSqliteQueues({ path, onError, now = Date.now }: SqliteQueuesOptions): Queues {
  const file = openFileOf(openDatabase(path), now());
  const workers = new Set<Worker>();
  const opened = new Map<string, unknown>();
  let closed: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([...workers].map(worker => worker.close()));
    file.groupCommit.flush();
    closeDatabase(path);
  };
  return {
    queue: <Payload, Result>(name: string) => {
      checkName(name);
      const queue =
        opened.get(name) ?? new SqliteQueue<Payload, Result>(file, name, { now, onError, workers });
      opened.set(name, queue);
      return queue as Queue<Payload, Result>;
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Opens the shared part once per file, and takes back the jobs that were running when the process before died. */
function openFileOf(database: Database, now: number): OpenQueueFile {
  const known = openFiles.get(database);
  if (known) return known;
  const signals = new EventEmitter().setMaxListeners(0);
  const file = {
    tables: new JobTable(database),
    groupCommit: new GroupCommit(database),
    signals,
  };
  file.tables.recover(now);
  openFiles.set(database, file);
  return file;
}

interface QueueContext {
  now: () => number;
  onError: (error: unknown) => void;
  workers: Set<Worker>;
}

class SqliteQueue<Payload, Result> implements Queue<Payload, Result> {
  readonly #file: OpenQueueFile;
  readonly #name: string;
  readonly #context: QueueContext;

  constructor(file: OpenQueueFile, name: string, context: QueueContext) {
    this.#file = file;
    this.#name = name;
    this.#context = context;
  }

  async add(job: NewJob<Payload>): Promise<boolean> {
    checkJob(job);
    const { tables, groupCommit } = this.#file;
    const isNew = await groupCommit.join(() => tables.add(this.#name, job, this.#context.now()));
    if (isNew) this.#wakeWorkers();
    return isNew;
  }

  async get(id: string): Promise<Job<Payload, Result> | null> {
    return this.#file.tables.get<Payload, Result>(this.#name, id);
  }

  async cancel(id: string): Promise<"cancelled" | "stopping" | "finished" | "unknown"> {
    const { tables, groupCommit, signals } = this.#file;
    const answer = await groupCommit.join(() => tables.cancel(this.#name, id, this.#context.now()));
    if (answer === "stopping") signals.emit(`cancel ${this.#name}`, id);
    return answer;
  }

  async remove(id: string): Promise<boolean> {
    const { tables, groupCommit } = this.#file;
    return await groupCommit.join(() => tables.remove(this.#name, id));
  }

  async counts(): Promise<Record<JobState, number>> {
    return this.#file.tables.counts(this.#name);
  }

  async waiting(): Promise<number> {
    return this.#file.tables.due(this.#name, this.#context.now());
  }

  work(options: WorkOptions<Payload, Result>, handler: JobHandler<Payload, Result>): Worker {
    const { tables, groupCommit, signals } = this.#file;
    const { now, onError, workers } = this.#context;
    const place: SqliteWorkerOptions = {
      queue: this.#name,
      tables,
      groupCommit,
      now,
      wakeWorkers: () => this.#wakeWorkers(),
      wakeAllWorkers: () => wakeAllWorkers(signals),
    };
    const worker = new SqliteWorker(place, { options, handler, onError });
    const wake = () => worker.wake();
    const cancel = (id: string) => worker.cancel(id);
    signals.on(`wake ${this.#name}`, wake).on(`cancel ${this.#name}`, cancel);
    const listening: Worker = {
      close: async graceMs => {
        await worker.close(graceMs);
        signals.off(`wake ${this.#name}`, wake).off(`cancel ${this.#name}`, cancel);
        workers.delete(listening);
      },
    };
    workers.add(listening);
    return listening;
  }

  #wakeWorkers(): void {
    this.#file.signals.emit(`wake ${this.#name}`);
  }
}

/** Wakes the workers of every queue. */
function wakeAllWorkers(signals: EventEmitter): void {
  for (const name of signals.eventNames()) if (String(name).startsWith("wake ")) signals.emit(name);
}
