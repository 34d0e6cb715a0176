import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type Action, call } from "../../services/contracts/action.ts";
import type { CallMeta } from "../../services/contracts/caller.ts";
import { startEnv } from "../support/start-args.ts";
import type { Answer, Request } from "./keys.process.ts";

/** The process died before it answered: whether the operation took place is unknown. */
export class Unanswered extends Error {}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The keys service in a process of its own, driven over its IPC channel. */
export class KeysProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #closed: Promise<unknown>;
  #number = 0;

  constructor(dataDir: string) {
    const env = { ...startEnv, DATA_DIR: dataDir, KEYS_PER_OWNER: "1000000" };
    this.#child = fork(new URL("keys.process.ts", import.meta.url), { env, execArgv: ["--no-warnings"] });
    this.#child.on("message", (answer: Answer) => this.#settle(answer));
    this.#closed = once(this.#child, "exit").then(() => this.#giveUp());
  }

  /** Rejects when the process ends instead of starting. */
  async ready(): Promise<void> {
    const ended = this.#closed.then(() => Promise.reject(new Unanswered("The service did not start")));
    ended.catch(() => undefined);
    await Promise.race([once(this.#child, "message"), ended]);
  }

  call<Params, Result>(action: Action<Params, Result>, params: Params, meta?: CallMeta): Promise<Result> {
    const bus = { call: (name: string, sent: unknown) => this.#send(name, sent, meta) };
    return call(bus, action, params);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  async stop(): Promise<void> {
    this.#child.disconnect();
    await this.#closed;
  }

  #send(action: string, params: unknown, meta?: CallMeta): Promise<unknown> {
    const request: Request = { number: ++this.#number, action, params, meta };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.number, { resolve, reject });
      this.#child.send(request, error => {
        if (error) this.#settle({ number: request.number }, new Unanswered());
      });
    });
  }

  #settle(answer: Answer, failure?: Error): void {
    if ("ready" in answer) return;
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if (failure) waiting?.reject(failure);
    else if (answer.error !== undefined) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer.result);
  }

  #giveUp(): void {
    for (const number of this.#waiting.keys()) this.#settle({ number }, new Unanswered());
  }
}
