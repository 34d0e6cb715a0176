import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "undici";
import { product } from "../../mixins/egress/identity.ts";
import type { Event } from "../../sdk/typescript/src/index.ts";
import { receiverPauseMs } from "../../services/domain/delivery/backoff.ts";
import { generateSecret, sign, signingKey } from "../../services/domain/delivery/signature.ts";
import { CommandError, exitCodes } from "./failure.ts";
import { note } from "./screen.ts";

/*
 * The programs that `magpie listen` gives events to: one at an address, or a command that is run for each event.
 */

/** What became of one attempt. */
export interface Answer {
  /** `unknown`: there was no answer, so it may not have arrived. */
  result: "taken" | "refused" | "unknown";
  /** For the note before another attempt. */
  says: string;
  /** For the line of the event. */
  shown: string;
  /** For the line of the event as JSON. */
  fields: Record<string, number | null>;
  /** Milliseconds that the program asks to wait for. */
  pauseMs: number;
}

/** Who is given the events. */
export interface Receiver {
  /** For the note at the start. */
  says: string;
  /** Gives one event. Never rejects. */
  give(event: Event): Promise<Answer>;
}

/** How long a program may take to answer: longer than the service allows a webhook, since it may be in a debugger. */
const exchangeMs = 30_000;

/** A program that takes webhooks at an address. An attempt ends with `signal`. */
export function addressReceiver(address: string, signal: AbortSignal): Receiver {
  const target = targetOf(address);
  const secret = generateSecret(randomBytes);
  const key = signingKey(secret);
  note(`Signing secret, for as long as this runs: ${secret}`);
  return {
    says: `Forwarding to ${target.href}`,
    async give(event) {
      const now = Date.now();
      const body = JSON.stringify(event);
      try {
        const answer = await request(target, {
          method: "POST",
          signal: AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]),
          headers: signedHeaders(event.id, body, { key, now }),
          body,
        });
        await answer.body.dump();
        const { statusCode: status } = answer;
        return {
          result: status < 300 ? "taken" : "refused",
          says: `answer ${status}`,
          shown: String(status),
          fields: { status },
          pauseMs: receiverPauseMs(answer.headers["retry-after"]?.toString(), now),
        };
      } catch {
        return { ...noAnswer, fields: { status: null } };
      }
    },
  };
}

const noAnswer = { result: "unknown", says: "no answer", shown: "no answer", pauseMs: 0 } as const;

function targetOf(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new CommandError("--forward takes an address such as http://localhost:8080/hook.", exitCodes.usage);
}

function signedHeaders(
  id: string,
  body: string,
  { key, now }: { key: ReturnType<typeof signingKey>; now: number },
): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  return {
    "content-type": "application/json",
    "user-agent": product,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": sign([key], id, timestamp, Buffer.from(body)),
  };
}

/**
 * A command that a shell runs for each event: the event is its standard input, as JSON, and its output is this command's.
 * Exit code 0 takes the event. A command that runs when `signal` is aborted is ended, with all that it started.
 */
export function programReceiver(command: string, signal: AbortSignal): Receiver {
  return {
    says: `Running ${command} for each event`,
    async give(event) {
      // A process group of its own: Ctrl-C in a terminal reaches this process only, which lets the command end.
      const child = spawn(`${variablesOf(event)}\n${command}`, {
        shell: true,
        detached: true,
        stdio: ["pipe", "inherit", "inherit"],
      });
      const end = () => child.pid !== undefined && process.kill(-child.pid, "SIGTERM");
      signal.addEventListener("abort", end, { once: true });
      // A command may end before it has read all of the event.
      child.stdin.on("error", () => undefined).end(JSON.stringify(event));
      try {
        const [code, by] = (await once(child, "exit")) as [number | null, string | null];
        return ended(code, by);
      } catch (error) {
        return { ...noAnswer, says: (error as Error).message, fields: { exit_code: null } };
      } finally {
        signal.removeEventListener("abort", end);
      }
    },
  };
}

/** The command's environment, in the shell's words. None of these values comes from a source. */
function variablesOf({ id, type, seq }: Event): string {
  return `export MAGPIE_EVENT_ID='${id}' MAGPIE_EVENT_TYPE='${type}' MAGPIE_EVENT_SEQ='${seq}'`;
}

function ended(code: number | null, by: string | null): Answer {
  const shown = code === null ? `ended by ${by}` : `exit code ${code}`;
  const result = code === 0 ? "taken" : "refused";
  return { result, says: shown, shown, fields: { exit_code: code }, pauseMs: 0 };
}
