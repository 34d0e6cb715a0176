import type { Context, Service, ServiceSchema } from "moleculer";
import { type JobVault, jobVaultThrough } from "../../mixins/clients/job-vault.ts";
import { keepLoginThrough, withoutLogin } from "../../mixins/clients/session-logins.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import {
  hostPolitenessMixin,
  type WithHostPoliteness,
} from "../../mixins/coordination/host-politeness/host-politeness.mixin.ts";
import { HostQueues } from "../../mixins/coordination/host-politeness/host-queues.ts";
import { leaseMixin, type WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import { openUrlFilter, type UrlFilter } from "../../mixins/crawl/url-filter.ts";
import { egressMixin, type WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { healthMixin } from "../../mixins/runtime/health.ts";
import { addGauge } from "../../mixins/runtime/metrics.ts";
import { sitePagesMixin, type WithSitePages } from "../../mixins/site-pages/site-pages.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, call } from "../contracts/action.ts";
import type { CallMeta } from "../contracts/caller.ts";
import * as contract from "../contracts/connectors.contract.ts";
import { type PollResult, pollSource, resolveSource } from "../contracts/connectors.contract.ts";
import { fail, invalid } from "../contracts/errors.ts";
import { type PlatformUpdate, platformUpdated } from "../contracts/events.ts";
import { previewSource } from "../contracts/preview.contract.ts";
import { operations, service } from "../contracts/service.ts";
import type { SourceKind } from "../contracts/source.ts";
import { pollSoon, receivePosts, trackedOfKind } from "../contracts/tracker.contract.ts";
import type { WatchOptions } from "../contracts/watch.contract.ts";
import { checkGoal } from "../domain/goal/check-goal.ts";
import { present } from "../domain/json/fields.ts";
import { checkApplicable } from "../domain/watch/applicable-options.ts";
import { checkWatch } from "../domain/watch/check-watch.ts";
import type { PolledConnector } from "./connector.ts";
import { pollFeed } from "./feeds/poll-feed.ts";
import { pollSitemap } from "./feeds/poll-sitemap.ts";
import { previewFeed, resolveFeed } from "./feeds/resolve-feed.ts";
import { isSitemap } from "./feeds/sitemap-parts.ts";
import { judgePosts } from "./judge-posts.ts";
import { pollPage, pollPageViews } from "./pages/poll-page.ts";
import { previewPage } from "./pages/preview-page.ts";
import { resolvePage } from "./pages/resolve-page.ts";
import { openReader, type Reader } from "./reader.ts";
import { pollSearch, previewSearch, resolveSearch } from "./searches/poll-search.ts";
import { pollSites } from "./sites/poll-site.ts";
import { previewSite, resolveSite } from "./sites/resolve-site.ts";
import type { SiteTools } from "./sites/site-member.ts";
import { SiteRobots } from "./sites/site-robots.ts";
import { type SocialHost, withDriver, withNamedDriver } from "./social/ask-driver.ts";
import { forgetFollow, unfollow } from "./social/follow.ts";
import { applyMessage } from "./social/listening-lease.ts";
import { type Networks, platformOfId } from "./social/networks.ts";
import { socialOperations } from "./social/operations.ts";
import { pollNetwork } from "./social/poll-social.ts";
import { previewNamed } from "./social/preview-social.ts";
import {
  defaultOptions,
  openSocial,
  platformsGauge,
  type Social,
  type SocialOptions,
  socialCollections,
  socialFindings,
} from "./social/social.ts";
import { isSocial } from "./social/social-connector.ts";
import { type ToolTerms, toolsFor } from "./tools.ts";
import { pastOf, pollViews, rememberedBy, secretsOf, withHeldSecrets } from "./views.ts";
import { receiveDelivery, verifyIntent } from "./websub/callbacks.ts";
import { openWebsubContext, type WebsubContext, type WebsubPorts } from "./websub/context.ts";
import { leaveHub } from "./websub/subscribe.ts";
import { type StoredHubSubscription, storeOptions } from "./websub/subscriptions.store.ts";

/** Feeds (RSS, Atom, JSON Feed), pages and sites are only polled; the social platforms are also listened to. */
const polledConnectors = (site: SiteTools): Partial<Record<SourceKind, PolledConnector>> => ({
  rss: {
    resolve: resolveFeed,
    poll: (source, tools) => (isSitemap(source.state) ? pollSitemap(source, tools) : pollFeed(source, tools)),
    preview: previewFeed,
  },
  search: { resolve: resolveSearch, poll: pollSearch, preview: previewSearch },
  web: { resolve: resolvePage, poll: pollPage, pollTogether: pollPageViews, preview: previewPage },
  site: {
    resolve: (sid, tools, aim) => resolveSite(sid, tools, aim, site),
    poll: async (source, tools) => (await pollSites([source], tools, site))[0] as PollResult,
    pollTogether: (sources, tools) => pollSites(sources, tools, site),
    preview: (sid, tools, aim) => previewSite(sid, tools, aim, site),
  },
});

const polledKinds = ["rss", "search", "web", "site"] as const;

/** Ends before the gateway's patience does. */
const previewTerms: ToolTerms = { callTimeoutMs: 27_000, headlines: 10, takesSlot: true };

/** Concurrent requests per host. Polls and look-ups count separately: a look-up that hangs delays no poll. */
const maxPerHost = 2;
/** How many polls of one host may wait: each holds a place among those of all hosts. More are put off. */
const mostWaitingPolls = 32;
const pollSoonTimeoutMs = 5000;
const receiveTimeoutMs = 15_000;
/** Tracked sources that one call reads. */
const trackedPage = 1000;

interface Added
  extends WithEgress,
    WithStore<StoredHubSubscription>,
    WithLeases,
    WithHostPoliteness,
    WithSitePages,
    SocialHost {
  /** Decrypts what views send in secret. */
  vault: JobVault;
  pollHosts: HostQueues;
  lookupHosts: HostQueues;
  reader: Reader;
  /** Sorts addresses by the patterns of sites. */
  urlFilter: UrlFilter;
  polled: ReturnType<typeof polledConnectors>;
  social: Social;
  withdrawGauge?: () => void;
  /** Undefined without a public address, where hubs could not reach this installation. */
  websub: WebsubContext | undefined;
}

type Connectors = Service & Added;

const { published, internal } = operations((connectors: Connectors) => connectors);

/**
 * Talks to platforms: finds what a source is and what is new there. Stores the subscriptions at hubs and the follows on
 * networks.
 */
export function connectorsService(config: Config, socialOptions: Partial<SocialOptions> = {}): ServiceSchema {
  const { pollMinIntervalMs: minIntervalMs, publicUrl } = config;
  const toolsOf = (
    { egress, reader, closing, websub }: Connectors,
    ctx: Context<unknown, CallMeta>,
    hosts: HostQueues,
    terms?: ToolTerms,
  ) => toolsFor(ctx, { egress, hosts, reader, closing: closing.signal, minIntervalMs, websub }, terms);
  return service<Added>({
    name: "connectors",
    mixins: [
      egressMixin(config),
      storeMixin(config, { ...storeOptions, extraCollections: socialCollections }),
      leaseMixin(config),
      hostPolitenessMixin(config),
      sitePagesMixin(config),
      healthMixin("connectors", ({ social }: Connectors) => [
        ...polledKinds.map(name => ({ name: `connector:${name}`, status: "ok" as const })),
        ...socialFindings(social),
      ]),
      { actions: socialOperations },
    ],
    actions: actions(
      internal(resolveSource, async (connectors, { kind, sid, view = {}, asPage = false }, { ctx }) => {
        const { lookupHosts, polled, vault } = connectors;
        const secrets = await secretsOf(vault, view, sid);
        return (
          polled[kind]?.resolve(sid, toolsOf(connectors, ctx, lookupHosts, { ...(secrets && { secrets }) }), {
            view,
            asPage,
          }) ??
          withNamedDriver(connectors, ctx, { kind, text: sid, field: "sid" }, (driver, text, signal) =>
            driver.resolve(text, signal),
          )
        );
      }),
      published(
        previewSource,
        async (connectors, { source: kind, sid, options: sent = {}, with_page, with_picture }, asked) => {
          const { ctx } = asked;
          const { lookupHosts, polled, vault } = connectors;
          const { keyId } = asked.caller;
          refuseInvalidView(kind, sent, config);
          const address = { keyId, kind, externalId: sid };
          const signing = { keyId, url: sid, fields: { url: "sid", session: "options.session" } };
          const named = await withoutLogin(sent, signing, keepLoginThrough(ctx));
          const options = await withHeldSecrets(ctx, vault, { ...address, options: named });
          const { tags: _, paused: __, headers, cookies, body, ...open } = options;
          const policy = (kind === "web" || kind === "site") && asked.caller.contentUses;
          const view = { ...open, ...(open.session && { sessionOf: keyId }), ...(policy && { policy }) };
          const origin = URL.parse(sid)?.origin ?? "";
          const secrets = { origin, keyId, ...present({ headers, cookies, body }) };
          const terms = { ...previewTerms, secrets };
          const { notice, ...found } = await (polled[kind]?.preview(
            sid,
            toolsOf(connectors, ctx, lookupHosts, terms),
            {
              view,
              withPage: with_page || with_picture || false,
              withPicture: with_picture ?? false,
              remembered: url => rememberedBy(ctx, { keyId, externalId: url, options }),
            },
          ) ?? previewNamed(connectors, ctx, { kind, sid }));
          const unjudged = view.goal !== undefined && "A preview judges nothing by the goal.";
          const message = ["This is what would be watched.", unjudged, notice].filter(Boolean).join(" ");
          const past = found.view && (await pastOf(ctx, { keyId, kind, externalId: found.url ?? sid, view }));
          const seen = found.view && { view: { ...found.view, past: past ?? null } };
          return { data: { ...found, ...seen, sid }, message };
        },
      ),
      internal(pollSource, (connectors, source, { ctx }) => {
        const { pollHosts, polled } = connectors;
        return (
          polled[source.kind]?.poll(source, toolsOf(connectors, ctx, pollHosts)) ??
          pollNetwork(connectors, ctx, source, { minIntervalMs, random: Math.random })
        );
      }),
      internal(contract.pollViews, async (connectors, { kind, externalId, views }, { ctx }) => {
        const startedAt = performance.now();
        const { pollHosts, polled, vault } = connectors;
        const connector = polled[kind];
        if (!connector) throw fail("connector_unavailable", `Sources of the kind ${kind} have no views.`);
        const secrets = await secretsOf(vault, views[0]?.view ?? {}, externalId);
        const tools = toolsOf(connectors, ctx, pollHosts, { ...(secrets && { secrets }) });
        const results = await pollViews(connector, externalId, views, tools);
        return { results: await judgePosts(ctx, { externalId, views, results, startedAt }) };
      }),
      published(contract.verifyIntent, (connectors, intent) => verifyIntent(websubOf(connectors), intent)),
      published(contract.receiveDelivery, async (connectors, delivery) => {
        await receiveDelivery(websubOf(connectors), delivery);
        return null;
      }),
      internal(contract.unfollowSource, async (connectors, { kind, externalId, id }, { ctx }) => {
        const { websub, sitePages } = connectors;
        if (kind === "site" && id !== undefined) await sitePages.drop(id);
        if (kind === "rss" && websub) await leaveHub(websub, externalId);
        if (!isSocial(kind)) return null;
        const networks = connectors.networksOf(kind);
        const platform = await platformOfId(networks, externalId);
        if (!platform) return forgetFollow(networks, externalId);
        return withDriver(connectors, ctx, platform, (driver, signal) =>
          unfollow(networks, platform, driver, externalId, signal),
        );
      }),
    ),
    events: {
      // From now on the tracker of this process answers.
      "$broker.started"(this: Connectors) {
        this.social.listen();
      },
      [platformUpdated.name](this: Connectors, ctx: Context<PlatformUpdate>) {
        const { nodeID, params } = ctx;
        if (nodeID && nodeID !== this.broker.nodeID)
          applyMessage(this.networksOf(params.kind), params, nodeID);
      },
    },
    created() {
      this.reader = openReader();
      this.urlFilter = openUrlFilter();
      this.vault = jobVaultThrough(this.broker);
      this.closing = new AbortController();
      this.networksOf = kind => networksOf(this, kind);
    },
    async started() {
      this.polled = polledConnectors(siteToolsOf(this));
      this.pollHosts = new HostQueues(this.hostPoliteness, {
        width: maxPerHost,
        purpose: "poll",
        mostWaiting: mostWaitingPolls,
      });
      this.lookupHosts = new HostQueues(this.hostPoliteness, { width: maxPerHost, purpose: "look-up" });
      this.social = await openSocial(config, socialPorts(this), { ...defaultOptions, ...socialOptions });
      this.withdrawGauge = addGauge(this.broker, platformsGauge(this.social));
      if (publicUrl !== undefined)
        this.websub = await openWebsubContext(config, publicUrl, websubPorts(this));
    },
    async stopped() {
      this.withdrawGauge?.();
      this.closing.abort(fail("overloaded", "The service is stopping; try again."));
      // Undefined when the start failed.
      await Promise.all([this.reader.close(), this.urlFilter.close(), this.social?.close()]);
    },
  });
}

export default (): ServiceSchema => connectorsService(configFromEnv());

function refuseInvalidView(kind: SourceKind, options: WatchOptions, config: Config): void {
  const error =
    checkApplicable(kind, options) ??
    checkWatch(kind, options, config.pollMinIntervalMs) ??
    checkGoal(options, config.llm !== undefined);
  if (error) throw invalid(`options.${error.field}`, error.code, error.message);
}

function siteToolsOf({ sitePages, urlFilter, reader, closing }: Connectors): SiteTools {
  return {
    pages: sitePages,
    filter: urlFilter,
    robots: new SiteRobots(),
    listSitemap: ({ url, body }) => reader.listSitemap(url, body, closing.signal),
    signal: closing.signal,
  };
}

function websubPorts({ store, egress, pollHosts, closing, broker, logger }: Connectors): WebsubPorts {
  return {
    store,
    egress,
    hosts: pollHosts,
    closing: closing.signal,
    pollSoon: source => call(broker, pollSoon, source, { timeout: pollSoonTimeoutMs }),
    logger,
  };
}

/** The other services, as the social platforms need them. */
function socialPorts({ store, leases, broker, logger }: Connectors): Parameters<typeof openSocial>[1] {
  return {
    collections: store,
    leases,
    broadcast: update => broker.broadcast(platformUpdated.name, update),
    receive: posts => call(broker, receivePosts, posts, { timeout: receiveTimeoutMs }),
    pollSoon: source => call(broker, pollSoon, source, { timeout: pollSoonTimeoutMs }),
    trackedAfter: (kind, after) => {
      const page = { kind, limit: trackedPage, ...(after !== undefined && { after }) };
      return call(broker, trackedOfKind, page, { timeout: receiveTimeoutMs });
    },
    logger,
  };
}

function websubOf({ websub }: Connectors): WebsubContext {
  if (!websub) throw fail("not_found", "This installation is not subscribed to any hub.");
  return websub;
}

function networksOf({ social }: Connectors, kind: SourceKind): Networks {
  if (isSocial(kind)) return social.networks[kind];
  throw fail("connector_unavailable", `Sources of the kind ${kind} cannot do this.`);
}
