import type { Context, Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { healthMixin } from "../../mixins/health/health.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, type CallMeta, call, handle } from "../contracts/action.ts";
import { pollSource, resolveSource } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import type { SourceKind } from "../contracts/source.ts";
import { pollSoon } from "../contracts/tracker.contract.ts";
import * as contract from "../contracts/websub.contract.ts";
import type { PolledConnector } from "./connector.ts";
import { HostLanes } from "./host-lanes.ts";
import { type FeedReader, openFeedReader } from "./rss/feed-reader.ts";
import { rssConnector } from "./rss/rss.connector.ts";
import { toolsFor } from "./tools.ts";
import { webConnector } from "./web/web.connector.ts";
import { leaveHub } from "./websub/leave-hub.ts";
import { receiveDelivery } from "./websub/receive-delivery.ts";
import { type StoredHubSubscription, storeOptions, type WebsubRoom } from "./websub/room.ts";
import { verifyIntent } from "./websub/verify-intent.ts";
import { type Outside, openWebsub } from "./websub/websub.ts";

/** The platforms of this installation. */
const connectors: Partial<Record<SourceKind, PolledConnector>> = { rss: rssConnector, web: webConnector };

/** Requests at a time per host. */
const laneWidth = 2;
const pollSoonTimeoutMs = 5000;

interface Connectors extends Service, WithEgress, WithStore<StoredHubSubscription> {
  lanes: HostLanes;
  feeds: FeedReader;
  closing: AbortController;
  /** Undefined without a public address: hubs could not reach it. */
  websub: WebsubRoom | undefined;
}

/** The room that speaks to platforms: what a source is, and what is new there. It keeps subscriptions at hubs alone. */
export function connectorsService(config: Config): ServiceSchema {
  const { pollMinIntervalMs: minIntervalMs, publicUrl } = config;
  const toolsOf = ({ egress, lanes, feeds, closing, websub }: Connectors, ctx: Context<unknown, CallMeta>) =>
    toolsFor(ctx, { egress, lanes, feeds, closing: closing.signal, minIntervalMs, websub });
  return {
    name: "connectors",
    mixins: [
      egressMixin(config),
      ...(publicUrl === undefined ? [] : [storeMixin(config, storeOptions)]),
      healthMixin("connectors", () =>
        Object.keys(connectors).map(name => ({ name: `connector:${name}`, status: "ok" as const })),
      ),
    ],
    actions: actions(
      handle(resolveSource, "public", function (this: Connectors, ctx) {
        return connectorOf(ctx.params.kind).resolve(ctx.params.sid, toolsOf(this, ctx));
      }),
      handle(pollSource, "public", function (this: Connectors, ctx) {
        return connectorOf(ctx.params.kind).poll(ctx.params, toolsOf(this, ctx));
      }),
      handle(contract.verifyIntent, "published", function (this: Connectors, ctx) {
        return verifyIntent(websubOf(this), ctx.params);
      }),
      handle(contract.receiveDelivery, "published", async function (this: Connectors, ctx) {
        await receiveDelivery(websubOf(this), ctx.params);
        return null;
      }),
      handle(contract.letGo, "public", async function (this: Connectors, ctx) {
        const { kind, externalId } = ctx.params;
        if (kind === "rss" && this.websub) await leaveHub(this.websub, externalId);
        return null;
      }),
    ),
    created(this: Connectors) {
      this.lanes = new HostLanes(laneWidth);
      this.feeds = openFeedReader();
      this.closing = new AbortController();
    },
    async started(this: Connectors) {
      if (publicUrl !== undefined) this.websub = await openWebsub(config, publicUrl, outsideOf(this));
    },
    async stopped(this: Connectors) {
      this.closing.abort(fail("overloaded", "The service is stopping; try again."));
      await this.feeds.close();
    },
  } as ServiceSchema;
}

export default (): ServiceSchema => connectorsService(configFromEnv());

function outsideOf({ store, egress, lanes, closing, broker, logger }: Connectors): Outside {
  return {
    store,
    egress,
    lanes,
    closing: closing.signal,
    pollSoon: source => call(broker, pollSoon, source, { timeout: pollSoonTimeoutMs }),
    logger,
  };
}

function websubOf({ websub }: Connectors): WebsubRoom {
  if (!websub) throw fail("not_found", "This installation is not subscribed to any hub.");
  return websub;
}

function connectorOf(kind: SourceKind): PolledConnector {
  const connector = connectors[kind];
  if (connector === undefined)
    throw fail("connector_unavailable", `This installation has no connector for ${kind}.`);
  return connector;
}
