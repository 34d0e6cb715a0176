import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { startSite } from "../../support/http-site.ts";
import type { Random } from "../random.ts";
import { itemOf } from "./feeds.ts";
import type { Arrival } from "./oracle.ts";

type Answer = "ok" | "error" | "hang" | "reset" | "throttle";

/** The endpoints of all keys, on a server of this process. */
export interface Receivers {
  url(key: number): string;
  /** Checks the signatures of what a key gets from now on. */
  expectSecret(key: number, secret: string): void;
  /** From now on every answer is 200. */
  heal(): void;
  arrivals: Arrival[];
  answers: Record<Answer, number>;
  /** Deliveries that are not as they must be, in sentences. */
  faults: string[];
  close(): Promise<void>;
}

/** Longer than an exchange may take. */
const hangMs = 8000;

/**
 * Starts them; those that `healthy` names answer 200 always, the others fail one delivery in four in turns. `onRequest` is
 * called before a request is read.
 */
export async function startReceivers(
  healthy: (key: number) => boolean,
  random: Random,
  epochNow: () => number,
  onRequest: (key: number, request: IncomingMessage, response: ServerResponse) => void = () => undefined,
): Promise<Receivers> {
  const secrets = new Map<number, string>();
  const bodies = new Map<string, string>();
  const answers: Receivers["answers"] = { ok: 0, error: 0, hang: 0, reset: 0, throttle: 0 };
  const timers = new Set<NodeJS.Timeout>();
  const [arrivals, faults]: [Arrival[], string[]] = [[], []];
  let healed = false;
  const site = await startSite(async (request, response) => {
    const epoch = epochNow();
    const key = Number(/^\/hook\/(\d+)/.exec(request.url ?? "")?.[1]);
    onRequest(key, request, response);
    const body = await textOf(request);
    const id = String(request.headers["webhook-id"]);
    const event = verified(secrets.get(key), body, request);
    if (event === undefined) faults.push(`key ${key}: ${id} is not signed as it must be`);
    const hash = createHash("sha256").update(body).digest("hex");
    if ((bodies.get(`${key} ${id}`) ?? hash) !== hash) faults.push(`key ${key}: ${id} came with two bodies`);
    bodies.set(`${key} ${id}`, hash);
    const answer = healed || healthy(key) ? "ok" : anyAnswer(random);
    answers[answer] += 1;
    const item = itemOf(event?.data?.item?.id ?? "");
    if (item) arrivals.push({ key, eventId: id, item, epoch, accepted: answer === "ok" });
    give(answer, response, timers);
  });
  return {
    url: key => `${site.url}/hook/${key}`,
    expectSecret: (key, secret) => secrets.set(key, secret),
    heal: () => {
      healed = true;
    },
    arrivals,
    answers,
    faults,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await site.close();
    },
  };
}

interface Body {
  data?: { item?: { id?: string } };
}

function verified(secret: string | undefined, body: string, { headers }: IncomingMessage): Body | undefined {
  try {
    return new Webhook(secret ?? "").verify(body, headers as Record<string, string>) as Body;
  } catch {
    // Told by whoever asked.
    return undefined;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

function anyAnswer(random: Random): Answer {
  const dice = random();
  if (dice < 0.1) return "error";
  if (dice < 0.16) return "reset";
  if (dice < 0.22) return "throttle";
  return dice < 0.24 ? "hang" : "ok";
}

function give(answer: Answer, response: ServerResponse, timers: Set<NodeJS.Timeout>): void {
  if (answer === "ok") response.writeHead(200).end("ok");
  else if (answer === "error") response.writeHead(500).end("broken");
  else if (answer === "throttle") response.writeHead(429, { "retry-after": "1" }).end();
  else if (answer === "reset") response.socket?.resetAndDestroy();
  else {
    const timer = setTimeout(() => {
      timers.delete(timer);
      response.destroy();
    }, hangMs);
    timers.add(timer);
  }
}
