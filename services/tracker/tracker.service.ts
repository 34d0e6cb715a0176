import type { Context, Service, ServiceSchema } from "moleculer";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/log/log.mixin.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { actions, type CallMeta, call, handle } from "../contracts/action.ts";
import type { Caller } from "../contracts/caller.ts";
import { pollSource, resolveSource } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import { type KeyDeleted, keyDeleted } from "../contracts/events.ts";
import { existingKeys } from "../contracts/keys.contract.ts";
import { mixin } from "../contracts/mixin.ts";
import * as contract from "../contracts/tracker.contract.ts";
import { letGo } from "../contracts/websub.contract.ts";
import { findSources } from "./find-sources.ts";
import { type Existing, forgetGoneKeys } from "./forget-gone-keys.ts";
import { forgetKey } from "./forget-key.ts";
import { endLeases, type LeasedSource, leaseDue, nextDueAt } from "./lease.ts";
import { poll } from "./poll.ts";
import { pollSoon } from "./poll-soon.ts";
import { type Look, openRoom, type StoredSource, storeOptions, type TrackerRoom } from "./room.ts";
import { Scheduler } from "./scheduler.ts";
import { track } from "./track.ts";
import { untrack } from "./untrack.ts";

/** Polls at a time. They wait for others, and for their turn at a host, more than they work. */
const concurrency = 256;
/** Shorter than a lease. */
const pollTimeoutMs = 60_000;
const resolveTimeoutMs = 45_000;
const letGoTimeoutMs = 20_000;
const existingTimeoutMs = 5000;
const upkeepEveryMs = 600_000;
const stopPatienceMs = 5000;

interface Added extends WithStore<StoredSource>, WithLog {
  room: TrackerRoom;
  scheduler?: Scheduler<LeasedSource>;
  closing: AbortController;
  upkeep?: NodeJS.Timeout;
}

type Tracker = Service & Added;

/** The room of sources, who tracks them, and their polling. */
export function trackerService(config: Pick<Config, "dataDir" | "pollMinIntervalMs">): ServiceSchema {
  return {
    name: "tracker",
    mixins: [storeMixin(config, storeOptions), logMixin(config)],
    actions: actions(
      handle(contract.track, "published", async function (this: Tracker, ctx) {
        const { isNew, ...answer } = await track(this.room, callerOf(ctx), ctx.params, wanted =>
          call(ctx, resolveSource, wanted, { timeout: resolveTimeoutMs }),
        );
        if (isNew) this.scheduler?.wake();
        ctx.meta.$statusCode = isNew ? 201 : 200;
        return answer;
      }),
      handle(contract.untrack, "published", function (this: Tracker, ctx) {
        return untrack(this.room, callerOf(ctx), ctx.params);
      }),
      handle(contract.findSources, "published", function (this: Tracker, ctx) {
        return findSources(this.room, callerOf(ctx), ctx.params);
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
          return forgetKey(this.room, ctx.params.keyId);
        },
        // Now the other rooms of this process answer.
        "$broker.started"(this: Tracker) {
          return sweep(this);
        },
      },
      created() {
        this.closing = new AbortController();
      },
      async started() {
        this.room = openRoom(this.store, {
          log: this.log,
          minIntervalMs: config.pollMinIntervalMs,
          look: lookThrough(this),
          onLetGo: source => void letGoThrough(this, source),
          onFault: ({ _id, kind }, error) =>
            this.logger.error("poll.broken", { source: _id, kind, error: String(error) }),
        });
        await endLeases(this.room);
        this.scheduler = schedulerOf(this);
        this.scheduler.wake();
        void prune(this);
        this.upkeep = setInterval(() => keepUp(this), upkeepEveryMs).unref();
      },
      async stopped() {
        clearInterval(this.upkeep);
        this.closing.abort();
        await this.scheduler?.stop(stopPatienceMs);
      },
    }),
  };
}

export default (): ServiceSchema => trackerService(configFromEnv());

function callerOf(ctx: Context<unknown, CallMeta>): Caller {
  const { caller } = ctx.meta;
  if (!caller) throw fail("unauthorized", "This needs an API key.");
  return caller;
}

function lookThrough({ broker }: Tracker): Look {
  return ({ kind, externalId, failures }, state) =>
    call(broker, pollSource, { kind, externalId, state, failures }, { timeout: pollTimeoutMs });
}

/** What the connectors keep up for the source is theirs to end; what is not told now runs out by itself. */
async function letGoThrough(
  { broker, logger }: Tracker,
  { _id, kind, externalId }: StoredSource,
): Promise<void> {
  try {
    await call(broker, letGo, { kind, externalId }, { timeout: letGoTimeoutMs });
  } catch (error) {
    logger.debug("source.not_let_go", { source: _id, kind, error: String(error) });
  }
}

function schedulerOf({ room, logger }: Tracker): Scheduler<LeasedSource> {
  return new Scheduler(
    {
      take: max => leaseDue(room, max),
      nextAt: () => nextDueAt(room),
      run: async source => {
        const startedAt = performance.now();
        const outcome = await poll(room, source);
        const durationMs = Math.round(performance.now() - startedAt);
        logger.debug("source.polled", { source: source._id, kind: source.kind, outcome, durationMs });
      },
      onError: error => logger.error("polling.broken", { error: String(error) }),
      now: room.now,
    },
    concurrency,
  );
}

async function keepUp(room: Tracker): Promise<void> {
  await prune(room);
  await sweep(room);
}

/** What the hint of a deletion did not reach. */
async function sweep({ broker, room, closing, logger }: Tracker): Promise<void> {
  try {
    const existing: Existing = async ids =>
      (await call(broker, existingKeys, { ids }, { timeout: existingTimeoutMs })).ids;
    const keys = await forgetGoneKeys(room, existing, closing.signal);
    if (keys > 0) logger.info("keys.forgotten", { keys });
  } catch (error) {
    if (!closing.signal.aborted) logger.warn("keys.not_swept", { error: String(error) });
  }
}

async function prune({ log, logger }: Tracker): Promise<void> {
  try {
    const references = await log.prune(new Date());
    if (references > 0) logger.info("log.pruned", { references });
  } catch (error) {
    logger.error("log.prune.broken", { error: String(error) });
  }
}
