import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Promised, ScrapeLedger, SeenScrape } from "./ledger.ts";

export interface World {
  /** `address`: of a gateway, asked for anew for each request. */
  service: { readonly address: string };
  ledger: ScrapeLedger;
  random: Random;
  apiKey: string;
  site: string;
  hook: string;
}

interface Answer {
  status: number;
  body: { scrape_id?: string } & Partial<SeenScrape>;
}

const waitMs = 10_000;

/** Sends scrapes of all kinds, one after the other, until the signal fires. */
export async function sendScrapes(world: World, name: string, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    await sendOne(world, `${name}-${n}`);
    await delay(50 + world.random() * 100);
  }
}

/** Asks for scrapes by chance, those that have ended among them, until the signal fires. */
export async function watchScrapes(world: World, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { ids } = world.ledger;
    const id = ids[Math.floor(world.random() * ids.length)];
    if (id !== undefined) await look(world, id);
    await delay(20);
  }
}

/** Asks for a scrape; an answer that does not come says nothing. */
export async function look({ service, apiKey, ledger }: World, id: string): Promise<void> {
  const answer = await request(service, apiKey, `/web/scrape/${id}`);
  if (answer?.status === 200) ledger.see(id, answer.body as SeenScrape);
  if (answer?.status === 404) ledger.see(id, undefined);
}

async function sendOne(world: World, name: string): Promise<void> {
  const { random, ledger } = world;
  const [kind, fails] = [random(), random() < 0.2];
  const isLate = kind < 0.15;
  const key = kind > 0.5 ? name : undefined;
  const path = fails ? "/reset" : isLate ? "/slow" : "/page";
  const webhook = { url: world.hook, events: ["completed", "failed"] };
  const body = {
    url: `${world.site}${path}?${name}`,
    ...(isLate ? { timeout: 1000 } : { mode: "async", webhook }),
  };
  const scrapeId = await send(world, body, key);
  const promise: Promised = {
    scrapeId: scrapeId ?? "",
    ends: fails ? "failed" : "completed",
    isTold: !isLate,
    ...(key !== undefined && { key }),
  };
  if (scrapeId !== undefined) ledger.accept(promise);
}

/** The identity of an accepted scrape; undefined when it was done at once, or when nobody knows. A key is sent until it is answered. */
async function send(
  { service, apiKey }: Pick<World, "service" | "apiKey">,
  body: object,
  key: string | undefined,
): Promise<string | undefined> {
  for (;;) {
    const answer = await request(service, apiKey, "/web/scrape", { body, key });
    if (answer?.status === 202 || answer?.status === 408) return answer.body.scrape_id;
    if (answer !== undefined && answer.status < 500 && answer.status !== 429) return undefined;
    if (key === undefined || (answer && !("mode" in body))) return undefined;
    await delay(100);
  }
}

async function request(
  service: World["service"],
  apiKey: string,
  path: string,
  { body, key }: { body?: object; key?: string } = {},
): Promise<Answer | undefined> {
  try {
    const reply = await fetch(service.address + path, {
      method: body ? "POST" : "GET",
      headers: {
        "x-api-key": apiKey,
        ...(body && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(waitMs),
    });
    return { status: reply.status, body: (await reply.json()) as Answer["body"] };
  } catch {
    // It was killed before it answered, or is not there.
    return undefined;
  }
}
