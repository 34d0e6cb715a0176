import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { until } from "../../support/until.ts";
import { type Block, blocksOf, page, root } from "../pages.ts";
import type { Service } from "../service.ts";
import { missingIn, missingLine } from "../shown.ts";

export interface Options {
  service: Service;
  /** What stands on the page -> what is there in the test: hosts and ports. */
  addresses?: Record<string, string>;
  env?: Record<string, string>;
}

/** A command of the page that goes on. */
export interface Running {
  output(): string;
  /** Waits until it has printed what the page shows below it. */
  shows(): Promise<void>;
  kill(signal?: "INT" | "KILL"): Promise<void>;
}

/**
 * A page of docs/tutorials. Its blocks `sh runnable` and `sh background` run one after the other in one shell, as a reader
 * pastes them, in a folder whose `data` has the key of this reader alone. A block with the name of a file is written to it
 * when its turn comes. What the page shows below a block is compared with what came.
 */
export class Tutorial {
  readonly folder: string;
  readonly apiKey: string;
  readonly #blocks: Block[];
  readonly #addresses: [string, string][];
  readonly #ids = new Map<string, string>();
  readonly #shell: ChildProcess;
  readonly #running = new Set<number>();
  #output = "";
  #at = 0;
  #runs = 0;

  static async open(name: string, options: Options): Promise<Tutorial> {
    const { service } = options;
    const response = await fetch(`${service.url}/internal/keys`, {
      method: "POST",
      headers: { "x-admin-key": service.adminKey, "content-type": "application/json" },
      body: JSON.stringify({ owner: name, name: "tutorial" }),
    });
    const { data } = (await response.json()) as { data: { key: string } };
    return new Tutorial(name, data.key, options);
  }

  constructor(name: string, apiKey: string, { service, addresses = {}, env = {} }: Options) {
    this.apiKey = apiKey;
    this.#blocks = blocksOf(page(`docs/tutorials/${name}.md`));
    const { host } = new URL(service.url);
    this.#addresses = Object.entries({ "localhost:3000": host, "127.0.0.1:3000": host, ...addresses });
    this.folder = join(service.folder, name);
    mkdirSync(join(this.folder, "data"), { recursive: true });
    const credentials = { bootstrapApiKey: apiKey, adminKey: service.adminKey };
    writeFileSync(join(this.folder, "data/credentials.json"), JSON.stringify(credentials));
    this.#standIn("curl", join(root, "test/docs/curl.mjs"));
    this.#standIn("magpie", "--no-warnings", join(root, "bin/magpie.js"));
    this.#standIn("node");
    this.#shell = spawn("sh", [], {
      cwd: this.folder,
      env: {
        HOME: process.env.HOME,
        ...{ SERVICE: service.url, RUN: this.folder, PYTHONUNBUFFERED: "1" },
        ...{ MAGPIE_URL: service.url, MAGPIE_API_KEY: apiKey, MAGPIE_ADMIN_KEY: service.adminKey },
        ...env,
        PATH: [join(this.folder, "bin"), env.PATH ?? process.env.PATH].join(delimiter),
      },
    });
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream?.setEncoding("utf8").on("data", text => {
        this.#output += text;
      });
    this.#shell.stdin?.write("exec 2>&1; set -eu\n");
  }

  /** Runs the next block to its end, and compares what the page shows below it. */
  async next(): Promise<string> {
    const block = this.#take("sh runnable");
    const output = await this.#run(this.#ofTest(block.text));
    this.#compare(block, output);
    return output;
  }

  /** Runs the next block, one that reads, again and again until it prints what the page shows below it. */
  async nextOnce(): Promise<string> {
    const block = this.#take("sh runnable");
    let output = "";
    await until(`line ${block.line} prints what is shown`, async () => {
      output = await this.#run(this.#ofTest(block.text));
      return this.#missing(output) === undefined;
    }).catch(() => this.#compare(block, output));
    return output;
  }

  /** Begins the next block, a command that goes on. */
  async begin(): Promise<Running> {
    const block = this.#take("sh background");
    const file = join(this.folder, `background-${block.line}`);
    const shown = this.#shown();
    const command = this.#ofTest(block.text).trim();
    writeFileSync(file, "");
    const [pid] = (await this.#run(`{ exec ${command}; } >'${file}' 2>&1 &\necho $!`)).trim().split("\n");
    const output = () => readFileSync(file, "utf8");
    this.#running.add(Number(pid));
    return {
      output,
      shows: async () => {
        const missing = () => shown && missingLine(output(), this.#ofTest(shown.text), this.#ids);
        await until(`it prints ${shown?.text}`, () => missing() === undefined).catch(() => {
          throw new Error(`line ${shown?.line}: ${missing()} is missing in\n${output()}`);
        });
      },
      kill: async (signal = "KILL") => {
        process.kill(Number(pid), `SIG${signal}`);
        this.#running.delete(Number(pid));
        await this.#run(`wait ${pid} || true`);
      },
    };
  }

  /** Ends the shell; fails where a block was left out. */
  async close(): Promise<void> {
    const left = this.#blocks.slice(this.#at).filter(isCommand);
    await this.stop();
    if (left.length > 0) throw new Error(`not run: the block at line ${left[0]?.line}`);
  }

  async stop(): Promise<void> {
    for (const pid of this.#running) end(pid);
    this.#running.clear();
    if (this.#shell.exitCode !== null || this.#shell.signalCode !== null) return;
    const exit = once(this.#shell, "exit");
    this.#shell.kill("SIGKILL");
    await exit;
  }

  /** What the page shows below the command that ran last, or undefined. */
  #shown(): Block | undefined {
    const next = this.#blocks[this.#at];
    return next && /^(|json|text)$/.test(next.info) ? next : undefined;
  }

  #take(info: string): Block {
    for (const block of this.#blocks.slice(this.#at)) {
      this.#at += 1;
      const [, file] = /^(?:json|python|toml|yaml|sh) ([\w-]+\.\w+)$/.exec(block.info) ?? [];
      if (file !== undefined) writeFileSync(join(this.folder, file), this.#ofTest(block.text));
      if (!isCommand(block)) continue;
      if (block.info !== info) throw new Error(`line ${block.line} is no block ${info}`);
      return block;
    }
    throw new Error("no block is left");
  }

  #compare(block: Block, output: string): void {
    const missing = this.#missing(output);
    if (missing !== undefined)
      throw new Error(`line ${block.line}: ${JSON.stringify(missing)} is missing in\n${output}`);
  }

  #missing(output: string): string | undefined {
    const shown = this.#shown();
    if (shown === undefined) return undefined;
    if (shown.info === "json") return missingIn(JSON.parse(output), JSON.parse(shown.text))[0];
    return missingLine(output, this.#ofTest(shown.text), this.#ids);
  }

  /** The text with the addresses of the test, and ids as this reader has them. */
  #ofTest(text: string): string {
    let replaced = text;
    for (const [from, to] of [...this.#addresses, ...this.#ids]) replaced = replaced.replaceAll(from, to);
    return replaced;
  }

  async #run(text: string): Promise<string> {
    this.#runs += 1;
    const end = `-- end of ${this.#runs} --`;
    this.#output = "";
    this.#shell.stdin?.write(`${text}\nprintf '%s' '${end}'\n`);
    const isOver = () => this.#output.includes(end) || this.#shell.exitCode !== null;
    await until("a block ends", isOver);
    if (!this.#output.includes(end)) throw new Error(`a command failed:\n${text}\n${this.#output}`);
    return this.#output.replace(end, "");
  }

  #standIn(name: string, ...args: string[]): void {
    const file = join(this.folder, "bin", name);
    mkdirSync(dirname(file), { recursive: true });
    const words = [process.execPath, ...args].map(word => `'${word}'`).join(" ");
    writeFileSync(file, `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(file, 0o755);
  }
}

/** Kills a command that may have ended by itself. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause;
  }
}

function isCommand({ info }: Block): boolean {
  return info === "sh runnable" || info === "sh background";
}
