import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@xdevplatform/xdk";
import { fail } from "../../../contracts/errors.ts";
import type { XAnswer } from "./answers.ts";
import { judge, missing, unavailable } from "./judge.ts";

const requestMs = 30_000;

/** What goes into the options of the library's calls. */
export interface RequestOptions {
  signal: AbortSignal;
  /** The bare response: the library renames every field of a parsed one, and none of the stream's. */
  raw: true;
}

/** X's API through its library. Waits as long as X asks, and throws what `judge` makes of everything else. */
export class XApi {
  readonly #client: Client;
  readonly #now: () => number;

  constructor(client: Client, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  /** One call and its answer; `not_found` for an answer that has errors in place of data, whatever its status. */
  async ask<Data>(
    call: (client: Client, options: RequestOptions) => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<XAnswer<Data>> {
    const answer = await this.#patiently(signal, () =>
      within(requestMs, signal, async inTime => {
        const response = await call(this.#client, { signal: inTime, raw: true });
        return (await (response as Response).json()) as XAnswer<Data>;
      }),
    );
    const [problem] = answer.errors ?? [];
    if (problem && answer.data === undefined) throw missing(problem);
    return answer;
  }

  /** Opens what does not end: its head within the time, its body until the signal fires. */
  async open(path: string, headMs: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const security = [{ BearerToken: [] }];
    const { body } = await this.#patiently(signal, () =>
      within(headMs, signal, inTime =>
        this.#client.request<Response>("GET", path, { signal: inTime, raw: true, timeout: 0, security }),
      ),
    );
    if (!body) throw unavailable("X sent an empty stream.");
    return body;
  }

  async #patiently<Answer>(signal: AbortSignal, attempt: () => Promise<Answer>): Promise<Answer> {
    if (!this.#client.bearerToken) throw fail("connector_unavailable", "X is not set up on this service.");
    for (;;) {
      const outcome = await attempt().then(
        answer => ({ answer }),
        thrown => judge(thrown, this.#now()),
      );
      if ("answer" in outcome) return outcome.answer;
      if ("error" in outcome) throw outcome.error;
      await wait(outcome.waitMs, signal);
    }
  }
}

/** Waits for X; `connector_unavailable` with the time that is left when nobody waits for us any more. */
async function wait(waitMs: number, signal: AbortSignal): Promise<void> {
  await pause(waitMs, undefined, { signal }).catch(cause => {
    throw unavailable("X asks this service to wait.", cause, { retry_after: Math.ceil(waitMs / 1000) });
  });
}

/** Runs a request that ends with its signal, or when its time is over. */
async function within<Answer>(
  ms: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer in ${ms} ms`)), ms);
  try {
    return await run(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
