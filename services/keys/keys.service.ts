import type { Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { loadCredentials } from "../../mixins/config/credentials.ts";
import { healthMixin } from "../../mixins/health/health.mixin.ts";
import { verifyMasterSecret } from "../../mixins/keys/verify-master-secret.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, handle } from "../contracts/action.ts";
import { callerOf } from "../contracts/caller.ts";
import { type KeyDeleted, keyDeleted } from "../contracts/events.ts";
import * as contract from "../contracts/keys.contract.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { authenticate } from "./authenticate.ts";
import { checkStore } from "./check-store.ts";
import { countUsage } from "./count-usage.ts";
import { createKey } from "./create-key.ts";
import { deleteKey } from "./delete-key.ts";
import { ensureBootstrapKey } from "./ensure-bootstrap-key.ts";
import { existingKeys } from "./existing-keys.ts";
import { keyUsage } from "./key-usage.ts";
import { listKeys } from "./list-keys.ts";
import { listMyKeys } from "./list-my-keys.ts";
import { revealKey } from "./reveal-key.ts";
import { type KeyRoom, openRoom, type StoredKey, storeOptions } from "./room.ts";
import { setMessengerDefault } from "./set-messenger-default.ts";
import { updateKey } from "./update-key.ts";

interface Keys extends Service, WithStore<StoredKey> {
  room: KeyRoom;
}

/** The room of owners, API keys, their limits and usage. */
export function keysService(config: Config): ServiceSchema {
  return {
    name: "keys",
    mixins: [
      storeMixin(config, storeOptions),
      healthMixin("keys", async ({ room, logger }: Keys) => [
        await checkStore(room, error => logger.error("keys.unreadable", { error })),
      ]),
    ],
    actions: actions(
      handle(contract.authenticate, "public", function (this: Keys, { params }) {
        return authenticate(this.room, params.key);
      }),
      handle(contract.revealKey, "public", function (this: Keys, ctx) {
        return revealKey(this.room, callerOf(ctx).keyId);
      }),
      handle(contract.listMyKeys, "published", function (this: Keys, ctx) {
        return listMyKeys(this.room, callerOf(ctx).owner);
      }),
      handle(contract.setMessengerDefaultKey, "published", function (this: Keys, ctx) {
        return setMessengerDefault(this.room, callerOf(ctx).owner, ctx.params.apiKeyId);
      }),
      handle(contract.listKeys, "published", function (this: Keys, { params }) {
        return listKeys(this.room, params.owner);
      }),
      handle(contract.createKey, "published", function (this: Keys, { params }) {
        return createKey(this.room, params);
      }),
      handle(contract.updateKey, "published", function (this: Keys, { params }) {
        return updateKey(this.room, params);
      }),
      handle(contract.deleteKey, "published", async function (this: Keys, ctx) {
        const answer = await deleteKey(this.room, ctx.params.id);
        await ctx.broadcast(keyDeleted.name, { keyId: ctx.params.id } satisfies KeyDeleted);
        return answer;
      }),
      handle(contract.existingKeys, "public", function (this: Keys, { params }) {
        return existingKeys(this.room, params.ids);
      }),
      handle(contract.countUsage, "public", function (this: Keys, { params }) {
        return countUsage(this.room, params.counts);
      }),
      handle(contract.keyUsage, "published", function (this: Keys, { params }) {
        return keyUsage(this.room, params.id, params.days ?? 30, Date.now());
      }),
    ),
    async started() {
      const credentials = loadCredentials(config, generateKey);
      this.room = openRoom(this.store, credentials.masterSecret, config.keysPerOwner);
      await verifyMasterSecret(this.room.facts, credentials.masterSecret);
      await ensureBootstrapKey(this.room, credentials.bootstrapApiKey);
    },
  };
}

export default (): ServiceSchema => keysService(configFromEnv());
