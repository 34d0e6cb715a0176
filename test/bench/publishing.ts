import { setTimeout as delay } from "node:timers/promises";

/** Takes one event for one key; resolves when it is accepted. */
export type Publish = (keyId: string, id: string, n: number) => Promise<void>;

/** Events for the keys in turn: `lanes` at a time as fast as they are accepted, or so many a second. */
export interface Batch {
  round: string;
  keyIds: string[];
  count: number;
  pace: { lanes: number } | { perSecond: number };
}

/** When each event was handed over, in Unix milliseconds, by the ID of its item; all are accepted. */
export type HandedOver = Record<string, number>;

export async function publishBatch(publish: Publish, batch: Batch): Promise<HandedOver> {
  const handedOver: HandedOver = {};
  const one = async (n: number) => {
    const id = `${batch.round}-${n}`;
    handedOver[`${id}-0`] = performance.timeOrigin + performance.now();
    await publish(batch.keyIds[n % batch.keyIds.length] ?? "", id, n);
  };
  await ("lanes" in batch.pace
    ? inLanes(one, batch.count, batch.pace.lanes)
    : steadily(one, batch.count, batch.pace.perSecond));
  return handedOver;
}

async function inLanes(one: (n: number) => Promise<void>, count: number, lanes: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  const lane = async () => {
    for (const n of numbers) await one(n);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** At its time, whether or not those before it are accepted. */
async function steadily(one: (n: number) => Promise<void>, count: number, perSecond: number): Promise<void> {
  const began = performance.now();
  const accepted: Promise<void>[] = [];
  while (accepted.length < count) {
    while (accepted.length < Math.min(count, ((performance.now() - began) * perSecond) / 1_000))
      accepted.push(one(accepted.length));
    await delay(1);
  }
  await Promise.all(accepted);
}
