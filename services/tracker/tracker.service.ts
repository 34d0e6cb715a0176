import type { Context, Service, ServiceSchema } from "moleculer";
import { existingKeysThrough } from "../../mixins/clients/existing-keys.ts";
import { jobVaultThrough } from "../../mixins/clients/job-vault.ts";
import { type KeyUses, keyUsesThrough } from "../../mixins/clients/key-uses.ts";
import { keepLoginThrough } from "../../mixins/clients/session-logins.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { leaseMixin, type WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { longestLifeMs } from "../../mixins/event-log/sealed/sealing.ts";
import { historyMixin, type WithHistory } from "../../mixins/history/history.mixin.ts";
import { logEvent } from "../../mixins/log/log-events.ts";
import { addGauge } from "../../mixins/runtime/metrics.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, call } from "../contracts/action.ts";
import type { CallMeta } from "../contracts/caller.ts";
import { pollSource, pollViews, unfollowSource } from "../contracts/connectors.contract.ts";
import * as erasure from "../contracts/erasure.contract.ts";
import { fail } from "../contracts/errors.ts";
import {
  type KeyDeleted,
  keyChanged,
  keyDeleted,
  type SourcesRetagged,
  sourcesRetagged,
} from "../contracts/events.ts";
import * as held from "../contracts/held-source.contract.ts";
import { listJoins, listOwnJoins } from "../contracts/job-lists.contract.ts";
import * as opml from "../contracts/opml.contract.ts";
import { countSources } from "../contracts/overview.contract.ts";
import { forgetPictures } from "../contracts/page-reads.contract.ts";
import { operations, service } from "../contracts/service.ts";
import { listSitePages } from "../contracts/site-pages.contract.ts";
import * as lists from "../contracts/source-lists.contract.ts";
import * as batch from "../contracts/track-batch.contract.ts";
import * as contract from "../contracts/tracker.contract.ts";
import type { View } from "../contracts/watch.contract.ts";
import { removeMonitorEndpoints } from "../contracts/webhook-dispatcher.contract.ts";
import type { Use } from "../domain/crawl/content-usage.ts";
import { present } from "../domain/json/fields.ts";
import { entryScheduler } from "./batches/step-entry.ts";
import { trackBatch, trackMany } from "./batches/track-many.ts";
import { platformsThrough } from "./connectors.ts";
import { openContext, type PollConnector, type PollViews, type TrackerContext } from "./context.ts";
import { jobStatus, listJobs } from "./joins/join-jobs.ts";
import { joinScheduler, type LeasedJoin } from "./joins/step-join.ts";
import {
  keepSessionAlive,
  leaveSession,
  reapDeadSessions,
  type SessionKeeper,
} from "./maintenance/dead-sessions.ts";
import { eraseTracked } from "./maintenance/erase.ts";
import { maintain, runMaintenance } from "./maintenance/maintenance.ts";
import { Pruning } from "./maintenance/retention.ts";
import { WorkerSession } from "./maintenance/worker-session.ts";
import { countPolls, trackerGauges } from "./metrics.ts";
import { monitorActions } from "./monitors/monitor-actions.ts";
import { monitorScheduler } from "./monitors/step-monitor.ts";
import { importOpml } from "./opml/import-opml.ts";
import { exportOpml } from "./opml/key-list.ts";
import { type OpmlReader, openOpmlReader } from "./opml/opml-reader.ts";
import { type LeasedSource, pollSoon } from "./polling/due-sources.ts";
import { foreseePosts, receivePosts } from "./polling/ingest.ts";
import { pollScheduler } from "./polling/poll.ts";
import { pollNow, pollSourceNow } from "./polling/poll-now.ts";
import type { Scheduler } from "./scheduler.ts";
import { type Address, addressOf, type StoredSource, storeOptions, viewOf } from "./sources.store.ts";
import { heldSource, heldSources, shownSources } from "./tracking/held-source.ts";
import { forgetPast } from "./tracking/past.ts";
import { unfollow } from "./tracking/pending-unfollows.ts";
import { listSources, listTracked, sourcesOfTags } from "./tracking/source-lists.ts";
import { track, trackChat, trackUser } from "./tracking/track.ts";
import { findSources, trackedOfKind, trackedUsers } from "./tracking/tracked-sources.ts";
import { forgetKeyOnce, removeSource, untrack, untrackChat, untrackUser } from "./tracking/untrack.ts";
import { wantedAt } from "./watches/next-poll.ts";
import { heldSecrets, rememberedView } from "./watches/remembered-view.ts";
import { changeTracked, separate } from "./watches/watch.ts";

/** Milliseconds; shorter than a lease. */
const pollTimeoutMs = 60_000;
const unfollowTimeoutMs = 20_000;
const stopTimeoutMs = 5000;

interface Added extends WithStore<StoredSource>, WithLog, WithHistory, WithLeases {
  context: TrackerContext;
  opmlReader: OpmlReader;
  keyUses: KeyUses;
  /** Keys that leave a source whose other keys want content for other uses, by both. */
  separating: Map<string, Promise<void>>;
  session?: SessionKeeper;
  pollScheduler?: Scheduler<LeasedSource[]>;
  joinScheduler?: Scheduler<LeasedJoin>;
  entryScheduler?: Scheduler<unknown>;
  monitorScheduler?: Scheduler<unknown>;
  closing: AbortController;
  /** What runs as long as the service. */
  running: Promise<unknown>[];
  /** Set while this tracker maintains what all of them share. */
  maintaining?: AbortSignal;
  withdrawGauges: (() => void)[];
}

type Tracker = Service & Added;

const { published, internal } = operations((tracker: Tracker) => tracker);

/** Sources and the keys that track them: when to poll each source, and what of a poll becomes an event. */
export function trackerService(
  config: Pick<Config, "dataDir" | "pollMinIntervalMs" | "cluster" | "keep" | "eventRetentionMs" | "llm"> &
    Partial<Pick<Config, "batchRetentionMs">>,
): ServiceSchema {
  return service<Added>({
    name: "tracker",
    mixins: [storeMixin(config, storeOptions), logMixin(config), historyMixin(config), leaseMixin(config)],
    actions: actions(
      published(contract.track, async (tracker, wanted, { caller, ctx }) => {
        const outcome = await track(tracker.context, caller, wanted, platformsThrough(ctx));
        if ("isNew" in outcome) return created(tracker, ctx, outcome);
        ctx.meta.$statusCode = 202;
        return outcome;
      }),
      published(contract.untrack, ({ context }, wanted, { caller }) => untrack(context, caller, wanted)),
      published(contract.changeTracked, (tracker, wanted, { caller, ctx }) =>
        awake(tracker, changeTracked(tracker.context, caller, wanted, platformsThrough(ctx))),
      ),
      published(contract.findSources, ({ context }, wanted, { caller }) =>
        findSources(context, caller, wanted),
      ),
      published(contract.trackUser, async (tracker, { username }, { caller, ctx }) =>
        created(tracker, ctx, await trackUser(tracker.context, caller, username, platformsThrough(ctx))),
      ),
      published(contract.untrackUser, ({ context }, { username }, { caller, ctx }) =>
        untrackUser(context, caller, username, platformsThrough(ctx)),
      ),
      published(contract.trackedUsers, ({ context }, _, { caller }) => trackedUsers(context, caller)),
      published(contract.trackChat, async (tracker, { channelId }, { caller, ctx }) =>
        created(tracker, ctx, await trackChat(tracker.context, caller, channelId, platformsThrough(ctx))),
      ),
      published(contract.untrackChat, ({ context }, { channelId }, { caller }) =>
        untrackChat(context, caller, channelId),
      ),
      published(contract.trackStatus, ({ context }, wanted, { caller }) =>
        jobStatus(context, caller, wanted),
      ),
      published(batch.trackMany, async ({ context }, { items }, { caller, ctx }) => {
        const answer = await trackMany(context, caller, items);
        ctx.meta.$statusCode = answer.data.state === "completed" ? 200 : 202;
        return answer;
      }),
      published(batch.trackBatch, ({ context }, wanted, { caller }) => trackBatch(context, caller, wanted)),
      published(opml.exportOpml, ({ context }, _, { caller, ctx }) => {
        ctx.meta.$responseType = opml.opmlType;
        return exportOpml(context, caller.keyId);
      }),
      published(opml.importOpml, async ({ context, opmlReader }, wanted, { caller, ctx }) => {
        const answer = await importOpml(context, caller, wanted, opmlReader);
        ctx.meta.$statusCode = answer.data.state === "completed" ? 200 : 202;
        return answer;
      }),
      internal(contract.rememberedView, ({ context }, wanted) => rememberedView(context, wanted)),
      internal(contract.heldSecrets, ({ context }, address) => heldSecrets(context, address)),
      internal(contract.receivePosts, ({ context }, posts) => receivePosts(context, posts)),
      internal(contract.foreseePosts, ({ context }, posts) => foreseePosts(context, posts)),
      internal(contract.trackedOfKind, ({ context }, page) => trackedOfKind(context, page)),
      published(lists.listTracked, ({ context }, page, { caller }) => listTracked(context, caller, page)),
      internal(lists.isTracking, async ({ context: { subscriptions } }, { keyId, sourceId }) => ({
        tracked: (await subscriptions.findOne({ keyId, sourceId })) !== null,
      })),
      internal(held.heldSource, ({ context }, wanted) => heldSource(context, wanted)),
      internal(held.heldSources, ({ context }, page) => heldSources(context, page)),
      internal(held.shownSources, ({ context }, wanted) => shownSources(context, wanted)),
      internal(held.forgetPast, ({ context }, wanted) => forgetPast(context, wanted)),
      internal(lists.sourcesOfTags, ({ context }, wanted) => sourcesOfTags(context, wanted)),
      ...monitorActions,
      published(lists.listSources, ({ context }, page) => listSources(context, page)),
      published(lists.pollNow, (tracker, wanted, { caller }) =>
        awake(tracker, pollNow(tracker.context, caller, wanted)),
      ),
      published(lists.pollSourceNow, (tracker, { id }) => awake(tracker, pollSourceNow(tracker.context, id))),
      published(lists.removeSource, ({ context }, { id }) => removeSource(context, id)),
      published(listOwnJoins, ({ context }, page, { caller }) =>
        listJobs(context, { ...page, key_id: caller.keyId }),
      ),
      published(listJoins, ({ context }, page) => listJobs(context, page)),
      internal(contract.pollSoon, (tracker, source) => awake(tracker, pollSoon(tracker.context, source))),
      internal(erasure.eraseTracked, ({ context, log }, of) => eraseTracked(context, log, of)),
      internal(countSources, async ({ context: { sources } }) => ({
        sources: await sources.count(),
        sources_failing: await sources.count({ health: "failing" }),
      })),
    ),
    events: {
      [keyDeleted.name](this: Tracker, ctx: Context<KeyDeleted>) {
        return forgetKeyOnce(this.context, this.leases, ctx.params.keyId);
      },
      [keyChanged.name](this: Tracker) {
        this.keyUses.forget();
      },
      // From here on the other services of this process answer.
      "$broker.started"(this: Tracker) {
        this.joinScheduler?.wake();
        this.entryScheduler?.wake();
        this.monitorScheduler?.wake();
        const { leases, closing, running, context, log, logger } = this;
        const { keep, eventRetentionMs } = config;
        const existing = existingKeysThrough(this.broker);
        const kept = { ...keep, eventsMs: longestLifeMs(eventRetentionMs) };
        const pruning = new Pruning(context, kept, existing);
        const maintained = { context, log, pruning, existing, logger, eventRetentionMs };
        const upkeep = (signal: AbortSignal) => {
          this.maintaining = signal;
          return maintain(maintained, signal);
        };
        running.push(runMaintenance(leases, upkeep, closing.signal));
      },
    },
    created() {
      this.closing = new AbortController();
      this.opmlReader = openOpmlReader();
      this.keyUses = keyUsesThrough(this.broker);
      this.separating = new Map();
      this.running = [];
      this.withdrawGauges = [];
    },
    async started() {
      const session = new WorkerSession(this.store.collection("worker_sessions"), this.leases);
      this.context = openContext(this.store, {
        log: this.log,
        history: this.history,
        leases: this.leases,
        leaseTokens: session,
        closing: this.closing.signal,
        now: Date.now,
        random: Math.random,
        minIntervalMs: config.pollMinIntervalMs,
        ...(config.batchRetentionMs && { batchesKeptMs: config.batchRetentionMs }),
        hasModel: config.llm !== undefined,
        pollConnector: pollThrough(this),
        pollViews: pollViewsThrough(this),
        vault: jobVaultThrough(this.broker),
        keepLogin: keepLoginThrough(this.broker),
        keyUses: () => this.keyUses.all(),
        onOtherPolicy: (keyId, source) => separateOnce(this, keyId, source),
        unfollow: source => call(this.broker, unfollowSource, source, { timeout: unfollowTimeoutMs }),
        onPendingUnfollow: source => {
          void unfollowNow(this, source);
          if (source._id !== undefined && viewOf(source).screenshot) this.context.forgetPictures(source._id);
        },
        forgetPictures: sourceId => void forgetPicturesOf(this, sourceId),
        onUnfollowFailed: (source, error) => logEvent(this.logger, "unfollow.failed", { ...source, error }),
        onJoinRequested: () => this.joinScheduler?.wake(),
        onRetagged: keyId =>
          void this.broker.broadcast(sourcesRetagged.name, { keyId } satisfies SourcesRetagged),
        onEntriesAdded: () => this.entryScheduler?.wake(),
        onMonitorDue: () => this.monitorScheduler?.wake(),
        onMonitorError: (monitor, error) =>
          logEvent(this.logger, "monitor_source.failed", { monitor, error }),
        sitePages: sitePagesThrough(this),
        removeEndpoints: (keyId, id) =>
          call(this.broker, removeMonitorEndpoints, { keyId, monitor: id }, { timeout: unfollowTimeoutMs }),
        onConnectorError: ({ _id, kind }, error) =>
          logEvent(this.logger, "poll.failed", { source: _id, kind, error }),
      });
      const wake = () => {
        this.pollScheduler?.wake();
        this.joinScheduler?.wake();
        this.entryScheduler?.wake();
        this.monitorScheduler?.wake();
      };
      this.session = { context: this.context, session, logger: this.logger, wake };
      await session.start();
      await reapDeadSessions(this.context, session);
      const maintains = () => this.maintaining?.aborted === false;
      this.withdrawGauges = trackerGauges(this.context, maintains).map(gauge => addGauge(this.broker, gauge));
      this.pollScheduler = pollScheduler(this.context, this.logger, countPolls(this.broker));
      this.pollScheduler.wake();
      this.joinScheduler = joinScheduler(
        this.context,
        platformsThrough(this.broker),
        () => this.pollScheduler?.wake(),
        error => logEvent(this.logger, "join_scheduler.failed", { error }),
      );
      this.entryScheduler = entryScheduler(
        this.context,
        platformsThrough(this.broker),
        () => this.pollScheduler?.wake(),
        error => logEvent(this.logger, "batch_scheduler.failed", { error }),
      );
      this.monitorScheduler = monitorScheduler(
        this.context,
        platformsThrough(this.broker),
        () => this.pollScheduler?.wake(),
        error => logEvent(this.logger, "monitor_scheduler.failed", { error }),
      );
      this.running.push(keepSessionAlive(this.session, this.closing.signal));
    },
    async stopped() {
      for (const withdraw of this.withdrawGauges) withdraw();
      this.closing.abort(fail("overloaded", "The service is stopping; try again."));
      const { pollScheduler, joinScheduler, entryScheduler, monitorScheduler } = this;
      await Promise.all(
        [pollScheduler, joinScheduler, entryScheduler, monitorScheduler].map(each =>
          each?.stop(stopTimeoutMs),
        ),
      );
      await Promise.all([...this.running, ...this.separating.values(), this.opmlReader.close()]);
      if (this.session) await leaveSession(this.session);
    },
  });
}

export default (): ServiceSchema => trackerService(configFromEnv());

function pollThrough({ broker }: Tracker): PollConnector {
  return ({ kind, externalId, failures }, state) =>
    call(broker, pollSource, { kind, externalId, state, failures }, { timeout: pollTimeoutMs });
}

function pollViewsThrough(tracker: Tracker): PollViews {
  return async views => {
    const { broker, context } = tracker;
    const [first] = views;
    if (!first) return [];
    const wanted = views.map(({ source, state, policy = [] }) => ({
      view: withUses(viewOf(source), policy),
      id: source._id,
      state,
      failures: source.failures,
      ...(source.fence !== undefined && { fence: source.fence }),
      ...present({ askedAt: wantedAt(source, context.now()) }),
    }));
    const params = { ...addressOf(first.source), views: wanted };
    return (await call(broker, pollViews, params, { timeout: pollTimeoutMs })).results;
  };
}

/** What its keys want content for now counts, and not what they wanted when the view was made. */
function withUses({ policy: _, ...view }: View, policy: Use[]): View {
  return policy.length > 0 ? { ...view, policy } : view;
}

/** Pages of a site that are read at a time. */
const sitePageSize = 1000;

function sitePagesThrough({ broker }: Tracker): TrackerContext["sitePages"] {
  return async ({ keyId, owner, limits }, id, cursor) => {
    const wanted = { id, state: "there" as const, limit: sitePageSize, ...(cursor !== "" && { cursor }) };
    const meta = { caller: { keyId, owner, limits } };
    const { data, next_cursor } = await call(broker, listSitePages, wanted, { timeout: pollTimeoutMs, meta });
    return { urls: data.map(({ url, title }) => ({ url, title })), next: next_cursor };
  };
}

/** Each poll of the source reports the key until it has left. */
function separateOnce(
  { context, broker, logger, separating }: Tracker,
  keyId: string,
  source: StoredSource,
): void {
  const name = `${keyId} ${source._id}`;
  if (separating.has(name)) return;
  const leaving = separate(context, { keyId, source }, platformsThrough(broker))
    .catch(error => logEvent(logger, "policy.failed", { source: source._id, error }))
    .finally(() => separating.delete(name));
  separating.set(name, leaving);
}

/** A picture that stays behind is small, and of a source that nobody can name any more. */
async function forgetPicturesOf({ broker, logger }: Tracker, watchId: string): Promise<void> {
  try {
    await call(broker, forgetPictures, { watchId }, { timeout: unfollowTimeoutMs });
  } catch (error) {
    logEvent(logger, "picture_cleanup.failed", { watchId, error });
  }
}

/** Maintenance tries a failed unfollow again. */
async function unfollowNow({ context }: Tracker, source: Address & { _id?: string }): Promise<void> {
  try {
    await unfollow(context, source);
  } catch (error) {
    context.onUnfollowFailed(source, error);
  }
}

/** Has the scheduler look for due sources after a change. The schedulers of other nodes check every few seconds. */
async function awake<Answer>({ pollScheduler }: Tracker, change: Promise<Answer>): Promise<Answer> {
  const answer = await change;
  pollScheduler?.wake();
  return answer;
}

/** 201 for a new subscription, whose first poll is due soon; 200 for one that existed. */
function created<Answer>(
  { pollScheduler }: Tracker,
  ctx: Context<unknown, CallMeta>,
  { isNew, ...answer }: Answer & { isNew: boolean },
): Omit<Answer & { isNew: boolean }, "isNew"> {
  if (isNew) pollScheduler?.wake();
  ctx.meta.$statusCode = isNew ? 201 : 200;
  return answer;
}
