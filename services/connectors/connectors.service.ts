import type { Context, Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { healthMixin } from "../../mixins/health/health.mixin.ts";
import { leaseMixin, type WithLeases } from "../../mixins/lease/lease.mixin.ts";
import { limiterMixin, type WithLimiter } from "../../mixins/limiter/limiter.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, type CallMeta, call, handle } from "../contracts/action.ts";
import { type PollResult, pollSource, resolveSource } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import { type PlatformTold, platformTold } from "../contracts/events.ts";
import { mixin } from "../contracts/mixin.ts";
import { receivePosts, trackedOfKind } from "../contracts/platforms.contract.ts";
import type { SourceKind } from "../contracts/source.ts";
import { pollSoon } from "../contracts/tracker.contract.ts";
import * as contract from "../contracts/websub.contract.ts";
import type { PolledConnector } from "./connector.ts";
import { HostLanes } from "./host-lanes.ts";
import { type FeedReader, openFeedReader } from "./rss/feed-reader.ts";
import { rssConnector } from "./rss/rss.connector.ts";
import { unfollow } from "./social/follow.ts";
import { isSocial } from "./social/kinds.ts";
import { askFor, passedOn, type SocialHost, socialOperations } from "./social/operations.ts";
import type { Platform } from "./social/platform.ts";
import { pollSocial } from "./social/poll-social.ts";
import { resolve } from "./social/resolve.ts";
import {
  findings,
  openSocial,
  type Social,
  type SocialOptions,
  socialCollections,
  usualOptions,
} from "./social/social.ts";
import { takeIn } from "./social/take-turns.ts";
import { toolsFor } from "./tools.ts";
import { webConnector } from "./web/web.connector.ts";
import { leaveHub } from "./websub/leave-hub.ts";
import { receiveDelivery } from "./websub/receive-delivery.ts";
import { type StoredHubSubscription, storeOptions, type WebsubRoom } from "./websub/room.ts";
import { verifyIntent } from "./websub/verify-intent.ts";
import { type Outside, openWebsub } from "./websub/websub.ts";

/** What is looked at from time to time; the social platforms are listened to as well. */
const polled: Partial<Record<SourceKind, PolledConnector>> = { rss: rssConnector, web: webConnector };

/** Requests at a time per host, of polls, and of looking up what is to be tracked: who tracks what hangs delays no poll. */
const laneWidth = 2;
const pollSoonTimeoutMs = 5000;
const receiveTimeoutMs = 15_000;
/** Sources in a page of what is tracked. */
const trackedPage = 1000;

interface Added extends WithEgress, WithStore<StoredHubSubscription>, WithLeases, WithLimiter, SocialHost {
  lanes: HostLanes;
  lookUps: HostLanes;
  feeds: FeedReader;
  social: Social;
  /** Undefined without a public address: hubs could not reach it. */
  websub: WebsubRoom | undefined;
}

type Connectors = Service & Added;

/**
 * The room that speaks to platforms: what a source is, and what is new there. It keeps what was agreed with platforms:
 * subscriptions at hubs, follows.
 */
export function connectorsService(config: Config, socialOptions: Partial<SocialOptions> = {}): ServiceSchema {
  const { pollMinIntervalMs: minIntervalMs, publicUrl } = config;
  const toolsOf = (
    { egress, feeds, closing, websub }: Connectors,
    ctx: Context<unknown, CallMeta>,
    lanes: HostLanes,
  ) => toolsFor(ctx, { egress, lanes, feeds, closing: closing.signal, minIntervalMs, websub });
  return {
    name: "connectors",
    mixins: [
      egressMixin(config),
      storeMixin(config, { ...storeOptions, extraCollections: socialCollections }),
      leaseMixin(config),
      limiterMixin(config),
      healthMixin("connectors", ({ social }: Connectors) => [
        ...Object.keys(polled).map(name => ({ name: `connector:${name}`, status: "ok" as const })),
        ...findings(social),
      ]),
      { actions: socialOperations },
    ],
    actions: actions(
      handle(resolveSource, "public", function (this: Connectors, ctx) {
        const { kind, sid } = ctx.params;
        return (
          polled[kind]?.resolve(sid, toolsOf(this, ctx, this.lookUps)) ??
          askFor(this, ctx, kind, (driver, signal) => resolve(this.platformOf(kind), driver, sid, signal))
        );
      }),
      handle(pollSource, "public", function (this: Connectors, ctx) {
        const { kind, externalId } = ctx.params;
        return (
          polled[kind]?.poll(ctx.params, toolsOf(this, ctx, this.lanes)) ??
          passedOn<PollResult>(this, ctx, kind) ??
          pollSocial(
            this.platformOf(kind),
            ctx.params,
            cursor => askFor(this, ctx, kind, (driver, signal) => driver.since(externalId, cursor, signal)),
            { minIntervalMs, random: Math.random },
          )
        );
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
        if (!isSocial(kind)) return null;
        const platform = this.platformOf(kind);
        return askFor(this, ctx, kind, (driver, signal) => unfollow(platform, driver, externalId, signal));
      }),
    ),
    ...mixin<Added>({
      events: {
        // Now the tracker of this process answers.
        "$broker.started"(this: Connectors) {
          this.social.hear();
        },
        [platformTold.name](this: Connectors, ctx: Context<PlatformTold>) {
          const { nodeID, params } = ctx;
          if (nodeID && nodeID !== this.broker.nodeID) takeIn(this.platformOf(params.kind), params, nodeID);
        },
      },
      created() {
        this.feeds = openFeedReader();
        this.closing = new AbortController();
        this.platformOf = kind => platformOf(this, kind);
      },
      async started() {
        this.lanes = new HostLanes("host", laneWidth, this.limiter);
        this.lookUps = new HostLanes("look-up", laneWidth, this.limiter);
        this.social = await openSocial(config, houseOf(this), { ...usualOptions, ...socialOptions });
        if (publicUrl !== undefined) this.websub = await openWebsub(config, publicUrl, outsideOf(this));
      },
      async stopped() {
        this.closing.abort(fail("overloaded", "The service is stopping; try again."));
        // Undefined when the start failed.
        await Promise.all([this.feeds.close(), this.social?.close()]);
      },
    }),
  };
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

/** The rest of the house, as the social platforms need it. */
function houseOf({ store, leases, broker, logger }: Connectors): Parameters<typeof openSocial>[1] {
  return {
    collections: store,
    leases,
    tell: told => broker.broadcast(platformTold.name, told),
    receive: posts => call(broker, receivePosts, posts, { timeout: receiveTimeoutMs }),
    pollSoon: source => call(broker, pollSoon, source, { timeout: pollSoonTimeoutMs }),
    trackedAfter: (kind, after) => {
      const page = { kind, limit: trackedPage, ...(after !== undefined && { after }) };
      return call(broker, trackedOfKind, page, { timeout: receiveTimeoutMs });
    },
    logger,
  };
}

function websubOf({ websub }: Connectors): WebsubRoom {
  if (!websub) throw fail("not_found", "This installation is not subscribed to any hub.");
  return websub;
}

function platformOf({ social }: Connectors, kind: SourceKind): Platform {
  if (isSocial(kind)) return social.platforms[kind];
  throw fail("connector_unavailable", `Sources of the kind ${kind} cannot do this.`);
}
