import { openWorld, type World } from "../bench/deliveries.world.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

const keyIds = ["a", "b", "c", "d"];
let receiver: Receiver;
let world: World;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await world.stop();
  await receiver.close();
});

/** Delivers events until all of them have arrived; on a busy machine some come again. */
async function deliver(rounds: number, perKey: number): Promise<void> {
  await world.register(keyIds.map(keyId => [keyId, `${receiver.url}/${keyId}`]));
  for (let round = 1; round <= rounds; round += 1) {
    await world.append(keyIds, perKey, `round-${round}`);
    const wanted = round * perKey * keyIds.length;
    await until("all have arrived", () => new Set(receiver.received.map(({ id }) => id)).size === wanted);
  }
}

test("many deliveries are sent by a thread", async () => {
  world = await openWorld();
  await deliver(3, 300);
  expect(world.hasThread()).toBe(true);
});

test("many deliveries are traced as few are", async () => {
  world = await openWorld({}, { tracing: { enabled: true, exporter: [] } });
  await deliver(3, 300);
  expect(world.hasThread()).toBe(false);
  for (const { headers } of receiver.received) expect(headers).toHaveProperty("traceparent");
});
