import type { Context, Service, ServiceSchema } from "moleculer";
import type { Dispatcher as Agent } from "undici";
import { type Periodic, periodic } from "../../mixins/async/periodic.ts";
import { KeyQuotas } from "../../mixins/clients/quotas.ts";
import { TaggedSources } from "../../mixins/clients/tagged-sources.ts";
import { type Config, configFromEnv, type MailConfig } from "../../mixins/config/config.ts";
import { loadCredentials } from "../../mixins/config/credentials.ts";
import { leaseMixin, type WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import { limiterMixin, type WithLimiter } from "../../mixins/coordination/limiter/limiter.mixin.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { logEvent } from "../../mixins/log/log-events.ts";
import { smtpMailer } from "../../mixins/mail/mailer.ts";
import { queueMixin, type WithQueues } from "../../mixins/queue/queue.mixin.ts";
import { healthMixin } from "../../mixins/runtime/health.ts";
import { addGauge } from "../../mixins/runtime/metrics.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { traceparentOf } from "../../mixins/tracing/open-span.ts";
import { traced } from "../../mixins/tracing/traced-requests.ts";
import { actions, call } from "../contracts/action.ts";
import * as administration from "../contracts/admin.contract.ts";
import * as deliveries from "../contracts/deliveries.contract.ts";
import { eraseDeliveries } from "../contracts/erasure.contract.ts";
import { fail } from "../contracts/errors.ts";
import {
  eventsErased,
  feedsChanged,
  type KeyDeleted,
  keyDeleted,
  type QuotasChanged,
  quotasChanged,
  type SourcesRetagged,
  sourcesRetagged,
  type WebhookChanged,
  webhookChanged,
} from "../contracts/events.ts";
import * as feed from "../contracts/feeds.contract.ts";
import { revealKey } from "../contracts/keys.contract.ts";
import * as mailLink from "../contracts/mail-links.contract.ts";
import { countEndpoints } from "../contracts/overview.contract.ts";
import { operations, service } from "../contracts/service.ts";
import * as contract from "../contracts/webhook-dispatcher.contract.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { type AskedByLanes, openContext, type WebhookContext } from "./context.ts";
import { checkDestination } from "./destinations/check-destination.ts";
import { addEndpoint, admitOfMonitor, createEndpoint } from "./endpoints/create-endpoint.ts";
import {
  listAllDeliveries,
  listDeliveries,
  listEndpointDeliveries,
  showDelivery,
} from "./endpoints/deliveries.ts";
import { changeWebhook, registerWebhook, removeFirstWebhook, removeWebhook } from "./endpoints/endpoints.ts";
import {
  describeReactivated,
  describeWebhook,
  describeWritten,
  findAnyEndpoint,
  findEndpoint,
  getEndpoint,
  getWebhook,
  listWebhooks,
  removeOfMonitor,
  webhookKeys,
} from "./endpoints/list-endpoints.ts";
import { replayChosen, replayWebhook } from "./endpoints/replay.ts";
import { retryDelivery, retryOfEndpoint } from "./endpoints/retry-delivery.ts";
import { testTransform } from "./endpoints/test-transform.ts";
import { testWebhook } from "./endpoints/test-webhook.ts";
import { createFeed, listFeeds, removeFeed } from "./feeds/feeds.ts";
import { type Feeds, openFeeds } from "./feeds/open-feeds.ts";
import { readFeed } from "./feeds/read-feed.ts";
import { type Notices, openNotices } from "./job-notices/notices.ts";
import type { DispatcherOptions } from "./lanes/context.ts";
import { checkDeliveries, listLanes } from "./lanes/lane-status.ts";
import { openConfirmations } from "./mail/confirmations.ts";
import { followMailLink, readMailLink } from "./mail/follow-link.ts";
import { openMailLinks } from "./mail/links.ts";
import { type MailWay, openMailWay } from "./mail/mail-way.ts";
import { erase, forget, maintain, maintenanceEveryMs } from "./maintenance.ts";
import { countDeliveries, dispatcherGauges } from "./metrics.ts";
import { openThreading } from "./threads/open-threading.ts";
import type { ThreadLimits } from "./threads/threaded-lanes.ts";
import { firstLane, type StoredEndpoint, storeOptions } from "./webhooks.store.ts";

interface Added extends WithStore<StoredEndpoint>, WithEgress, WithLog, WithQueues, WithLeases, WithLimiter {
  context?: WebhookContext;
  notices?: Notices;
  feeds?: Feeds;
  closing: AbortController;
  maintenance?: Periodic;
  withdrawGauges: (() => void)[];
  /** Which sources have the tags of the endpoints' filters. */
  tagged: TaggedSources;
  quotas: KeyQuotas;
  logger: Service["logger"] & DispatcherOptions["logger"];
}

type Webhooks = Service & Added;

const { published, internal: counted } = operations(contextOf);
const { internal } = operations(noticesOf);
const { internal: ofService } = operations((webhooks: Webhooks) => webhooks);
const { published: ofFeeds, internal: internalOfFeeds } = operations(feedsOf);

/** Webhook endpoints, and the delivery of events and job notices to them. `limits`: when threads deliver. */
export function webhookDispatcherService(config: Config, limits?: Partial<ThreadLimits>): ServiceSchema {
  return service<Added>({
    name: "webhook-dispatcher",
    mixins: [
      storeMixin(config, storeOptions),
      egressMixin(config),
      logMixin(config),
      queueMixin(config),
      leaseMixin(config),
      limiterMixin(config),
      healthMixin("webhook-dispatcher", (webhooks: Webhooks) =>
        checkDeliveries(contextOf(webhooks), error =>
          logEvent(webhooks.logger, "webhook_store.failed", { error }),
        ),
      ),
    ],
    actions: actions(
      published(contract.getWebhook, (context, _, { caller }) => getWebhook(context, caller.keyId)),
      published(contract.registerWebhook, async (context, wanted, { caller, ctx }) => {
        const { key } = await call(ctx, revealKey, {});
        const { isNew, secret, ...written } = await registerWebhook(context, caller.keyId, wanted);
        ctx.meta.$statusCode = isNew ? 201 : 200;
        const message = isNew ? "Webhook registered." : "Webhook overwritten.";
        return { data: { ...describeWebhook(written), secret, apiKey: key }, message };
      }),
      published(contract.changeWebhook, async (context, changes, { caller, ctx }) => {
        // Before anything is written: without the key there is no answer, and then nothing may change.
        const { key } = await call(ctx, revealKey, {});
        const wanted = { ...changes, enabled: true };
        const laneId = await firstLane(context.endpoints, caller.keyId);
        const { webhook, message } = await changeWebhook(context, laneId, wanted, Date.now());
        return { data: { ...describeWebhook(webhook), ...secretOf(webhook), apiKey: key }, message };
      }),
      published(contract.removeWebhook, (context, _, { caller }) =>
        removeFirstWebhook(context, caller.keyId),
      ),
      published(contract.listWebhooks, (context, page, { caller }) =>
        listWebhooks(context, caller.keyId, page),
      ),
      published(contract.createEndpoint, async (context, wanted, { caller, ctx }) => {
        checkDestination(ctx, wanted);
        const { idempotencyKey } = ctx.meta;
        const created = await createEndpoint(context, caller.keyId, wanted, idempotencyKey);
        const { secret, message } = created;
        return { data: { ...(await describeWritten(context, created)), secret }, message };
      }),
      published(contract.getEndpoint, (context, { id }, { caller }) =>
        getEndpoint(context, caller.keyId, id),
      ),
      published(contract.changeEndpoint, async (context, { id, ...changes }, { caller, ctx }) => {
        checkDestination(ctx, changes);
        const { _id } = await findEndpoint(context, caller.keyId, id);
        const { webhook, message } = await changeWebhook(context, _id, changes, Date.now());
        return { data: { ...(await describeWritten(context, webhook)), ...secretOf(webhook) }, message };
      }),
      published(contract.removeEndpoint, async (context, { id }, { caller }) => {
        const { _id } = await findEndpoint(context, caller.keyId, id);
        return await removeWebhook(context, _id);
      }),
      counted(contract.createMonitorEndpoint, async (context, { monitor, ...wanted }, { caller }) => {
        const { secret, endpoint } = await addEndpoint(context, caller.keyId, wanted, { monitor });
        return { id: endpoint.webhookId, secret };
      }),
      counted(contract.admitMonitorEndpoint, async (context, { more, ...wanted }, { caller }) => {
        await admitOfMonitor(context, caller.keyId, wanted, more);
        return null;
      }),
      counted(contract.removeMonitorEndpoints, async (context, { keyId, monitor }) => {
        await removeOfMonitor(context, keyId, monitor);
        return null;
      }),
      published(contract.webhookKeys, (context, { id }) => webhookKeys(context, id, Date.now())),
      published(contract.testEndpoint, async (context, { id }, { caller }) => {
        const { _id } = await findEndpoint(context, caller.keyId, id);
        return await testWebhook(context, _id, new Date());
      }),
      published(contract.testTransform, async (context, { id, ...wanted }, { caller }) =>
        testTransform(context, await findEndpoint(context, caller.keyId, id), wanted),
      ),
      published(contract.replayEndpoint, async (context, { id, ...choice }, { caller }) => {
        const endpoint = await findEndpoint(context, caller.keyId, id);
        return await replayChosen(context, endpoint, choice, Date.now());
      }),
      published(deliveries.listEndpointDeliveries, (context, page, { caller }) =>
        listEndpointDeliveries(context, caller.keyId, page),
      ),
      published(deliveries.retryEndpointDelivery, (context, attempt, { caller, ctx }) =>
        retryOfEndpoint({ ...context, traceparent: traceparentOf(ctx) }, caller.keyId, attempt),
      ),
      published(deliveries.listDeliveries, (context, page, { caller }) =>
        listDeliveries(context, caller.keyId, page),
      ),
      published(deliveries.showDelivery, (context, { id }, { caller }) =>
        showDelivery(context, caller.keyId, id),
      ),
      published(deliveries.retryDelivery, (context, { id }, { caller, ctx }) =>
        retryDelivery({ ...context, traceparent: traceparentOf(ctx) }, caller.keyId, id),
      ),
      published(deliveries.listAllDeliveries, listAllDeliveries),
      published(contract.testWebhook, async (context, _, { caller }) =>
        testWebhook(context, await firstLane(context.endpoints, caller.keyId), new Date()),
      ),
      published(contract.replayWebhook, async (context, { since }, { caller }) =>
        replayWebhook(context, await firstLane(context.endpoints, caller.keyId), since, Date.now()),
      ),
      published(administration.listLanes, listLanes),
      published(administration.reactivateLane, async (context, { webhook_id }) => {
        const { _id } = await findAnyEndpoint(context, webhook_id);
        const { webhook } = await changeWebhook(context, _id, {}, Date.now());
        return await describeReactivated(context, webhook);
      }),
      published(administration.replayLane, async (context, { webhook_id, ...choice }) =>
        replayChosen(context, await findAnyEndpoint(context, webhook_id), choice, Date.now()),
      ),
      counted(countEndpoints, async ({ endpoints, lanes }) => ({
        endpoints: await endpoints.count(),
        endpoints_failed: await lanes.count({ status: "FAILED" }),
      })),
      ofFeeds(feed.createFeed, (context, wanted, { caller, ctx }) =>
        createFeed(context, caller.keyId, wanted, Date.now(), ctx.meta.idempotencyKey),
      ),
      ofFeeds(feed.listFeeds, (context, page, { caller }) => listFeeds(context, caller.keyId, page)),
      ofFeeds(feed.removeFeed, (context, { feed: id }, { caller }) => removeFeed(context, caller.keyId, id)),
      internalOfFeeds(feed.readFeed, readFeed),
      counted(mailLink.readMailLink, (context, link) => readMailLink(context, link, Date.now())),
      counted(mailLink.followMailLink, (context, link) => followMailLink(context, link, Date.now())),
      ofService(eraseDeliveries, (webhooks, of) => erase(webhooks, of)),
      internal(contract.prepareJobWebhook, (notices, job) => notices.prepare(job)),
      internal(contract.announceJob, (notices, job, { ctx }) => notices.announce(job, traceparentOf(ctx))),
    ),
    events: {
      [keyDeleted.name](this: Webhooks, ctx: Context<KeyDeleted>) {
        return forget(this, ctx.params.keyId);
      },
      [webhookChanged.name](this: Webhooks, ctx: Context<WebhookChanged>) {
        this.context?.firstWebhooks.forget(ctx.params.keyId);
        this.context?.dispatcher.reread([ctx.params.keyId]);
      },
      [eventsErased.name](this: Webhooks) {
        this.context?.dispatcher.erased();
      },
      [sourcesRetagged.name](this: Webhooks, ctx: Context<SourcesRetagged>) {
        this.tagged.forget(ctx.params.keyId);
        this.context?.dispatcher.retagged(ctx.params.keyId);
      },
      [quotasChanged.name](this: Webhooks, ctx: Context<QuotasChanged>) {
        this.quotas.forget();
        this.context?.dispatcher.quotasChanged(ctx.params.keyId);
      },
      [feedsChanged.name](this: Webhooks) {
        this.feeds?.changedElsewhere();
      },
      // From here on the other services of this process answer.
      "$broker.started"(this: Webhooks) {
        this.quotas.warm().catch(error => logEvent(this.logger, "quota_read.failed", { error }));
        return this.maintenance?.run();
      },
    },
    created() {
      this.closing = new AbortController();
      this.withdrawGauges = [];
      this.tagged = TaggedSources.through(this.broker);
      this.quotas = KeyQuotas.through(this.broker);
    },
    async started() {
      const { masterSecret } = loadCredentials(config, generateKey);
      const { broker, store, queues, log, leases, egress, tagged, quotas, logger } = this;
      const mail = config.mail && openMail(config.mail, masterSecret, logger);
      const confirmations =
        mail && openConfirmations({ endpoints: store, mail, queues, limiter: this.limiter, logger });
      const counts = countDeliveries(broker);
      const threadFailed = (error: unknown) => logEvent(logger, "lane_thread.failed", { error });
      const trace = (agent: Agent) => traced(agent, broker, "deliver webhook");
      const threads = (asked: AskedByLanes) =>
        openThreading({
          asked,
          ...{ config, masterSecret, egress, tagged, mail, logger, quotas },
          ...{ onAttempted: counts.onSums, onExpired: counts.onExpired, onError: threadFailed },
          ...(limits && { limits }),
        });
      // A cluster has its nodes for this, and spans are made in this thread.
      const isAlone = !config.cluster && !broker.tracer.isEnabled();
      const parts = {
        ...{ store, egress, log, leases, tagged, quotas, mail, confirmations, logger, trace },
        threading: isAlone ? threads : undefined,
        ...counts,
      };
      const notifyOtherNodes = (keyId: string) =>
        void broker.broadcast(webhookChanged.name, { keyId } satisfies WebhookChanged);
      const context = await openContext(parts, masterSecret, config, notifyOtherNodes);
      const { backoffMs: schedule, proxyUrl } = config.webhooks;
      this.context = context;
      this.feeds = openFeeds(
        { broker, tagged, store, log, egress, logger, context },
        masterSecret,
        config.feeds.hub,
      );
      this.withdrawGauges = dispatcherGauges(context).map(gauge => addGauge(broker, gauge));
      const agent = trace(egress.agent({ proxyUrl }));
      this.notices = openNotices({ context, queues, agent, schedule, logger });
      const onError = (error: unknown) => logEvent(logger, "key_cleanup.failed", { error });
      this.maintenance = periodic(() => maintain(this), { everyMs: maintenanceEveryMs, onError });
    },
    methods: {
      /** Called before the broker stops: deliveries under way are recorded while the other services still run. */
      async drain(this: Webhooks) {
        await this.notices?.close();
        await this.feeds?.close();
        if (this.context) await this.context.close();
      },
    },
    async stopped() {
      void this.maintenance?.stop();
      for (const withdraw of this.withdrawGauges) withdraw();
      this.closing.abort();
      await this.notices?.close();
      this.notices = undefined;
      await this.feeds?.close();
      this.feeds = undefined;
      if (this.context) await this.context.close();
      this.context = undefined;
    },
  });
}

export default (): ServiceSchema => webhookDispatcherService(configFromEnv());

function openMail(mail: MailConfig, masterSecret: string, logger: Service["logger"]): MailWay {
  return openMailWay(smtpMailer(mail), openMailLinks(masterSecret, mail.publicUrl), logger);
}

/** The secret, in the answer that shows it. */
function secretOf({ secret }: { secret?: string }): { secret?: string } {
  return secret === undefined ? {} : { secret };
}

function contextOf({ context }: Webhooks): WebhookContext {
  if (!context) throw fail("overloaded", "The service is stopping. Try again shortly.", { retry_after: 1 });
  return context;
}

function feedsOf({ feeds }: Webhooks): Feeds["context"] {
  if (!feeds) throw fail("overloaded", "The service is stopping. Try again shortly.", { retry_after: 1 });
  return feeds.context;
}

function noticesOf({ notices }: Webhooks): Notices {
  if (!notices) throw fail("overloaded", "The service is stopping. Try again shortly.", { retry_after: 1 });
  return notices;
}
