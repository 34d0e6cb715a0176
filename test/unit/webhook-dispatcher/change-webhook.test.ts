import { defaultDeliveryOptions } from "../../../services/domain/delivery/delivery-options.ts";
import { newLane } from "../../../services/domain/delivery/lane.ts";
import { signingKey } from "../../../services/domain/delivery/signature.ts";
import type { WebhookContext } from "../../../services/webhook-dispatcher/context.ts";
import { changeWebhook } from "../../../services/webhook-dispatcher/endpoints/endpoints.ts";
import { openVault } from "../../../services/webhook-dispatcher/endpoints/vault.ts";
import type { StoredEndpoint } from "../../../services/webhook-dispatcher/webhooks.store.ts";

const hourMs = 3_600_000;
const vault = openVault("a master secret of 32 characters");
const identity = { _id: "k", webhookId: "w" };

/** An endpoint with a first secret, and what rotates it at an hour; both tell the secret. */
function worldOf(kept: Partial<StoredEndpoint> = {}) {
  const { secret: first, sealed } = vault.issue(identity);
  const none = { previousSealed: null, previousUntil: 0 };
  const fixed = { name: null, url: "", addedAt: 0, revision: 0, ...defaultDeliveryOptions };
  let endpoint: StoredEndpoint = { ...identity, ...fixed, sealed, ...none, ...kept };
  const batch = {
    endpoints: {
      findById: () => endpoint,
      updateById: (_: string, { $set }: { $set: Partial<StoredEndpoint> }) => {
        endpoint = { ...endpoint, ...JSON.parse(JSON.stringify($set)) };
        return endpoint;
      },
    },
    lane: () => newLane(0),
    setLane: () => undefined,
  };
  const journal = { write: async (_: string, work: (on: typeof batch) => unknown) => work(batch) };
  const context = { vault, journal, dispatcher: { changed: () => undefined } } as unknown as WebhookContext;
  return {
    first,
    rotate: async (hour: number) => {
      const { webhook } = await changeWebhook(context, "k", { rotate_secret: true }, hour * hourMs);
      return String(webhook.secret);
    },
    publicAt: (hour: number) => vault.publicKeys(endpoint, hour * hourMs),
    signAt: (hour: number) => vault.signingKeys(endpoint, hour * hourMs).map(key => key.export()),
  };
}

const keysOf = (...secrets: string[]) => secrets.map(secret => signingKey(secret).export());

test("each secret that was replaced signs for 24 hours, whatever is rotated in the meantime", async () => {
  const { first, rotate, signAt } = worldOf();
  const second = await rotate(0);
  const third = await rotate(1);
  const fourth = await rotate(2);
  expect(signAt(23.9)).toEqual(keysOf(fourth, third, second, first));
  expect(signAt(24)).toEqual(keysOf(fourth, third, second));
  expect(signAt(25)).toEqual(keysOf(fourth, third));
  expect(signAt(26)).toEqual(keysOf(fourth));
  const fifth = await rotate(27);
  expect(signAt(27)).toEqual(keysOf(fifth, fourth));
});

test("a new secret has a new pair, and both pairs sign for 24 hours; without the wish for it there is none", async () => {
  const { first, rotate, publicAt } = worldOf({ asymmetric: true });
  const [before] = publicAt(0);
  const second = await rotate(0);
  const both = publicAt(23.9);
  expect(both).toEqual([expect.stringMatching(/^whpk_[\w+/]{43}=$/), before]);
  expect(both[0]).not.toBe(before);
  expect(publicAt(24)).toEqual([both[0]]);
  for (const secret of [first, second]) expect(`${both}`).not.toContain(secret.slice(6, 40));
  expect(worldOf().publicAt(0)).toEqual([]);
});

test("an endpoint that was stored with one secret before its own keeps both", async () => {
  const before = vault.issue(identity);
  const { first, rotate, signAt } = worldOf({ previousSealed: before.sealed, previousUntil: 24 * hourMs });
  expect(signAt(1)).toEqual(keysOf(first, before.secret));
  const next = await rotate(1);
  expect(signAt(1)).toEqual(keysOf(next, first, before.secret));
  expect(signAt(24)).toEqual(keysOf(next, first));
});

test("of many rotations in a day the first secret stays, and the last ones", async () => {
  const { first, rotate, signAt } = worldOf();
  const secrets: string[] = [];
  for (let n = 0; n < 20; n += 1) secrets.unshift(await rotate(n / 10));
  expect(signAt(3)).toEqual(keysOf(...secrets.slice(0, 9), first));
});
