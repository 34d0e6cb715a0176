import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startArgs } from "../support/start-args.ts";

const root = join(import.meta.dirname, "../..");
const keptLines = 30;

export interface Place {
  /** The folder below services/. */
  service: string;
  env: NodeJS.ProcessEnv;
  /** A checkout of another release, which its first process runs; those that come after it run this one. */
  from?: string;
  /** Options of Node. */
  nodeArgs?: string[];
  /** In a process group of its own, which ^C in the terminal does not reach. */
  detached?: boolean;
  print(line: string): void;
  /** Called when the process ends without having been asked to; with a sentence of what it was. */
  died(how: string): void;
}

/** One service in a process of its own, as `SERVICES=<service> npm start` runs it. */
export class ServiceProcess {
  readonly #place: Place;
  readonly #lines: string[] = [];
  #root: string;
  #child: ChildProcess;
  #asked = false;
  #port: { PORT?: string } = {};
  /** Of a gateway, once it listens. */
  address: string | undefined;
  /** Where it tells how it is. */
  health: string | undefined;

  constructor(place: Place) {
    this.#place = place;
    this.#root = place.from ?? root;
    this.#child = this.#spawn();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What the id of its node on the bus begins with. */
  get nodePrefix(): string {
    return `${hostname()}-${this.pid}-`;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The last lines that it printed. */
  get output(): string {
    return this.#lines.join("\n");
  }

  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** A new process in its place, after a kill where the last one lives; a gateway keeps its port. */
  async restart(): Promise<void> {
    await this.kill();
    if (this.address) this.#port = { PORT: new URL(this.address).port };
    this.address = undefined;
    this.health = undefined;
    this.#asked = false;
    this.#root = root;
    this.#child = this.#spawn();
  }

  /** Lets it finish what it has in hand, until the signal at the most. */
  async stop(until: AbortSignal): Promise<void> {
    const kill = () => this.#child.kill("SIGKILL");
    until.addEventListener("abort", kill);
    if (until.aborted) kill();
    const ended = this.#end("SIGTERM");
    this.resume();
    await ended;
    until.removeEventListener("abort", kill);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#asked = true;
    if (!this.isAlive) return;
    const gone = once(this.#child, "exit");
    this.#child.kill(signal);
    await gone;
  }

  #spawn(): ChildProcess {
    const { service, env, nodeArgs = [], detached = false } = this.#place;
    const child = spawn(process.execPath, ["--no-warnings", ...nodeArgs, ...startArgs], {
      cwd: this.#root,
      env: { ...env, ...this.#port, SERVICES: service, HEALTH_PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
      detached,
    });
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on("line", line => this.#read(line));
    const endWithUs = () => child.kill("SIGKILL");
    process.once("exit", endWithUs);
    child.once("exit", (code, signal) => {
      process.off("exit", endWithUs);
      if (!this.#asked) this.#place.died(signal ? `was ended by ${signal}` : `ended with ${code}`);
    });
    return child;
  }

  #read(line: string): void {
    this.address ??= /Magpie listens on (\S+),/.exec(line)?.[1];
    this.health ??= /node\.joined\W.*?(http:[^'"\s]+)/.exec(line)?.[1];
    this.#lines.push(line);
    if (this.#lines.length > keptLines) this.#lines.shift();
    this.#place.print(line);
  }
}
