import { setTimeout as sleep } from "node:timers/promises";
import {
  type AppliedOutcome,
  applyOutcome,
  isApplied,
  type Outcome,
  type Verdict,
} from "../../domain/delivery/apply-outcome.ts";
import { jitter } from "../../domain/delivery/backoff.ts";
import { batchOf } from "../../domain/delivery/delivery-options.ts";
import { hasFailed } from "../../domain/delivery/endpoint-health.ts";
import { isInVain, pauseAskedMs } from "../../domain/delivery/formats/answers.ts";
import { binary, structured } from "../../domain/delivery/formats/cloudevents.ts";
import { firecrawlBody } from "../../domain/delivery/formats/firecrawl.ts";
import { type Format, formatted, type Message } from "../../domain/delivery/formats/formats.ts";
import { builtIns, isBuiltIn } from "../../domain/delivery/formats/messages.ts";
import { type Attempt, isProbing, keyOf, type Lane } from "../../domain/delivery/lane.ts";
import { firecrawlSignature, sign } from "../../domain/delivery/signature.ts";
import { withOwnHeaders } from "../endpoints/own-headers.ts";
import { hasProblem } from "../expressions/jobs.ts";
import { promptGroupMs } from "../journal/step-groups.ts";
import { notSent } from "../mail/mail-way.ts";
import type { Answer, ExchangeOwner } from "../sending/send.ts";
import type { Attempted } from "../webhooks.store.ts";
import type { OutgoingEvent } from "./active-lane.ts";
import type { LaneContext } from "./context.ts";
import type { ShardOwnership } from "./shard-ownership.ts";
import type { Target } from "./target.ts";
import { notTransformed, transformed } from "./transformed.ts";

/** What deliveries work with. */
type DeliveryContext = Pick<
  LaneContext,
  "send" | "mail" | "destinations" | "expressions" | "journal" | "schedule" | "signal" | "onStoreError"
>;

/** An attempt to deliver, and what its lane has to do with it. */
export interface Delivery {
  target: Target;
  ownership: ShardOwnership;
  attempt: Attempt;
  /** The contents of the attempt's events, in order. */
  outgoing: readonly OutgoingEvent[];
  /** Whether the endpoint has a fallback. */
  hasFallback?: boolean;
  /** False once the endpoint is removed or another node works the lane. */
  isCurrent(): boolean;
  /** Moves the lane over events that were not wanted, with each outcome. */
  passOver(lane: Lane): Lane;
  /** Called when the receiver has answered, before the outcome is written. */
  onAnswer(ok: boolean): void;
  /** Milliseconds for which an accepted attempt may wait to be written. */
  patienceMs(): number;
}

/** A delivery that was answered. Times are in Unix milliseconds. */
interface Answered {
  context: DeliveryContext;
  delivery: Delivery;
  answer: Answer;
  started: number;
  ended: number;
  /**
   * The result of the last try to write the outcome; while there is another try, it is unknown whether the store has
   * it.
   */
  lastTry?: AppliedOutcome;
}

/** The result of an attempt. */
export interface DeliveryResult {
  /** Each event has one. */
  attempts: Attempted[];
  /** Whether this attempt made the endpoint FAILED. */
  failedNow: boolean;
}

/** Pauses between tries to write the outcome; the last one is repeated. */
const retryMs = [200, 400, 800, 1_600, 3_200];

/**
 * Sends the events of an attempt once and records the outcome. Resolves when that is stored; with null when it has no
 * effect any more.
 */
export async function deliver(
  context: DeliveryContext,
  delivery: Delivery,
  pausesMs: readonly number[] = retryMs,
): Promise<DeliveryResult | null> {
  const { target, ownership, outgoing } = delivery;
  const started = Date.now();
  const answer = await sendTo(context, target, outgoing, started, ownership);
  // Whoever works the lane next makes the attempt again: the receiver is not to blame.
  if (answer.error === "interrupted") return null;
  delivery.onAnswer(answer.error === null);
  const answered: Answered = { context, delivery, answer, started, ended: Date.now() };
  return writeOutcome(answered).catch(() => writeUntilStored(answered, pausesMs));
}

/** Sends these events once, whatever the lane; a success that notifies nobody is a failure. */
export async function sendTo(
  {
    send,
    mail,
    destinations,
    expressions,
  }: Pick<DeliveryContext, "send" | "mail" | "destinations" | "expressions">,
  target: Target,
  outgoing: readonly OutgoingEvent[],
  now: number,
  within?: ExchangeOwner,
): Promise<Answer> {
  const { destination, isGone } = target;
  if (isGone) return { ...notSent, blame: "gone" };
  if (destination)
    return destinations.write(destination.endpoint, { events: outgoing, path: destination.path }, within);
  if (target.url.protocol === "mailto:") return sendMail(mail, target, outgoing, within);
  const standard = standardOf(outgoing, target.inBatches);
  const made = await transformed(expressions, target, standard.body, outgoing);
  if (made && hasProblem(made)) return notTransformed(made);
  const answer = await send(requestOf(target, outgoing, now, made), within);
  return isInVain(target.format ?? "standard", answer)
    ? { ...answer, error: `status_${answer.status ?? 0}` }
    : answer;
}

/** Sends these events as one mail. */
function sendMail(
  mail: DeliveryContext["mail"],
  { laneId, webhookId = "", url, inBatches, format, template }: Omit<Target, "signingKeys">,
  outgoing: readonly OutgoingEvent[],
  within?: ExchangeOwner,
): Promise<Answer> {
  const target = { _id: laneId, webhookId, url: url.href, format, template };
  const { id } = standardOf(outgoing, inBatches);
  const events = { id, bodies: outgoing.map(event => event.body), total: outgoing.length };
  return mail?.deliver(target, events, within) ?? Promise.resolve(notSent);
}

/** The body in the standard format: one event, or a batch. */
function standardOf(outgoing: readonly OutgoingEvent[], inBatches: boolean): { id: string; body: string } {
  const [first] = outgoing;
  return first && outgoing.length === 1 && !inBatches ? first : batchOf(outgoing);
}

/** The signed request for these events. */
function requestOf(
  {
    url: endpoint,
    signingKeys,
    inBatches,
    ownHeaders = {},
    format = "standard",
    template = null,
    metadata = null,
    timeoutMs,
    clientCertificate,
  }: Omit<Target, "laneId">,
  outgoing: readonly OutgoingEvent[],
  now: number,
  made?: Pick<Message, "contentType" | "body">,
) {
  const standard = standardOf(outgoing, inBatches);
  const { id } = standard;
  const {
    url,
    contentType,
    body,
    headers: ofFormat,
    method,
  }: Message = made
    ? { ...placeOf(format, endpoint, id), ...made }
    : messageOf(
        { endpoint, format, template, metadata, inBatches },
        standard.body,
        outgoing.map(event => event.body),
      );
  const timestamp = Math.floor(now / 1000);
  const headers = withOwnHeaders(ownHeaders, {
    ...ofFormat,
    "content-type": contentType,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": sign(signingKeys, id, timestamp, body),
    ...(format === "firecrawl" && { "x-firecrawl-signature": firecrawlSignature(signingKeys, body) }),
  });
  return { url, headers, body, method, timeoutMs: timeoutMs ?? undefined, clientCertificate };
}

/** Where a body that JSONata has made is sent. */
function placeOf(format: Format, url: URL, id: string): Pick<Message, "url" | "method"> {
  if (!isBuiltIn(format)) return { url };
  const { to, method } = builtIns[format];
  return { url: to?.(url, id) ?? url, method };
}

const json = "application/json";

/** What is sent of events, given as JSON: of one, or of a batch in the standard format. */
function messageOf(
  {
    endpoint,
    format,
    template,
    metadata,
    inBatches,
  }: Pick<Required<Target>, "template" | "metadata" | "inBatches"> & {
    endpoint: URL;
    format: Format;
  },
  standard: string,
  events: readonly string[],
): Message {
  if (format === "standard") return { url: endpoint, contentType: json, body: standard };
  const [only = standard] = events;
  if (format === "firecrawl")
    return { url: endpoint, contentType: json, body: firecrawlBody(only, JSON.parse(metadata ?? "{}")) };
  if (format === "cloudevents") return { url: endpoint, ...structured(events, inBatches) };
  if (format === "cloudevents-binary") return { url: endpoint, ...binary(only) };
  if (isBuiltIn(format)) throw new Error(`The body of ${format} is made by JSONata`);
  return formatted(format, template ?? null, endpoint, events);
}

/**
 * The attempt stays under way until its outcome is stored, so that a full disk causes no duplicates. A stop waits for
 * the first tries only.
 */
async function writeUntilStored(
  answered: Answered,
  pausesMs: readonly number[],
): Promise<DeliveryResult | null> {
  const { signal, onStoreError } = answered.context;
  const { target, ownership, isCurrent } = answered.delivery;
  for (let tries = 1; isCurrent(); tries += 1) {
    await sleep(pausesMs[tries - 1] ?? pausesMs.at(-1));
    try {
      return await writeOutcome(answered);
    } catch (error) {
      const isEnding = signal.aborted || !ownership.isOpen;
      if (isEnding && tries >= pausesMs.length) throw error;
      if (tries === pausesMs.length) onStoreError([target.laneId], error);
    }
  }
  return null;
}

function writeOutcome(answered: Answered): Promise<DeliveryResult | null> {
  const { context, delivery } = answered;
  const { laneId } = delivery.target;
  return context.journal.writeOutcome(
    laneId,
    batch => {
      const before = batch.lane(laneId);
      if (!before || !delivery.isCurrent()) return null;
      const { lane, verdicts } = applyAnswer(answered, before);
      batch.setLane(laneId, delivery.passOver(lane));
      const attempts = attemptsOf(answered, verdicts);
      for (const attempt of attempts) batch.record(attempt);
      return { attempts, failedNow: hasFailed(lane) !== hasFailed(before) };
    },
    batchingWaitMs(answered),
  );
}

function attemptsOf(
  { delivery, answer: { status, error, text }, started, ended }: Answered,
  verdicts: Verdict[],
): Attempted[] {
  const { target, attempt, outgoing } = delivery;
  const { laneId, at, url } = target;
  return outgoing.map(({ id, type }, n) => ({
    keyId: keyOf(laneId),
    ...at,
    event_id: id,
    type,
    ...(attempt.events[n] && { seq: attempt.events[n].seq }),
    url: url.href,
    attempt: verdicts[n]?.attempts ?? 1,
    outcome: verdicts[n]?.verdict ?? "failed",
    http_status: status,
    error,
    duration_ms: ended - started,
    answer: text,
    startedAt: started,
  }));
}

/** An earlier try may have been stored although its answer was lost. */
function applyAnswer(answered: Answered, lane: Lane): AppliedOutcome {
  const { context, delivery, answer, ended, lastTry } = answered;
  const { attempt, target } = delivery;
  if (lastTry && isApplied(lane, attempt, lastTry.verdicts[0]?.attempts ?? 1)) return { ...lastTry, lane };
  const outcome = outcomeOf(target, answer, ended);
  const { hasFallback } = answered.delivery;
  const options = { schedule: context.schedule, spread: jitter(Math.random), hasFallback };
  answered.lastTry = applyOutcome(lane, attempt, outcome, ended, options);
  return answered.lastTry;
}

function outcomeOf({ format = "standard" }: Pick<Target, "format">, answer: Answer, now: number): Outcome {
  const { error, status, blame } = answer;
  return { ok: error === null, status, error, retryAfterMs: pauseAskedMs(format, answer, now), blame };
}

/** Milliseconds for which the outcome may wait to be written together with others. */
function batchingWaitMs({ context, delivery, answer: { error }, started, ended }: Answered): number {
  if (!delivery.ownership.isOpen) return 0;
  const lane = context.journal.lane(delivery.target.laneId);
  // A failed probe is followed by a pause anyway. If its outcome is lost with the process, the attempt is repeated.
  if (error !== null && lane && isProbing(lane)) return Math.min(Math.min(...context.schedule) / 5, 1_000);
  const soonestMs = error === null ? delivery.patienceMs() : promptGroupMs;
  // A slow endpoint gains nothing from a fast write, and a thousand slow ones share few writes.
  return soonestMs === 0 ? 0 : Math.max(soonestMs, (ended - started) / 10);
}
