import type { Context, Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { existingThrough } from "../../mixins/keys/existing-keys.ts";
import { leaseMixin, type WithLeases } from "../../mixins/lease/lease.mixin.ts";
import { logMixin, type WithLog } from "../../mixins/log/log.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, type CallMeta, call, handle } from "../contracts/action.ts";
import { callerOf } from "../contracts/caller.ts";
import { pollSource } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import { type KeyDeleted, keyDeleted } from "../contracts/events.ts";
import { listJoins, listSources as listSourcesContract } from "../contracts/inspection.contract.ts";
import { mixin } from "../contracts/mixin.ts";
import {
  trackedOfKind as ofKindContract,
  receivePosts as receiveContract,
} from "../contracts/platforms.contract.ts";
import * as social from "../contracts/social-tracking.contract.ts";
import * as contract from "../contracts/tracker.contract.ts";
import { letGo as letGoContract } from "../contracts/websub.contract.ts";
import { Bearer } from "./bearer.ts";
import { endDead } from "./end-dead.ts";
import { findSources } from "./find-sources.ts";
import { forgetKeyOnce } from "./forget-key.ts";
import { jobStatus } from "./joins/job-status.ts";
import { joining } from "./joins/joining.ts";
import type { LeasedJoin } from "./joins/lease-join.ts";
import { listJobs } from "./joins/list-jobs.ts";
import { keepUp } from "./keep-up.ts";
import type { LeasedSource } from "./lease.ts";
import { listSources } from "./list-sources.ts";
import { type Living, leave, live } from "./living.ts";
import { letGo } from "./loose-ends.ts";
import { type Address, platformsThrough } from "./platforms.ts";
import { pollSoon } from "./poll-soon.ts";
import { polling } from "./polling.ts";
import { receivePosts } from "./receive-posts.ts";
import { type Look, openRoom, type StoredSource, storeOptions, type TrackerRoom } from "./room.ts";
import type { Scheduler } from "./scheduler.ts";
import { track } from "./track.ts";
import { trackChat } from "./track-chat.ts";
import { trackUser } from "./track-user.ts";
import { trackedOfKind } from "./tracked-of-kind.ts";
import { trackedUsers } from "./tracked-users.ts";
import { untrack } from "./untrack.ts";
import { untrackChat } from "./untrack-chat.ts";
import { untrackUser } from "./untrack-user.ts";
import { upkeep } from "./upkeep.ts";

/** Shorter than a lease. */
const pollTimeoutMs = 60_000;
const letGoTimeoutMs = 20_000;
const stopPatienceMs = 5000;

interface Added extends WithStore<StoredSource>, WithLog, WithLeases {
  room: TrackerRoom;
  living?: Living;
  scheduler?: Scheduler<LeasedSource>;
  joining?: Scheduler<LeasedJoin>;
  closing: AbortController;
  /** What runs for as long as the room does. */
  running: Promise<unknown>[];
}

type Tracker = Service & Added;

/** The room of sources, who tracks them, and their polling. */
export function trackerService(
  config: Pick<Config, "dataDir" | "pollMinIntervalMs" | "cluster">,
): ServiceSchema {
  return {
    name: "tracker",
    mixins: [storeMixin(config, storeOptions), logMixin(config), leaseMixin(config)],
    actions: actions(
      handle(contract.track, "published", async function (this: Tracker, ctx) {
        const outcome = await track(this.room, callerOf(ctx), ctx.params, platformsThrough(ctx));
        if ("isNew" in outcome) return created(this, ctx, outcome);
        ctx.meta.$statusCode = 202;
        return outcome;
      }),
      handle(contract.untrack, "published", function (this: Tracker, ctx) {
        return untrack(this.room, callerOf(ctx), ctx.params);
      }),
      handle(contract.findSources, "published", function (this: Tracker, ctx) {
        return findSources(this.room, callerOf(ctx), ctx.params);
      }),
      handle(social.trackUser, "published", async function (this: Tracker, ctx) {
        const { username } = ctx.params;
        return created(this, ctx, await trackUser(this.room, callerOf(ctx), username, platformsThrough(ctx)));
      }),
      handle(social.untrackUser, "published", function (this: Tracker, ctx) {
        return untrackUser(this.room, callerOf(ctx), ctx.params.username, platformsThrough(ctx));
      }),
      handle(social.trackedUsers, "published", function (this: Tracker, ctx) {
        return trackedUsers(this.room, callerOf(ctx));
      }),
      handle(social.trackChat, "published", async function (this: Tracker, ctx) {
        const { channelId } = ctx.params;
        return created(
          this,
          ctx,
          await trackChat(this.room, callerOf(ctx), channelId, platformsThrough(ctx)),
        );
      }),
      handle(social.untrackChat, "published", function (this: Tracker, ctx) {
        return untrackChat(this.room, callerOf(ctx), ctx.params.channelId);
      }),
      handle(social.trackStatus, "published", function (this: Tracker, ctx) {
        return jobStatus(this.room, callerOf(ctx), ctx.params);
      }),
      handle(receiveContract, "public", function (this: Tracker, ctx) {
        return receivePosts(this.room, ctx.params);
      }),
      handle(ofKindContract, "public", function (this: Tracker, ctx) {
        return trackedOfKind(this.room, ctx.params);
      }),
      handle(listSourcesContract, "published", function (this: Tracker, ctx) {
        return listSources(this.room, ctx.params);
      }),
      handle(listJoins, "published", function (this: Tracker, ctx) {
        return listJobs(this.room, ctx.params);
      }),
      handle(contract.pollSoon, "public", async function (this: Tracker, ctx) {
        const answer = await pollSoon(this.room, ctx.params);
        this.scheduler?.wake();
        return answer;
      }),
    ),
    ...mixin<Added>({
      events: {
        [keyDeleted.name](this: Tracker, ctx: Context<KeyDeleted>) {
          return forgetKeyOnce(this.room, this.leases, ctx.params.keyId);
        },
        // Now the other rooms of this process answer.
        "$broker.started"(this: Tracker) {
          this.joining?.wake();
          const { leases, closing, running, room, log, logger } = this;
          const upkept = { room, log, existing: existingThrough(this.broker), logger };
          running.push(keepUp(leases, signal => upkeep(upkept, signal), closing.signal));
        },
      },
      created() {
        this.closing = new AbortController();
        this.running = [];
      },
      async started() {
        const bearer = new Bearer(this.store.collection("tracker_bearers"), this.leases);
        this.room = openRoom(this.store, {
          log: this.log,
          leases: this.leases,
          tokens: bearer,
          closing: this.closing.signal,
          minIntervalMs: config.pollMinIntervalMs,
          look: lookThrough(this),
          letGo: source => call(this.broker, letGoContract, source, { timeout: letGoTimeoutMs }),
          onLooseEnd: source => void letGoSoon(this, source),
          onNotLetGo: (source, error) => this.logger.debug("source.not_let_go", { ...source, error }),
          onJoin: () => this.joining?.wake(),
          onFault: ({ _id, kind }, error) => this.logger.error("poll.broken", { source: _id, kind, error }),
        });
        const wake = () => {
          this.scheduler?.wake();
          this.joining?.wake();
        };
        this.living = { room: this.room, bearer, logger: this.logger, wake };
        await bearer.begin();
        await endDead(this.room, bearer);
        this.scheduler = polling(this.room, this.logger);
        this.scheduler.wake();
        this.joining = joining(
          this.room,
          platformsThrough(this.broker),
          () => this.scheduler?.wake(),
          error => this.logger.error("joining.broken", { error }),
        );
        this.running.push(live(this.living, this.closing.signal));
      },
      async stopped() {
        this.closing.abort(fail("overloaded", "The service is stopping; try again."));
        await Promise.all([this.scheduler?.stop(stopPatienceMs), this.joining?.stop(stopPatienceMs)]);
        await Promise.all(this.running);
        if (this.living) await leave(this.living);
      },
    }),
  };
}

export default (): ServiceSchema => trackerService(configFromEnv());

function lookThrough({ broker }: Tracker): Look {
  return ({ kind, externalId, failures }, state) =>
    call(broker, pollSource, { kind, externalId, state, failures }, { timeout: pollTimeoutMs });
}

/** What a platform does not let go of now it is told again later. */
async function letGoSoon({ room }: Tracker, source: Address): Promise<void> {
  try {
    await letGo(room, source);
  } catch (error) {
    room.onNotLetGo(source, error);
  }
}

/** 201 for what is new, to be polled for the first time soon; 200 for what was so already. */
function created<Answer>(
  { scheduler }: Tracker,
  ctx: Context<unknown, CallMeta>,
  { isNew, ...answer }: Answer & { isNew: boolean },
): Omit<Answer & { isNew: boolean }, "isNew"> {
  if (isNew) scheduler?.wake();
  ctx.meta.$statusCode = isNew ? 201 : 200;
  return answer;
}
