import { world } from "../../services/domain/sandbox/world.ts";
import { startHelper } from "./child.ts";
import type { Addresses, Counts } from "./deliveries.sink.process.ts";
import { type Program, startProgram } from "./program.ts";

export type Ordering = "none" | "conversation";

/** Each is a conversation. */
const authors = world.microblog;

export const receivers = 20;

/** The receivers of webhooks, in a process of their own. */
export type Sink = Awaited<ReturnType<typeof openSink>>;

export async function openSink() {
  const sink = await startHelper<object, Counts, Addresses>("deliveries.sink.process.ts", ["1"]);
  const urls = Array.from({ length: receivers }, (_, n) => `${sink.first[0]}/taken/${n}`);
  let last = "";
  /** Resolves when so many have come since the last question. */
  const arrived = async (wanted: number) => {
    for (let count = 0; count < wanted; ) {
      await new Promise(resolve => setTimeout(resolve, 10));
      const counts = await sink.ask({});
      last = counts.last;
      count += counts.count;
    }
  };
  return { ...sink, urls, arrived, lastBody: () => last };
}

/** The program with twenty keys that track the same accounts, each with a receiver. */
export interface Delivering {
  program: Program;
  /** Dispatches so many new posts by the API of the administrator; resolves when every receiver has them. */
  deliver(posts: number): Promise<void>;
  /** The body of one of the last deliveries. */
  lastBody(): string;
}

export async function openDelivering(
  sink: Sink,
  ordering: Ordering,
  launcher: string[] = [],
): Promise<Delivering> {
  const env = { WEBHOOK_ALLOW_HTTP: "true", KEYS_PER_OWNER: "1000", BROWSER_PATH: "/nowhere" };
  return await deliverThrough(await startProgram([], env, launcher), sink, ordering);
}

/** Prepares a program that runs already. */
export async function deliverThrough(program: Program, sink: Sink, ordering: Ordering): Promise<Delivering> {
  for (const [n, url] of sink.urls.entries()) {
    const visitor = await program.another(`owner-${n}`);
    await visitor.ask("POST", "/webhook", { url, ordering });
    for (const { username } of authors) await visitor.ask("POST", "/track/microblog", { sid: username });
    await visitor.leave();
  }
  let last = 1_000_000;
  const deliver = async (count: number) => {
    await sink.ask({});
    const posts = Array.from({ length: count }, () => {
      last += 1;
      return postOf(String(last), authors[last % authors.length] as Author);
    });
    const arrived = sink.arrived(count * receivers);
    for (let from = 0; from < count; from += together)
      await dispatch(program, posts.slice(from, from + together));
    await arrived;
  };
  return { program, deliver, lastBody: () => sink.lastBody() };
}

const together = 100;

async function dispatch({ address, adminKey }: Program, posts: object[]): Promise<void> {
  const answer = await fetch(`${address}/internal/dispatch`, {
    method: "POST",
    headers: { "x-admin-key": adminKey, "content-type": "application/json" },
    body: JSON.stringify({ posts }),
  });
  if (!answer.ok) throw new Error(`dispatch: ${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}

const text = "The quick brown fox jumps over the lazy dog. ".repeat(10);

type Author = (typeof authors)[number];

function postOf(rest_id: string, { id, username }: Author): object {
  return {
    rest_id,
    core: { user_results: { result: { rest_id: id, name: username, username } } },
    legacy: {
      full_text: `${rest_id}: ${text}`,
      created_at: null,
      favorite_count: 1,
      repost_count: null,
      reply_count: 0,
    },
  };
}
