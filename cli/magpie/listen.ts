import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import type { Event } from "../../sdk/typescript/src/index.ts";
import { delayAfter, jitter } from "../../services/domain/delivery/backoff.ts";
import { readEvents } from "./event-stream.ts";
import { isOfTypes, untilInterrupted } from "./events.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { type Answer, addressReceiver, programReceiver, type Receiver } from "./listen-receivers.ts";
import { collect, examples, type Given, number } from "./options.ts";
import { note, printJson, printText } from "./screen.ts";
import { clientOf } from "./server.ts";

interface ListenGiven extends Given {
  forward?: string;
  exec?: string;
  after?: number;
  type?: string[];
  attempts: number;
}

/** `magpie listen --forward <url>` or `--exec <command>`. */
export const listen = new Command("listen")
  .description(
    "Give the key's events to a program on this machine, one at a time: post them, signed as webhooks are, or run a command for each. No tunnel is needed.",
  )
  .option("--forward <url>", "where to post each event")
  .option("--exec <command>", "a command of the shell to run for each event, which is its standard input")
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
      [`magpie listen --exec 'jq -r .data.source.name | xargs notify-send'`, "a command for each event"],
    ),
  )
  .action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals() as ListenGiven;
    const signal = untilInterrupted();
    const receiver = receiverOf(options, soonAfter(signal));
    note(`${receiver.says}. Ctrl-C ends it.`);
    let last = options.after;
    for await (const event of readEvents(clientOf(options), { after: options.after, signal })) {
      if (signal.aborted) break;
      if (isOfTypes(event, options.type)) {
        const outcome = await hand(event, receiver, { attempts: options.attempts, signal });
        if (!outcome.isDone) break;
        tell(event, outcome, options);
      }
      last = event.seq;
    }
    if (last !== undefined) note(`To continue from here: --after ${last}`);
  });

function receiverOf({ forward, exec }: ListenGiven, hasWaited: AbortSignal): Receiver {
  if ((forward === undefined) === (exec === undefined))
    throw new CommandError("Give either --forward <url> or --exec <command>.", exitCodes.usage);
  return exec === undefined ? addressReceiver(forward ?? "", hasWaited) : programReceiver(exec, hasWaited);
}

interface Outcome {
  /** The last answer. */
  answer: Answer;
  attempts: number;
  /** Whether the event is finished: the program took it, or refused it as often as `--attempts` allows. */
  isDone: boolean;
}

/**
 * How long the command waits after Ctrl-C for the answer to the running attempt: an event that was taken must not come
 * again.
 */
const lastAnswerMs = 5_000;

/** Aborted some seconds after Ctrl-C: it ends the attempt that was running. */
function soonAfter(signal: AbortSignal): AbortSignal {
  const ended = new AbortController();
  signal.addEventListener("abort", () => setTimeout(() => ended.abort(), lastAnswerMs).unref());
  return ended.signal;
}

const scheduleMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Gives one event to the program until it takes it. Without an answer it tries on, since somebody may be starting the
 * program; a program that refuses gets as many attempts as `--attempts` says. No other event is given meanwhile, which keeps
 * the order. After Ctrl-C (`signal`) no attempt begins.
 */
async function hand(
  event: Event,
  receiver: Receiver,
  { attempts: most, signal }: { attempts: number; signal: AbortSignal },
): Promise<Outcome> {
  for (let attempts = 1, refusals = 0; ; attempts += 1) {
    const answer = await untilAnswered(receiver.give(event), signal, event);
    if (answer.result === "refused") refusals += 1;
    const isDone = answer.result === "taken" || refusals >= most;
    if (isDone || signal.aborted) return { answer, attempts, isDone };
    const waitMs = Math.max(delayAfter(attempts, scheduleMs, jitter(Math.random)), answer.pauseMs);
    note(`Event ${event.seq}: ${answer.says}; again in ${(waitMs / 1000).toFixed(1)} s.`);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { answer, attempts, isDone };
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

function tell({ seq, id, type }: Event, { answer, attempts }: Outcome, { json }: Given): void {
  const { shown, fields, result } = answer;
  if (json) printJson({ seq, id, type, ...fields, attempts });
  else printText(`${seq}  ${type}  ${shown}${result === "taken" ? "" : ", left out"}`);
}
