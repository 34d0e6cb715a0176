import { within } from "../../../../mixins/async/timeout.ts";
import { logEvent } from "../../../../mixins/log/log-events.ts";
import type { Listener } from "../../social/social-connector.ts";
import { isRejected, type XMessage, type XPost, type XRule } from "./api.ts";
import type { XContext } from "./context.ts";
import { toPost } from "./map-post.ts";

/** Publishes the posts of the stream one by one, until it ends; throws why it ended. */
export async function publishStream(
  x: XContext,
  listener: Listener,
  stream: ReadableStreamDefaultReader<Uint8Array>,
): Promise<never> {
  for await (const line of streamLines(stream, x.silenceMs)) {
    const message = JSON.parse(line) as XMessage;
    if (message.data) await publish(x, listener, message.data, message);
    else throwEnd(message);
  }
  throw new Error("X closed the stream.");
}

/** Posts that only match rules of other users of the app are not ours, but X bills them too. */
async function publish(
  { budget }: XContext,
  listener: Listener,
  post: XPost,
  message: XMessage,
): Promise<void> {
  await budget.settle(await budget.take(1), [post.id]);
  const { author_id: author } = post;
  const isOurs = message.matching_rules?.some(({ tag }) => tag === ruleTag);
  if (author !== undefined && isOurs && listener.isTracked(author))
    await listener.onPosts(author, [toPost(post, message.includes)]);
  await budget.check();
}

/** X sends the reason before it ends a stream. Messages of unknown kinds are ignored. */
function throwEnd(message: XMessage): void {
  const [problem = message] = message.errors ?? [];
  const { title, detail, connection_issue } = problem;
  if (message.errors || connection_issue)
    throw new Error(`X ends the stream: ${detail ?? title ?? "no reason"}`);
}

/**
 * The non-empty lines of a stream. An idle X sends an empty line every 20 seconds, which the library's own stream drops;
 * rejects when not even that has arrived for `silenceMs`.
 */
export async function* streamLines(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await unlessSilent(silenceMs, reader.read());
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter(line => line.trim() !== "");
  }
}

/** Does not count the time that the consumer of the lines takes. */
async function unlessSilent<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  return await within(ms, value, () => {
    throw new Error("X's stream fell silent.");
  });
}

/** Makes the rules of the stream match the tracked accounts. Rules of other users of the app stay untouched. */
export async function syncRules(x: XContext, accounts: string[], signal: AbortSignal): Promise<void> {
  const { add, remove } = planRules(await ownRules(x, signal), accounts);
  if (add.length > 0) await changeRules(x, { add: add.map(value => ({ value, tag: ruleTag })) }, signal);
  if (remove.length > 0) await changeRules(x, { delete: { ids: remove } }, signal);
}

async function ownRules({ api }: XContext, signal: AbortSignal): Promise<XRule[]> {
  const rules: XRule[] = [];
  let paginationToken: string | undefined;
  do {
    const { data = [], meta } = await api.ask<XRule[]>(
      "rules",
      (client, requestOptions) => {
        return client.stream.getRules({ maxResults: 1000, paginationToken, requestOptions });
      },
      signal,
    );
    rules.push(...data);
    paginationToken = meta?.next_token;
  } while (paginationToken);
  return rules.filter(({ tag }) => tag === ruleTag);
}

type RuleChange = { add: { value: string; tag: string }[] } | { delete: { ids: string[] } };

/**
 * X accepts the rules that the plan has room for and reports the others, or rejects all of them. Accounts without a rule
 * are only polled.
 */
async function changeRules({ api, tools }: XContext, body: RuleChange, signal: AbortSignal): Promise<void> {
  try {
    const { errors } = await api.ask(
      "rules",
      (client, requestOptions) => client.stream.updateRules(body, { requestOptions }),
      signal,
    );
    if (errors?.length) logEvent(tools.logger, "x_rules.refused", { count: errors.length, first: errors[0] });
  } catch (error) {
    if (!isRejected(error)) throw error;
    logEvent(tools.logger, "x_rules.refused", { error: String(error), reason: String(Object(error).cause) });
  }
}

/** Marks the rules of this service among those of the app. */
const ruleTag = "magpie";
const maxLength = 512;
const ruleEnd = ") -is:retweet";

/**
 * The rules to add and remove so that they name exactly the wanted accounts, in as few rules as their length allows. Full
 * rules stay as they are, so that a new account changes one rule only. Add before removing: otherwise posts in between
 * would be missed.
 */
export function planRules(existing: XRule[], wanted: string[]): { add: string[]; remove: string[] } {
  const missing = new Set(wanted);
  const remove: string[] = [];
  for (const { id, value } of existing) {
    const named = accountsOf(value);
    const stays = isFull(named) && ruleOf(named) === value && named.every(account => missing.has(account));
    if (stays) for (const account of named) missing.delete(account);
    else remove.push(id);
  }
  return withoutRepeats(existing, { add: packed([...missing].sort()), remove });
}

/** The rules for these accounts, in order, each as long as allowed. */
function packed(accounts: string[]): string[] {
  const rules: string[][] = [];
  for (const account of accounts) {
    const last = rules.at(-1);
    if (last && ruleOf([...last, account]).length <= maxLength) last.push(account);
    else rules.push([account]);
  }
  return rules.map(ruleOf);
}

/** X refuses a rule that exists already. */
function withoutRepeats(existing: XRule[], { add, remove }: { add: string[]; remove: string[] }) {
  const existingByValue = new Map(existing.map(({ id, value }) => [value, id]));
  const kept = new Set(add.map(value => existingByValue.get(value)));
  return {
    add: add.filter(value => !existingByValue.has(value)),
    remove: remove.filter(id => !kept.has(id)),
  };
}

function ruleOf(accounts: string[]): string {
  return `(${accounts.map(account => `from:${account}`).join(" OR ")}${ruleEnd}`;
}

function accountsOf(value: string): string[] {
  return [...value.matchAll(/from:(\d+)/g)].map(([, account = ""]) => account);
}

function isFull(accounts: string[]): boolean {
  const longest = "9".repeat(19);
  return ruleOf([...accounts, longest]).length > maxLength;
}
