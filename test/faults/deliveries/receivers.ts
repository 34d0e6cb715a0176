import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import type { Random } from "../random.ts";
import { itemOf } from "./feeds.ts";
import type { Arrival } from "./oracle.ts";
import { type Kind, kindOf, modeOf } from "./plan-receivers.ts";

type Answer = "ok" | "late" | "error" | "hang" | "reset" | "throttle";

/** The endpoints of all keys, on a server of this process. */
export interface Receivers {
  url(key: number): string;
  /** Checks the signatures of what a key gets from now on. */
  expectSecret(key: number, secret: string): void;
  /** Whose filter lets items pass that are new, and no other event. */
  expectOnlyItems(key: number): void;
  /** Resolves once all is read that a process sent which is dead. */
  haveReadAll(): Promise<void>;
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
const lateMs = 50;
/** Shorter than the four delays of `WEBHOOK_BACKOFF` in these runs, whatever their jitter, and the time in between. */
const [outageMs, pauseMs] = [2_500, 4_000];

/** Starts them; each is of its kind. `onRequest` is called before a request is read. */
export async function startReceivers(
  random: Random,
  now: () => Pick<Arrival, "epoch" | "amidFault">,
  onRequest: (key: number, request: IncomingMessage, response: ServerResponse) => void = () => undefined,
): Promise<Receivers> {
  const secrets = new Map<number, string>();
  const onlyItems = new Set<number>();
  const bodies = new Map<string, string>();
  const answers: Receivers["answers"] = { ok: 0, late: 0, error: 0, hang: 0, reset: 0, throttle: 0 };
  const choose = chooser(random);
  const timers = new Set<NodeJS.Timeout>();
  const [arrivals, faults]: [Arrival[], string[]] = [[], []];
  let healed = false;
  const site = await startSite(async (request, response) => {
    const moment = now();
    const key = Number(/^\/hook\/(\d+)/.exec(request.url ?? "")?.[1]);
    onRequest(key, request, response);
    const body = await textOf(request);
    const id = String(request.headers["webhook-id"]);
    const event = verified(secrets.get(key), body, request);
    if (event === undefined) faults.push(`key ${key}: ${id} is not signed as it must be`);
    const hash = createHash("sha256").update(body).digest("hex");
    if ((bodies.get(`${key} ${id}`) ?? hash) !== hash) faults.push(`key ${key}: ${id} came with two bodies`);
    bodies.set(`${key} ${id}`, hash);
    const answer = healed ? "ok" : choose(key, id);
    answers[answer] += 1;
    const accepted = answer === "ok" || answer === "late";
    const events = event && (event.events ?? [event]);
    if (events && (event.events !== undefined) !== (modeOf(key) === "batch"))
      faults.push(`key ${key}: ${id} is of another mode`);
    for (const { id: eventId, type, seq, data } of events ?? []) {
      const item = itemOf(data?.item?.id ?? "");
      if (item) arrivals.push({ key, eventId, seq, item, accepted, ...moment });
      if (onlyItems.has(key) && (!item || type !== "rss.item.created"))
        faults.push(`key ${key}: ${eventId} is ${type}, which its filter leaves out`);
    }
    give(answer, response, timers);
  });
  return {
    url: key => `${site.url}/hook/${key}`,
    expectSecret: (key, secret) => secrets.set(key, secret),
    expectOnlyItems: key => onlyItems.add(key),
    haveReadAll: async () => {
      // Those that the kernel holds are accepted first.
      await delay(20);
      await until("its connections are closed", () => site.connections === 0);
    },
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
  id: string;
  type: string;
  seq: number;
  data?: { item?: { id?: string } };
  /** Of a batch. */
  events?: Body[];
}

function verified(secret: string | undefined, body: string, { headers }: IncomingMessage): Body | undefined {
  try {
    return new Webhook(secret ?? "").verify(body, headers as Record<string, string>) as Body;
  } catch {
    // The caller reports it.
    return undefined;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

/** What a receiver of its kind answers to a request. */
function chooser(random: Random): (key: number, id: string) => Answer {
  const seen = new Set<string>();
  const outages = new Map<number, { began: number; takenAt: number | null }>();
  /** To the first attempt of some requests, which their ids choose. */
  const once = (share: number, answer: Answer) => (key: number, id: string) => {
    const isFirst = !seen.has(`${key} ${id}`);
    seen.add(`${key} ${id}`);
    return isFirst && shareOf(id) < share ? answer : "ok";
  };
  // An outage follows what was taken, so that several of them are no failures in a row, however late the attempts are.
  const outage = (key: number): Answer => {
    const now = Date.now();
    const last = outages.get(key);
    if (!last || (last.takenAt !== null && now - last.takenAt >= pauseMs)) {
      outages.set(key, { began: now, takenAt: null });
      return "error";
    }
    if (now - last.began < outageMs) return "error";
    last.takenAt ??= now;
    return "ok";
  };
  const ofKind: Record<Kind, (key: number, id: string) => Answer> = {
    steady: () => "ok",
    late: () => "late",
    moody: () => anyAnswer(random),
    tenth: once(0.1, "error"),
    fiftieth: once(0.02, "error"),
    throttle: once(0.2, "throttle"),
    hang: once(0.1, "hang"),
    outage,
  };
  return (key, id) => ofKind[kindOf(key)](key, id);
}

/** 0 to 1, the same for the same id. */
function shareOf(id: string): number {
  return createHash("sha256").update(id).digest().readUInt32BE() / 2 ** 32;
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
  else if (answer === "late") after(lateMs, timers, () => response.writeHead(200).end("ok"));
  else if (answer === "error") response.writeHead(500).end("broken");
  else if (answer === "throttle") response.writeHead(429, { "retry-after": "1" }).end();
  else if (answer === "reset") response.socket?.resetAndDestroy();
  else after(hangMs, timers, () => response.destroy());
}

function after(ms: number, timers: Set<NodeJS.Timeout>, work: () => void): void {
  const timer = setTimeout(() => {
    timers.delete(timer);
    work();
  }, ms);
  timers.add(timer);
}
