import { EventEmitter } from "node:events";
import { closeDatabase, type Database, openDatabase } from "../store/sqlite/database.ts";
import { Batch } from "./batch.ts";
import { checkJob, checkName } from "./check-job.ts";
import { JobTables } from "./job-tables.ts";
import type { Job, JobHandler, JobState, NewJob, Queue, Queues, Worker, WorkOptions } from "./queue.ts";
import { type Place, SqliteWorker } from "./sqlite-worker.ts";

export interface SqliteQueuesOptions {
  /** The database file. */
  path: string;
  /** Hears of what hinders the work. */
  onError: (error: unknown) => void;
  now?: () => number;
}

/** What all who have a database file open in this process share. */
interface House {
  tables: JobTables;
  batch: Batch;
  /** `wake` and `cancel`, each followed by the name of a queue. */
  bell: EventEmitter;
  /** Queues whose jobs at work are known to be at work in this process. */
  recovered: Set<string>;
}

const houses = new WeakMap<Database, House>();

/**
 * The queues in the database file of the embedded mode. That file is one process's alone, so its lock is the lease of
 * every job: what is at work when a process opens the file died with the process before.
 */
export function openSqliteQueues({ path, onError, now = Date.now }: SqliteQueuesOptions): Queues {
  const house = houseOf(openDatabase(path));
  const workers = new Set<Worker>();
  const opened = new Map<string, unknown>();
  let closed: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([...workers].map(worker => worker.close()));
    house.batch.flush();
    closeDatabase(path);
  };
  return {
    queue: <Payload, Result>(name: string) => {
      checkName(name);
      recover(house, name, now());
      const queue =
        opened.get(name) ?? new SqliteQueue<Payload, Result>(house, name, { now, onError, workers });
      opened.set(name, queue);
      return queue as Queue<Payload, Result>;
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function houseOf(database: Database): House {
  const known = houses.get(database);
  if (known) return known;
  const bell = new EventEmitter().setMaxListeners(0);
  const house = {
    tables: new JobTables(database),
    batch: new Batch(database),
    bell,
    recovered: new Set<string>(),
  };
  houses.set(database, house);
  return house;
}

function recover({ tables, recovered }: House, queue: string, now: number): void {
  if (recovered.has(queue)) return;
  tables.recover(queue, now);
  recovered.add(queue);
}

interface Means {
  now: () => number;
  onError: (error: unknown) => void;
  workers: Set<Worker>;
}

class SqliteQueue<Payload, Result> implements Queue<Payload, Result> {
  readonly #house: House;
  readonly #name: string;
  readonly #means: Means;

  constructor(house: House, name: string, means: Means) {
    this.#house = house;
    this.#name = name;
    this.#means = means;
  }

  async add(job: NewJob<Payload>): Promise<boolean> {
    checkJob(job);
    const { tables, batch } = this.#house;
    const isNew = await batch.join(() => tables.add(this.#name, job, this.#means.now()));
    if (isNew) this.#ring();
    return isNew;
  }

  async get(id: string): Promise<Job<Payload, Result> | null> {
    return this.#house.tables.get<Payload, Result>(this.#name, id);
  }

  async cancel(id: string): Promise<"cancelled" | "stopping" | "finished" | "unknown"> {
    const { tables, batch, bell } = this.#house;
    const answer = await batch.join(() => tables.cancel(this.#name, id, this.#means.now()));
    if (answer === "stopping") bell.emit(`cancel ${this.#name}`, id);
    return answer;
  }

  async remove(id: string): Promise<boolean> {
    const { tables, batch } = this.#house;
    return await batch.join(() => tables.remove(this.#name, id));
  }

  async counts(): Promise<Record<JobState, number>> {
    return this.#house.tables.counts(this.#name);
  }

  async waiting(): Promise<number> {
    return this.#house.tables.due(this.#name, this.#means.now());
  }

  work(options: WorkOptions<Payload, Result>, handler: JobHandler<Payload, Result>): Worker {
    const { tables, batch, bell } = this.#house;
    const { now, onError, workers } = this.#means;
    const place: Place = { queue: this.#name, tables, batch, now, ring: () => this.#ring() };
    const worker = new SqliteWorker(place, { options, handler, onError });
    const wake = () => worker.wake();
    const cancel = (id: string) => worker.cancel(id);
    bell.on(`wake ${this.#name}`, wake).on(`cancel ${this.#name}`, cancel);
    const listening: Worker = {
      close: async graceMs => {
        await worker.close(graceMs);
        bell.off(`wake ${this.#name}`, wake).off(`cancel ${this.#name}`, cancel);
        workers.delete(listening);
      },
    };
    workers.add(listening);
    return listening;
  }

  #ring(): void {
    this.#house.bell.emit(`wake ${this.#name}`);
  }
}
