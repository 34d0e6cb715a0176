import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Agent, request } from "undici";
import { within } from "../../../mixins/async/timeout.ts";
import { startArgs, startEnv } from "../../support/start-args.ts";

const root = join(import.meta.dirname, "../../..");
const startMs = 120_000;
/** A service ends its stop by itself well before. */
const stopMs = 90_000;

/** The program as `npm start` runs it, started anew on the same folder after each kill. */
export class ServiceProcess {
  readonly #env: NodeJS.ProcessEnv;
  readonly #envOf: (epoch: number) => NodeJS.ProcessEnv;
  readonly #agent = new Agent();
  readonly #adminKey: string;
  /** Called once a killed process is gone, before the next one starts. */
  afterDeath: () => Promise<void> = async () => undefined;
  /** Takes each line of its log, whose warnings go to standard error otherwise. */
  onLine: ((line: string) => void) | undefined;
  #child: ChildProcess | undefined;
  #address = "";
  #epoch = 0;

  /** `env` stands above what all runs have in common; `envOf` gives what differs from start to start. */
  constructor(
    dataDir: string,
    env: NodeJS.ProcessEnv = {},
    envOf: (epoch: number) => NodeJS.ProcessEnv = () => ({}),
  ) {
    this.#envOf = envOf;
    this.#adminKey = "faults-admin-key-0123456789-0123456789";
    this.#env = {
      ...startEnv,
      HOME: dataDir,
      DATA_DIR: dataDir,
      PORT: "0",
      ADMIN_KEY: this.#adminKey,
      EGRESS_ALLOW: "127.0.0.1/32",
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_BACKOFF: "1s,1s,1s,1s",
      POLL_MIN_INTERVAL: "1s",
      KEYS_PER_OWNER: "1000",
      LOG_FORMAT: "json",
      LOG_LEVEL: "error",
      ...env,
    };
  }

  get address(): string {
    return this.#address;
  }

  get adminHeaders(): Record<string, string> {
    return { "x-admin-key": this.#adminKey };
  }

  /** How often it was started. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Of the process that runs; undefined when it has ended. */
  get pid(): number | undefined {
    const child = this.#child;
    return child?.exitCode === null && child.signalCode === null ? child.pid : undefined;
  }

  async start(): Promise<void> {
    this.#child = this.#spawn();
    this.#address = await addressOf(this.#child);
  }

  /** Starts it and kills it again after a time, wherever it has got to. */
  async startAndKill(afterMs: number): Promise<void> {
    const child = this.#spawn();
    child.stdout?.resume();
    this.#child = child;
    await new Promise(resolve => setTimeout(resolve, afterMs));
    await this.kill();
  }

  async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    const late = () => Promise.reject(new Error(`${child.pid} did not end within ${stopMs} ms of ${signal}`));
    await within(stopMs, gone, late);
    await this.afterDeath();
  }

  async close(): Promise<void> {
    await this.kill("SIGTERM");
    await this.#agent.destroy();
  }

  admin(method: string, path: string, body?: object): Promise<unknown> {
    return this.#request(method, path, this.adminHeaders, body);
  }

  as(key: string, method: string, path: string, body?: object, headers: object = {}): Promise<unknown> {
    return this.#request(method, path, { "x-api-key": key, ...headers }, body);
  }

  async #request(method: string, path: string, headers: object, body?: object): Promise<unknown> {
    const answer = await request(this.#address + path, {
      method,
      dispatcher: this.#agent,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }

  #spawn(): ChildProcess {
    this.#epoch += 1;
    const args = ["--no-warnings", ...startArgs];
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["ignore", "pipe", this.onLine ? "pipe" : "inherit"],
      env: { ...this.#env, ...this.#envOf(this.#epoch) },
    });
    for (const input of [child.stdout, child.stderr])
      if (this.onLine && input) createInterface({ input }).on("line", this.onLine);
    const endWithUs = () => child.kill("SIGKILL");
    process.once("exit", endWithUs);
    child.once("exit", () => process.off("exit", endWithUs));
    return child;
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  let text = "";
  const found = Promise.withResolvers<string>();
  const late = setTimeout(() => found.reject(new Error(`the service did not start: ${text}`)), startMs);
  child.stdout?.setEncoding("utf8").on("data", chunk => {
    text = (text + chunk).slice(-10_000);
    const [, address] = /Magpie listens on (\S+),/.exec(text) ?? [];
    if (address !== undefined) found.resolve(address);
  });
  child.once("exit", () => found.reject(new Error(`the service ended: ${text}`)));
  try {
    return await found.promise;
  } finally {
    clearTimeout(late);
  }
}
