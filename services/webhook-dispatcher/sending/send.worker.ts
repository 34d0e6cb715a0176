/** Sends the webhooks that the main thread hands over, with connections and a guard of its own. */
import { parentPort, workerData } from "node:worker_threads";
import { createEgress, type EgressSettings, type Refused } from "../../../mixins/egress/egress.ts";
import { type Answer, type ExchangeOwner, sendPaced, type WebhookRequest } from "./send.ts";

/** Requests, each with a number, and the numbers of those that are to be aborted. */
export interface ToThread {
  requests: [number: number, request: WebhookRequest][];
  aborted: number[];
}

export interface FromThread {
  answers: [number: number, answer: Answer][];
  /** Connections that the guard refused. */
  refused: Refused[];
}

const underWay = new Map<number, { abort(): void }>();
let next: FromThread = { answers: [], refused: [] };
let isFilling = false;

/** Messages of one tick go as one. */
function filled(): FromThread {
  if (!isFilling)
    setImmediate(() => {
      parentPort?.postMessage(next);
      next = { answers: [], refused: [] };
      isFilling = false;
    });
  isFilling = true;
  return next;
}

/** The process holds what it sends for as long as it lives: see `openSendingThread`. */
function ownerOf(number: number): ExchangeOwner {
  return {
    isHeld: true,
    began: exchange => underWay.set(number, exchange),
    ended: () => underWay.delete(number),
  };
}

const send = sendPaced(
  createEgress({
    ...(workerData as EgressSettings),
    onRefusal: refused => filled().refused.push(refused),
  }).agent(),
);

parentPort?.on("message", ({ requests, aborted }: ToThread) => {
  for (const [number, request] of requests)
    void send(request, ownerOf(number)).then(answer => filled().answers.push([number, answer]));
  for (const number of aborted) underWay.get(number)?.abort();
});
parentPort?.postMessage(next);
