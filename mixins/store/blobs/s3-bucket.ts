import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, type Dispatcher, request } from "undici";
import { fail } from "../../../services/contracts/errors.ts";
import type { S3Config } from "../../config/config.ts";
import { ConfigError } from "../../config/env.ts";

interface Asked {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** The name of an object; none for the bucket itself. */
  name?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

type Answer = Dispatcher.ResponseData;

/** Milliseconds: for the head of an answer, and between two parts of its body. */
const answerMs = 15_000;
const connectMs = 3000;
const tries = 3;
const firstPauseMs = 100;

/** A bucket of an S3-compatible server, asked with signed requests (version 4). All of them may be repeated. */
export class S3Bucket {
  readonly #config: S3Config;
  readonly #root: string;
  readonly #agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
  });
  /** The keys that are derived from the secret, by day. */
  readonly #derived = new Map<string, ArrayBuffer>();

  constructor(config: S3Config) {
    this.#config = config;
    const { host, origin } = new URL(config.endpoint);
    // An endpoint that begins with the bucket's name means it already; every other one has the bucket in the path.
    this.#root = host.startsWith(`${config.bucket}.`) ? origin : `${config.endpoint}/${config.bucket}`;
  }

  /** Rejects with a message that names the setting to mend when the bucket cannot be used. */
  async check(): Promise<void> {
    try {
      await this.names({ prefix: this.#config.prefix, limit: 1 });
    } catch (error) {
      const { cause = error } = error as { cause?: unknown };
      const isAway = (error as { type?: string }).type === "overloaded";
      const advice = isAway ? "Check that it runs, and its address." : "Check the bucket and the access key.";
      throw new ConfigError(isAway ? "S3_ENDPOINT" : "S3_BUCKET", `${(cause as Error).message} ${advice}`, {
        cause,
      });
    }
  }

  async put(name: string, body: Uint8Array, headers: Record<string, string>): Promise<void> {
    await drained(await this.#ask({ method: "PUT", name, body, headers }));
  }

  /** The headers of an object; null where there is none. */
  async head(name: string): Promise<Answer["headers"] | null> {
    const answer = await this.#ask({ method: "HEAD", name }, [404]);
    await drained(answer);
    return answer.statusCode === 404 ? null : answer.headers;
  }

  /** The bytes of an object, part by part. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const { body } = await this.#ask({ method: "GET", name });
    try {
      for await (const part of body) yield part as Buffer;
    } catch (error) {
      throw overloaded(error);
    }
  }

  async remove(name: string): Promise<void> {
    await drained(await this.#ask({ method: "DELETE", name }, [404]));
  }

  /** Names that begin with `prefix`, in their order, from after `after` on. */
  async names(wanted: { prefix: string; after?: string; limit: number }): Promise<string[]> {
    const { prefix, after, limit } = wanted;
    const query = {
      "list-type": "2",
      "max-keys": String(limit),
      prefix,
      ...(after && { "start-after": after }),
    };
    const list = await (await this.#ask({ method: "GET", query })).body.text().catch(error => {
      throw overloaded(error);
    });
    if (!list.includes("ListBucketResult"))
      throw new Error("The S3 server has answered with something else than a list.");
    // Our names have no character that XML escapes; others are not ours.
    return Array.from(list.matchAll(/<Key>([^<&]*)<\/Key>/g), ([, name = ""]) => name);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** An answer with a status of success or of `expected`. Repeats what failed for a reason that may pass. */
  async #ask(asked: Asked, expected: number[] = []): Promise<Answer> {
    for (let tried = 1; ; tried += 1) {
      const answer = await this.#send(asked).catch((error: unknown) => overloaded(error));
      if (!(answer instanceof Error) && (answer.statusCode < 300 || expected.includes(answer.statusCode)))
        return answer;
      const error = answer instanceof Error ? answer : await refusal(answer);
      if (tried === tries || Object(error).type !== "overloaded") throw error;
      await sleep(firstPauseMs * 4 ** (tried - 1) * (0.5 + Math.random()));
    }
  }

  async #send({ method, name, query, headers, body }: Asked): Promise<Answer> {
    const { region, accessKeyId, secretAccessKey } = this.#config;
    const url = `${this.#root}/${name ?? ""}${query ? `?${new URLSearchParams(query)}` : ""}`;
    const digest = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const signer = new AwsV4Signer({
      ...{ method, url, region, accessKeyId, secretAccessKey, service: "s3", cache: this.#derived },
      headers: { ...headers, "x-amz-content-sha256": digest },
    });
    const signed = await signer.sign();
    const sent = { method, headers: Object.fromEntries(signed.headers), ...(body && { body }) };
    return request(signed.url, { ...sent, dispatcher: this.#agent });
  }
}

async function drained({ body }: Answer): Promise<void> {
  await body.dump().catch(error => {
    throw overloaded(error);
  });
}

const passing = new Set([408, 429]);

/** What the server says is repeated in the log of the operator: it has the bucket's and the object's names, and no secret. */
async function refusal({ statusCode, body }: Answer): Promise<Error> {
  const said = await body.text().catch(() => "");
  const [, code = "no code"] = /<Code>([\w.-]{1,64})<\/Code>/.exec(said) ?? [];
  const error = new Error(`The S3 server has answered with the status ${statusCode} (${code}).`);
  return statusCode >= 500 || passing.has(statusCode) ? overloaded(error) : error;
}

function overloaded(cause: unknown): Error {
  return fail("overloaded", "The service cannot take this request right now. Try again shortly.", {}, cause);
}
