import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import { request } from "undici";
import { product } from "../../mixins/egress/identity.ts";
import type { Event } from "../../sdk/typescript/src/index.ts";
import { delayAfter, jitter, receiverPauseMs } from "../../services/domain/delivery/backoff.ts";
import { generateSecret, sign, signingKey } from "../../services/domain/delivery/signature.ts";
import { readEvents } from "./event-stream.ts";
import { isOfTypes, untilInterrupted } from "./events.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { collect, examples, type Given, number } from "./options.ts";
import { note, printJson, printText } from "./screen.ts";
import { clientOf } from "./server.ts";

interface ListenGiven extends Given {
  forward: string;
  after?: number;
  type?: string[];
  attempts: number;
}

/** `magpie listen --forward <url>`. */
export const listen = new Command("listen")
  .description(
    "Forward the key's events to a program on this machine, signed as webhooks are; no tunnel is needed.",
  )
  .requiredOption("--forward <url>", "where to post each event")
  .option("--after <seq>", "begin after this event, not with what is new", number)
  .option("--type <type>", "only events of this type, such as rss.*; may be given again", collect)
  .option("--attempts <n>", "attempts for an event that the program refuses, before it is skipped", number, 5)
  .addHelpText(
    "after",
    examples(
      ["magpie listen --forward http://localhost:8080/hook", "what is new from now on"],
      [
        "magpie listen --forward http://localhost:8080/hook --after 0",
        "first all that is kept, of the last 72 hours or more",
      ],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as ListenGiven;
    const target = targetOf(options.forward);
    const secret = generateSecret(randomBytes);
    const signal = untilInterrupted();
    const given = { key: signingKey(secret), attempts: options.attempts };
    const receiver = { target, ...given, signal, hasWaited: soonAfter(signal) };
    note(`Signing secret, for as long as this runs: ${secret}`);
    note(`Forwarding to ${target.href}. Ctrl-C ends it.`);
    let last = options.after;
    for await (const event of readEvents(clientOf(options), { after: options.after, signal })) {
      if (signal.aborted) break;
      if (isOfTypes(event, options.type)) {
        const outcome = await forward(event, receiver);
        if (!outcome.isDone) break;
        tell(event, outcome, options);
      }
      last = event.seq;
    }
    if (last !== undefined) note(`To continue from here: --after ${last}`);
  });

function targetOf(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError("--forward takes an address such as http://localhost:8080/hook.", exitCodes.usage);
}

interface Receiver {
  target: URL;
  key: ReturnType<typeof signingKey>;
  attempts: number;
  /** Aborted by Ctrl-C: no attempt begins after it. */
  signal: AbortSignal;
  /** Aborted some seconds after Ctrl-C: it ends the attempt that was running. */
  hasWaited: AbortSignal;
}

interface Outcome {
  /** The HTTP status; null when no answer arrived. */
  status: number | null;
  attempts: number;
  /** Whether the event is finished: the program took it, or refused it as often as `--attempts` allows. */
  isDone: boolean;
}

/**
 * How long the command waits after Ctrl-C for the answer to the running attempt: an event that was taken must not come
 * again.
 */
const lastAnswerMs = 5_000;

function soonAfter(signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  signal.addEventListener("abort", () => setTimeout(() => ended.abort(), lastAnswerMs).unref());
  return ended.signal;
}

const scheduleMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Posts one event until the program takes it. Without an answer it tries on, since somebody may be starting the program;
 * a program that refuses gets as many attempts as `--attempts` says. No other event is sent meanwhile, which keeps the order.
 */
async function forward(event: Event, receiver: Receiver): Promise<Outcome> {
  const { signal } = receiver;
  for (let attempts = 1, refusals = 0; ; attempts += 1) {
    const { status, pauseMs } = await untilAnswered(post(event, receiver), signal, event);
    if (status !== null) refusals += 1;
    const isDone = (status !== null && status < 300) || refusals >= receiver.attempts;
    if (isDone || signal.aborted) return { status, attempts, isDone };
    const waitMs = Math.max(delayAfter(attempts, scheduleMs, jitter(Math.random)), pauseMs);
    const what = status === null ? "no answer" : `answer ${status}`;
    note(`Event ${event.seq}: ${what}; again in ${(waitMs / 1000).toFixed(1)} s.`);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { status, attempts, isDone };
  }
}

/** Waits for an answer, and prints at Ctrl-C that it still waits. */
async function untilAnswered<Result>(
  answer: Promise<Result>,
  signal: AbortSignal,
  { seq }: Event,
): Promise<Result> {
  const say = () => note(`Waiting for the answer to event ${seq}, for up to ${lastAnswerMs / 1000} s.`);
  signal.addEventListener("abort", say, { once: true });
  return await answer.finally(() => signal.removeEventListener("abort", say));
}

/** How long a program may take to answer: longer than the service allows a webhook, since it may be in a debugger. */
const exchangeMs = 30_000;

async function post(event: Event, { target, key, hasWaited }: Receiver) {
  const { id } = event;
  const body = JSON.stringify(event);
  const now = Date.now();
  const timestamp = Math.floor(now / 1000);
  try {
    const answer = await request(target, {
      method: "POST",
      signal: AbortSignal.any([hasWaited, AbortSignal.timeout(exchangeMs)]),
      headers: {
        "content-type": "application/json",
        "user-agent": product,
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": sign([key], id, timestamp, Buffer.from(body)),
      },
      body,
    });
    await answer.body.dump();
    return {
      status: answer.statusCode,
      pauseMs: receiverPauseMs(answer.headers["retry-after"]?.toString(), now),
    };
  } catch {
    return { status: null, pauseMs: 0 };
  }
}

function tell({ seq, id, type }: Event, { status, attempts }: Outcome, { json }: Given): void {
  const left = status === null || status >= 300 ? ", left out" : "";
  if (json) printJson({ seq, id, type, status, attempts });
  else printText(`${seq}  ${type}  ${status ?? "no answer"}${left}`);
}
