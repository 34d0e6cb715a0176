import type { DestinationOptions } from "../../services/contracts/destinations.ts";
import { hiddenValue } from "../../services/contracts/watch.contract.ts";
import type { DestinationWays } from "../../services/webhook-dispatcher/destinations/destination.ts";
import { Destinations } from "../../services/webhook-dispatcher/destinations/destinations.ts";
import type { OutgoingEvent } from "../../services/webhook-dispatcher/lanes/active-lane.ts";
import { until } from "../support/until.ts";

/** A destination on a real server, and what others see of it. */
export interface DestinationWorld {
  ways: DestinationWays;
  /** With its secrets, for nothing but this test. */
  options: DestinationOptions;
  secrets: readonly string[];
  /** The events that it holds, in its order, each as often as it is there. */
  written(): Promise<{ id: string; seq: number }[]>;
  /** Options with which it refuses, and what it says then. */
  refused: { options: DestinationOptions; says: RegExp };
  /** Connections that are open at the server, but for those of the test itself. */
  connections?(): Promise<number>;
}

/** What every destination does. `isConnected`: it keeps connections, and the server counts them. */
export function destinationSuite(worldOf: () => DestinationWorld, { isConnected = false } = {}): void {
  let destinations: Destinations;
  let last = 0;

  beforeEach(() => {
    const { ways } = worldOf();
    destinations = new Destinations(ways, { unsealDestination: (_, sealed) => JSON.parse(sealed) });
  });
  afterEach(() => destinations.close());

  const endpointWith = (options: DestinationOptions, timeoutMs = 20_000) => {
    const { secrets } = worldOf();
    const hidden = Object.fromEntries(Object.entries(options).filter(([name]) => secrets.includes(name)));
    const shown = Object.fromEntries(Object.keys(hidden).map(name => [name, hiddenValue]));
    last += 1;
    return {
      _id: "key",
      webhookId: `webhook-${last}`,
      revision: 0,
      destination: { ...options, ...shown } as DestinationOptions,
      sealedDestination: JSON.stringify(hidden),
      timeoutMs,
    };
  };
  const make = (count: number): OutgoingEvent[] =>
    Array.from({ length: count }, () => {
      last += 1;
      const id = `evt_${String(last).padStart(6, "0")}`;
      const about = {
        id,
        seq: last,
        type: "rss.item.created",
        timestamp: "2026-11-29T12:00:00.000Z",
      } as const;
      const body = JSON.stringify({ ...about, text: "naïve “quotes”\n, a snowman ☃" });
      return { ...about, conversation: `source-${last % 2}`, body };
    });
  const pathOf = ([first]: OutgoingEvent[]) => `2026/11/29/${first?.id}.ndjson`;
  const write = (endpoint: ReturnType<typeof endpointWith>, events: OutgoingEvent[]) =>
    destinations.write(endpoint, { events, path: pathOf(events) });
  const writtenOf = async (events: OutgoingEvent[]) => {
    const ids = new Set(events.map(({ id }) => id));
    return (await worldOf().written()).map(({ id }) => id).filter(id => ids.has(id));
  };
  const idsOf = (events: OutgoingEvent[]) => events.map(({ id }) => id);

  test("each event is written once, in order", async () => {
    const endpoint = endpointWith(worldOf().options);
    const [one, two] = [make(5), make(3)];
    expect(await write(endpoint, one)).toMatchObject({ error: null, text: "" });
    expect(await write(endpoint, two)).toMatchObject({ error: null });
    const events = [...one, ...two];
    await until("all are there", async () => (await writtenOf(events)).length >= events.length);
    expect(await writtenOf(events)).toEqual(idsOf(events));
  });

  test("a batch that is written again, by this process or another, is there once", async () => {
    const endpoint = endpointWith(worldOf().options);
    const events = make(4);
    await write(endpoint, events);
    expect(await write(endpoint, events)).toMatchObject({ error: null });
    await destinations.close();
    destinations = new Destinations(worldOf().ways, { unsealDestination: (_, sealed) => JSON.parse(sealed) });
    expect(await write(endpoint, events)).toMatchObject({ error: null });
    await until("all are there", async () => (await writtenOf(events)).length >= events.length);
    expect(await writtenOf(events)).toEqual(idsOf(events));
  });

  test("what it refuses fails with its words, and without secrets", async () => {
    const { refused, secrets } = worldOf();
    const answer = await write(endpointWith(refused.options), make(1));
    expect(answer.error).toMatch(/^(destination|status_\d{3})$/);
    expect(answer.text).toMatch(refused.says);
    for (const name of secrets) {
      const secret = (refused.options as unknown as Record<string, string>)[name];
      if (secret) expect(answer.text).not.toContain(secret);
    }
  });

  test("a write that is aborted is interrupted, and the next one succeeds", async () => {
    const endpoint = endpointWith(worldOf().options);
    const events = make(2);
    let stop = (): void => undefined;
    const owner = {
      isHeld: true,
      began: (exchange: { abort(): void }) => {
        stop = () => exchange.abort();
      },
      ended: () => undefined,
    };
    const writing = destinations.write(endpoint, { events, path: pathOf(events) }, owner);
    stop();
    expect(await writing).toMatchObject({ error: "interrupted" });
    expect(await write(endpoint, events)).toMatchObject({ error: null });
    await until("all are there", async () => (await writtenOf(events)).length >= events.length);
    expect(await writtenOf(events)).toEqual(idsOf(events));
  });

  test("nothing is written when the lease is lost", async () => {
    const events = make(1);
    const lost = { isHeld: false, began: () => undefined, ended: () => undefined };
    const endpoint = endpointWith(worldOf().options);
    const answer = await destinations.write(endpoint, { events, path: pathOf(events) }, lost);
    expect(answer).toMatchObject({ error: "interrupted" });
    expect(await writtenOf(events)).toEqual([]);
  });

  if (isConnected)
    test("closing ends its connections", async () => {
      const { connections = async () => 0, options } = worldOf();
      await write(endpointWith(options), make(1));
      expect(await connections()).toBeGreaterThan(0);
      await destinations.close();
      await until("they have ended", async () => (await connections()) === 0);
    });
}
