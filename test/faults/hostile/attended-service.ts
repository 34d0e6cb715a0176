import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { ServiceProcess } from "../deliveries/service-process.ts";
import { Client } from "./client.ts";
import { type Memory, ProcessWatch } from "./processes.ts";

const lookMs = 500;
const readyMs = 120_000;
const cwd = join(import.meta.dirname, "../../..");

/** The service as `npm start` runs it, with folders of its own; watched, and started again when it dies. */
export class AttendedService {
  readonly #root = mkdtempSync(join(tmpdir(), "magpie-hostile-"));
  readonly #service: ServiceProcess;
  readonly #watch = new ProcessWatch();
  readonly #stop = new AbortController();
  #attending: Promise<void> | undefined;
  #namesBefore: string[] = [];
  deaths = 0;
  /** The most that was seen. */
  peak: Memory = { ownMb: 0, allMb: 0 };

  constructor(env: NodeJS.ProcessEnv) {
    const [dataDir, home, temporary] = ["data", "home", "tmp"].map(name => join(this.#root, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [dataDir, home, temporary]) mkdirSync(folder);
    this.#service = new ServiceProcess(dataDir, {
      HOME: home,
      TMPDIR: temporary,
      SCRAPER_IDLE: "off",
      ...env,
    });
  }

  get address(): string {
    return this.#service.address;
  }

  async start(): Promise<void> {
    await this.#service.start();
    this.#namesBefore = this.#topNames();
    this.#attending = this.#attend();
  }

  /** A client with a new key of an owner of its own. */
  async newClient(owner: string): Promise<Client> {
    return new Client(this, await this.newKey(owner));
  }

  async newKey(owner: string): Promise<string> {
    const limits = { requestsPerMinute: 1_000_000 };
    const made = await this.#service.admin("POST", "/internal/keys", { owner, name: "n", limits });
    return (made as { data: { key: string } }).data.key;
  }

  /** Milliseconds until the service says that it is ready; undefined when it does not within two minutes. */
  async untilReady(): Promise<number | undefined> {
    const since = performance.now();
    while (performance.now() - since < readyMs) {
      if (await this.#isReady()) return Math.round(performance.now() - since);
      await pause();
    }
    return undefined;
  }

  measure(): Memory {
    const { pid } = this.#service;
    const memory = pid === undefined ? { ownMb: 0, allMb: 0 } : this.#watch.measure(pid);
    const { ownMb, allMb } = this.peak;
    this.peak = { ownMb: Math.max(ownMb, memory.ownMb), allMb: Math.max(allMb, memory.allMb) };
    return memory;
  }

  /** Its memory once that has not changed by a twentieth for 10 s, after so long at least. */
  async settledMemory(leastMs: number, mostMs: number): Promise<Memory> {
    const since = Date.now();
    let [memory, steadySince] = [this.measure(), Date.now()];
    while (
      Date.now() - since < mostMs &&
      (Date.now() - since < leastMs || Date.now() - steadySince < 10_000)
    ) {
      await pause();
      const now = this.measure();
      if (Math.abs(now.ownMb - memory.ownMb) > memory.ownMb / 20) [memory, steadySince] = [now, Date.now()];
    }
    return this.measure();
  }

  /** Ends the service; tells what it has left behind. */
  async stop(): Promise<{ leakedFiles: string[]; processesLeft: number[] }> {
    this.measure();
    await this.#close();
    return { leakedFiles: this.#leakedFiles(), processesLeft: this.#watch.left() };
  }

  /** Ends the service, if it runs, and removes its folders. */
  async dispose(): Promise<void> {
    await this.#close();
    await removeFolder(this.#root);
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    await this.#attending;
    await this.#service.close();
  }

  async #attend(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (this.#service.pid === undefined) {
        this.deaths += 1;
        await this.#service.start();
      }
      this.measure();
      await pause();
    }
  }

  async #isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.address}/health/ready`, { signal: AbortSignal.timeout(5000) });
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  /** Anything in the home and temporary folders, in the browsers' scratch folder, or new beside the data or the program. */
  #leakedFiles(): string[] {
    const left = ["home", "tmp", "data/tmp"].flatMap(name => filesBelow(join(this.#root, name)));
    return [...left, ...this.#topNames().filter(name => !this.#namesBefore.includes(name))];
  }

  #topNames(): string[] {
    return [cwd, join(this.#root, "data")].flatMap(folder =>
      readdirSync(folder).map(name => join(folder, name)),
    );
  }
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter(entry => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
}

function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, lookMs));
}
