import type { Context, Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { loadCredentials } from "../../mixins/config/credentials.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { healthMixin } from "../../mixins/health/health.mixin.ts";
import { existingThrough } from "../../mixins/keys/existing-keys.ts";
import { forgetGoneKeys } from "../../mixins/keys/forget-gone-keys.ts";
import { leaseMixin, type WithLeases } from "../../mixins/lease/lease.mixin.ts";
import { logMixin, type WithLog } from "../../mixins/log/log.mixin.ts";
import { addGauge, type Gauge } from "../../mixins/metrics/gauges.ts";
import { queueMixin, type WithQueues } from "../../mixins/queue/queue.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, call, handle } from "../contracts/action.ts";
import { callerOf } from "../contracts/caller.ts";
import { fail } from "../contracts/errors.ts";
import { type KeyDeleted, keyDeleted, type WebhookChanged, webhookChanged } from "../contracts/events.ts";
import { listLanes as listLanesContract } from "../contracts/inspection.contract.ts";
import { revealKey } from "../contracts/keys.contract.ts";
import * as contract from "../contracts/webhook.contract.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { changeWebhook } from "./change-webhook.ts";
import { checkDeliveries } from "./check-deliveries.ts";
import type { DispatcherOptions } from "./engine/lane-worker.ts";
import { getWebhook } from "./get-webhook.ts";
import { laneLag } from "./lane-lag.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listLanes } from "./list-lanes.ts";
import { type Notices, openNotices } from "./notices/open-notices.ts";
import { jobSecretsCollection } from "./notices/room.ts";
import { openRoom } from "./open-room.ts";
import { registerWebhook } from "./register-webhook.ts";
import { forgetKey, removeWebhook } from "./remove-webhook.ts";
import { replayWebhook } from "./replay-webhook.ts";
import { type StoredEndpoint, storeOptions, type WebhookRoom } from "./room.ts";
import { testWebhook } from "./test-webhook.ts";

/** Milliseconds between searches for keys whose deletion was not heard of, and for notices that lost their runs. */
const sweepEveryMs = 10 * 60_000;

interface Webhooks extends Service, WithStore<StoredEndpoint>, WithEgress, WithLog, WithQueues, WithLeases {
  room?: WebhookRoom;
  notices?: Notices;
  closing: AbortController;
  sweeping?: NodeJS.Timeout;
  withdrawGauge?: () => void;
  logger: Service["logger"] & DispatcherOptions["logger"];
}

/** The room of webhook endpoints and of deliveries to them. */
export function webhookService(config: Config): ServiceSchema {
  return {
    name: "webhook",
    mixins: [
      storeMixin(config, storeOptions),
      egressMixin(config),
      logMixin(config),
      queueMixin(config),
      leaseMixin(config),
      healthMixin("webhook", (room: Webhooks) =>
        checkDeliveries(roomOf(room), error => room.logger.error("webhook.unreadable", { error })),
      ),
    ],
    actions: actions(
      handle(contract.getWebhook, "published", function (this: Webhooks, ctx) {
        return getWebhook(roomOf(this), callerOf(ctx).keyId);
      }),
      handle(contract.registerWebhook, "published", async function (this: Webhooks, ctx) {
        const { key } = await call(ctx, revealKey, {});
        const answer = await registerWebhook(roomOf(this), callerOf(ctx).keyId, ctx.params);
        ctx.meta.$statusCode = answer.isNew ? 201 : 200;
        return { data: { ...answer.webhook, apiKey: key }, message: answer.message };
      }),
      handle(contract.changeWebhook, "published", async function (this: Webhooks, ctx) {
        // Asked before anything is written: a change whose answer cannot be given is not made.
        const { key } = await call(ctx, revealKey, {});
        const answer = await changeWebhook(roomOf(this), callerOf(ctx).keyId, ctx.params, Date.now());
        return { data: { ...answer.webhook, apiKey: key }, message: answer.message };
      }),
      handle(contract.removeWebhook, "published", function (this: Webhooks, ctx) {
        return removeWebhook(roomOf(this), callerOf(ctx).keyId);
      }),
      handle(contract.listDeliveries, "published", function (this: Webhooks, ctx) {
        return listDeliveries(roomOf(this), callerOf(ctx).keyId, ctx.params);
      }),
      handle(contract.testWebhook, "published", function (this: Webhooks, ctx) {
        return testWebhook(roomOf(this), callerOf(ctx).keyId, new Date());
      }),
      handle(contract.replayWebhook, "published", function (this: Webhooks, ctx) {
        return replayWebhook(roomOf(this), callerOf(ctx).keyId, ctx.params.since, Date.now());
      }),
      handle(listLanesContract, "published", function (this: Webhooks, ctx) {
        return listLanes(roomOf(this), ctx.params);
      }),
      handle(contract.prepareJobWebhook, "public", function (this: Webhooks, { params }) {
        return noticesOf(this).prepare(params);
      }),
      handle(contract.announceJob, "public", function (this: Webhooks, { params }) {
        return noticesOf(this).announce(params);
      }),
    ),
    events: {
      [keyDeleted.name](this: Webhooks, ctx: Context<KeyDeleted>) {
        return forget(this, ctx.params.keyId);
      },
      [webhookChanged.name](this: Webhooks, ctx: Context<WebhookChanged>) {
        this.room?.dispatcher.reread([ctx.params.keyId]);
      },
      // Now the other rooms of this process answer.
      "$broker.started"(this: Webhooks) {
        return sweep(this);
      },
    },
    created() {
      (this as unknown as Webhooks).closing = new AbortController();
    },
    async started() {
      const { masterSecret } = loadCredentials(config, generateKey);
      const capabilities = this as unknown as Webhooks;
      const { broker, queues, egress, logger } = capabilities;
      const tellOthers = (keyId: string) =>
        void broker.broadcast(webhookChanged.name, { keyId } satisfies WebhookChanged);
      const room = await openRoom(capabilities, masterSecret, config.webhooks, tellOthers);
      const { backoffMs: schedule } = config.webhooks;
      this.room = room;
      this.withdrawGauge = addGauge(broker, lagOf(room));
      this.notices = openNotices({ room, queues, agent: egress.agent(), schedule, logger });
      capabilities.sweeping = setInterval(() => void sweep(capabilities), sweepEveryMs).unref();
    },
    methods: {
      /** Called before the broker stops: what is under way is settled while the other rooms still stand. */
      async drain(this: Webhooks) {
        await this.notices?.close();
        if (this.room) await this.room.close();
      },
    },
    async stopped() {
      clearInterval(this.sweeping);
      this.withdrawGauge?.();
      this.closing.abort();
      await this.notices?.close();
      this.notices = undefined;
      if (this.room) await this.room.close();
      this.room = undefined;
    },
  };
}

export default (): ServiceSchema => webhookService(configFromEnv());

function lagOf(room: WebhookRoom): Gauge {
  return {
    name: "magpie_lane_lag_events",
    description: "Events that wait for their delivery in this node's lanes, but for endpoints that fail",
    read: async () => [{ value: await laneLag(room) }],
  };
}

async function forget({ room, notices }: Webhooks, keyId: string): Promise<void> {
  if (room) await forgetKey(room, keyId);
  await notices?.forget(keyId);
}

async function sweep(service: Webhooks): Promise<void> {
  if (!service.room?.dispatcher.leads) return;
  await Promise.all([sweepKeys(service), sweepNotices(service)]);
}

/** What the hint of a deletion did not reach. */
async function sweepKeys(service: Webhooks): Promise<void> {
  const { broker, store, closing, logger } = service;
  try {
    const keys = await forgetGoneKeys(
      [store, store.collection(jobSecretsCollection)],
      existingThrough(broker),
      keyId => forget(service, keyId),
      closing.signal,
    );
    if (keys > 0) logger.info("keys.forgotten", { keys });
  } catch (error) {
    if (!closing.signal.aborted) logger.warn("keys.not_swept", { error });
  }
}

async function sweepNotices({ notices, closing, logger }: Webhooks): Promise<void> {
  try {
    await notices?.mend(closing.signal);
  } catch (error) {
    if (!closing.signal.aborted) logger.warn("notices.not_swept", { error });
  }
}

function roomOf({ room }: Webhooks): WebhookRoom {
  if (!room) throw fail("overloaded", "This room is about to stop. Try again shortly.", { retry_after: 1 });
  return room;
}

function noticesOf({ notices }: Webhooks): Notices {
  if (!notices)
    throw fail("overloaded", "This room is about to stop. Try again shortly.", { retry_after: 1 });
  return notices;
}
