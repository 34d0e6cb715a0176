import type { Context, Service, ServiceBroker, ServiceSchema } from "moleculer";
import { type Periodic, periodic } from "../../mixins/async/periodic.ts";
import { type Config, configFromEnv } from "../../mixins/config/config.ts";
import { loadCredentials } from "../../mixins/config/credentials.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { type LogEvent, logEvent } from "../../mixins/log/log-events.ts";
import { healthMixin } from "../../mixins/runtime/health.ts";
import { pruneClaims } from "../../mixins/store/idempotency.ts";
import { verifyMasterSecret } from "../../mixins/store/master-secret.ts";
import { scrubFolder } from "../../mixins/store/sqlite/scrub.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { type Action, actions, call } from "../contracts/action.ts";
import * as audit from "../contracts/audit.contract.ts";
import * as erasure from "../contracts/erasure.contract.ts";
import {
  type KeyChanged,
  type KeyDeleted,
  keyChanged,
  keyDeleted,
  type OwnerChanged,
  ownerChanged,
  type QuotasChanged,
  quotasChanged,
  type SessionEnded,
  sessionEnded,
} from "../contracts/events.ts";
import * as contract from "../contracts/keys.contract.ts";
import { countKeys } from "../contracts/overview.contract.ts";
import * as owners from "../contracts/owners.contract.ts";
import * as quotas from "../contracts/quotas.contract.ts";
import { operations, service } from "../contracts/service.ts";
import * as sessions from "../contracts/session.contract.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { allUsage } from "./all-usage.ts";
import {
  authenticate,
  createKey,
  deleteKey,
  existingKeys,
  keysWithUses,
  listMyKeys,
  setMessengerDefault,
  updateKey,
} from "./api-keys.ts";
import { keepAct, pruneActs, readActs } from "./audit.ts";
import { checkStore, ensureBootstrapKey } from "./bootstrap.ts";
import { type KeysContext, openContext, type StoredKey, storeOptions } from "./context.ts";
import { ErasureRunner, type ErasureSteps, getErasure, ownStep, startErasure } from "./erasures.ts";
import { listKeys } from "./key-lists.ts";
import { aboutMe, createOwnKey, deleteOwnKey, ownKeyUsage, renameOwnKey, revealKey } from "./own-keys.ts";
import {
  changePassword,
  createLink,
  listOwners,
  openOwnerSession,
  redeemLink,
  removePassword,
} from "./owners.ts";
import { chargeQuotas, keysWithQuotas, quotasOfKeys, settleCharges } from "./quotas/charges.ts";
import { QuotaWatch } from "./quotas/quota-watch.ts";
import {
  endSession,
  findCaller,
  findCallers,
  isSessionOpen,
  openKeySession,
  readLink,
  readSession,
  signLinks,
} from "./sessions.ts";
import { countUsage, keyUsage, pruneUsage } from "./usage.ts";

interface Keys extends WithStore<StoredKey>, WithLog {
  context: KeysContext;
  quotaWatch?: QuotaWatch;
  usagePruning?: Periodic;
  erasures?: ErasureRunner;
  pruning?: Periodic;
  stopping?: AbortController;
}

const pruneEveryMs = 3_600_000;

const { published, internal } = operations(({ context }: Keys) => context);

/** Services that know which keys say what they want content for hear of a new one. */
async function toldOf({ id, content_uses }: contract.AdminKeyRecord, ctx: Context): Promise<void> {
  if (content_uses) await ctx.broadcast(keyChanged.name, { keyId: id } satisfies KeyChanged);
}

/** What keys may do for themselves, and the administrator with all of them. */
const keyActions = [
  internal(contract.authenticate, (context, { key }) => authenticate(context, key)),
  internal(contract.revealKey, (context, _, { caller, ctx }) =>
    revealKey(context, caller.keyId, ctx.meta.acting === true),
  ),
  published(contract.listMyKeys, (context, _, { caller, ctx }) =>
    listMyKeys(context, caller.owner, ctx.meta.acting === true),
  ),
  published(contract.setMessengerDefaultKey, (context, { apiKeyId }, { caller }) =>
    setMessengerDefault(context, caller.owner, apiKeyId),
  ),
  published(contract.aboutMe, (context, _, { caller }) => aboutMe(context, caller.keyId, Date.now())),
  published(contract.myUsage, (context, { days }, { caller }) =>
    keyUsage(context, caller.keyId, days, Date.now()),
  ),
  published(contract.listKeys, listKeys),
  published(contract.createKey, async (context, wanted, { ctx }) => {
    const created = await createKey(context, wanted, { idempotencyKey: ctx.meta.idempotencyKey });
    await toldOf(created.data, ctx);
    if (wanted.quotas)
      await ctx.broadcast(quotasChanged.name, { keyId: created.data.id } satisfies QuotasChanged);
    return created;
  }),
  published(contract.updateKey, async (context, change, { ctx }) => {
    const updated = await updateKey(context, change);
    // This process hears it before the answer.
    await ctx.broadcast(keyChanged.name, { keyId: change.id } satisfies KeyChanged);
    if (change.quotas) await ctx.broadcast(quotasChanged.name, { keyId: change.id } satisfies QuotasChanged);
    return updated;
  }),
  published(contract.deleteKey, async (context, { id }, { ctx }) => {
    await deleteKey(context, id);
    await ctx.broadcast(keyDeleted.name, { keyId: id } satisfies KeyDeleted);
    return null;
  }),
  published(contract.keyUsage, (context, { id, days }) => keyUsage(context, id, days, Date.now())),
  published(contract.allUsage, (context, { days }) => allUsage(context, days, Date.now())),
];

/** Owners, for the administrator, and what an owner who signed in does with its own keys. */
const ownerActions = [
  published(owners.listOwners, listOwners),
  published(owners.createLink, (context, { owner }) => createLink(context, owner, Date.now())),
  published(owners.removePassword, async (context, { owner }, { ctx }) => {
    await removePassword(context, owner);
    await ctx.broadcast(ownerChanged.name, { owner } satisfies OwnerChanged);
    return null;
  }),
  published(owners.listOwnKeys, (context, page, { owner }) => listKeys(context, { ...page, owner })),
  published(owners.createOwnKey, async (context, wanted, { owner, ctx }) => {
    const created = await createOwnKey(context, owner, wanted, ctx.meta.idempotencyKey);
    await toldOf(created.data, ctx);
    return created;
  }),
  published(owners.renameOwnKey, async (context, change, { owner, ctx }) => {
    const updated = await renameOwnKey(context, owner, change);
    await ctx.broadcast(keyChanged.name, { keyId: change.id } satisfies KeyChanged);
    return updated;
  }),
  published(owners.deleteOwnKey, async (context, { id }, { owner, ctx }) => {
    await deleteOwnKey(context, owner, id);
    await ctx.broadcast(keyDeleted.name, { keyId: id } satisfies KeyDeleted);
    return null;
  }),
  published(owners.ownKeyUsage, (context, of, { owner }) => ownKeyUsage(context, owner, of, Date.now())),
];

/** The gateway calls these for those who sign in. */
const sessionActions = [
  internal(sessions.openKeySession, (context, { key }) => openKeySession(context, key, Date.now())),
  internal(sessions.openOwnerSession, (context, credentials) =>
    openOwnerSession(context, credentials, Date.now()),
  ),
  internal(sessions.redeemLink, async (context, link, { ctx }) => {
    const { owner, opened } = await redeemLink(context, link, Date.now());
    await ctx.broadcast(ownerChanged.name, { owner } satisfies OwnerChanged);
    return opened;
  }),
  internal(sessions.changePassword, async (context, change, { ctx }) => {
    const changed = await changePassword(context, change, Date.now());
    if (!changed) return null;
    await ctx.broadcast(ownerChanged.name, { owner: changed.owner } satisfies OwnerChanged);
    return changed.opened;
  }),
  internal(sessions.isSessionOpen, (context, { name }) => isSessionOpen(context, name)),
  internal(sessions.endSession, async (context, end, { ctx }) => {
    await endSession(context, end, Date.now());
    await ctx.broadcast(sessionEnded.name, end satisfies SessionEnded);
    return null;
  }),
  internal(sessions.readSession, (context, { token }) => readSession(context, token, Date.now())),
  internal(sessions.findCaller, (context, { id }) => findCaller(context, id)),
  internal(sessions.findCallers, (context, { ids }) => findCallers(context, ids)),
  internal(sessions.signLinks, (context, { paths, expires }, { caller }) =>
    signLinks(context, caller, paths, expires),
  ),
  internal(sessions.readLink, readLink),
];

/** The gateways keep here what people and keys do. */
const auditActions = [
  internal(audit.keepAct, keepAct),
  published(audit.listActs, (context, wanted) => readActs(context, wanted, "newest first")),
  internal(audit.readActs, (context, wanted) => readActs(context, wanted, "oldest first")),
];

/** Services charge their work to the quotas of keys. */
const quotaActions = [
  internal(quotas.chargeQuotas, (context, { keyId, charges }) => chargeQuotas(context, keyId, charges)),
  internal(quotas.settleCharges, (context, { keyId, ids, isDone }) =>
    settleCharges(context, keyId, ids, isDone),
  ),
  internal(quotas.keysWithQuotas, keysWithQuotas),
  internal(quotas.quotasOfKeys, (context, { ids }) => quotasOfKeys(context, ids)),
];

const { published: erasing } = operations((keys: Keys) => keys);

const erasureActions = [
  erasing(erasure.startErasure, async ({ context, erasures }, wanted) => {
    const started = await startErasure(context, wanted);
    erasures?.wake();
    return started;
  }),
  published(erasure.getErasure, ({ erasures }, { id }) => getErasure(erasures, id)),
];

/** Longer than one step takes; a step that is cut off is repeated. */
const stepTimeoutMs = 110_000;

/** In the order in which they erase. */
function erasureSteps(context: KeysContext, broker: ServiceBroker): ErasureSteps {
  const asked = (part: Action<erasure.ErasureOf, erasure.ErasureCounts>) => (of: erasure.ErasureOf) =>
    call(broker, part, of, { timeout: stepTimeoutMs });
  const deleted = (keyId: string) => broker.broadcast(keyDeleted.name, { keyId } satisfies KeyDeleted);
  return {
    keys: ownStep(context, deleted),
    deliveries: asked(erasure.eraseDeliveries),
    crawls: asked(erasure.eraseCrawls),
    scrapes: asked(erasure.eraseScrapes),
    tracked: asked(erasure.eraseTracked),
  };
}

/** Owners, their API keys, and the limits, quotas and usage of each key. `now` is the clock of quotas and of the ends of keys. */
export function keysService(config: Config, now: () => number = Date.now): ServiceSchema {
  return service<Keys>({
    name: "keys",
    mixins: [
      storeMixin(config, storeOptions),
      logMixin(config),
      healthMixin("keys", async ({ context, logger }: Service & Keys) => [
        await checkStore(context, error => logEvent(logger, "key_store.failed", { error })),
      ]),
    ],
    actions: actions(
      ...keyActions,
      ...ownerActions,
      ...sessionActions,
      ...quotaActions,
      ...erasureActions,
      ...auditActions,
      internal(contract.keysWithUses, keysWithUses),
      internal(contract.existingKeys, (context, { ids }) => existingKeys(context, ids)),
      internal(countKeys, async ({ keys }) => ({ keys: await keys.count() })),
      internal(contract.sealText, ({ vault }, { id, text }) => vault.sealText(text, id)),
      internal(contract.unsealText, ({ vault }, { id, sealed }) => vault.unsealText(sealed, id)),
      internal(contract.countUsage, (context, { counts }) => countUsage(context, counts)),
    ),
    events: {
      [quotasChanged.name](ctx: { params: QuotasChanged }) {
        return this.quotaWatch?.changed(ctx.params.keyId);
      },
      // From here on the other services of this process answer.
      "$broker.started"(this: Service & Keys) {
        this.erasures?.wake();
      },
    },
    async started() {
      const credentials = loadCredentials(config, generateKey);
      const { masterSecret } = credentials;
      const { store: keys, log } = this;
      const onError = (event: LogEvent, error: unknown) => logEvent(this.logger, event, { error });
      this.context = openContext({
        keys,
        log,
        masterSecret,
        keysPerOwner: config.keysPerOwner,
        now,
        onError,
      });
      await verifyMasterSecret(this.context.facts, credentials.masterSecret);
      await ensureBootstrapKey(this.context, credentials.bootstrapApiKey);
      const prune = () => pruneUsage(this.context, now() - config.usageRetentionMs);
      this.usagePruning = periodic(prune, {
        everyMs: 3_600_000,
        onError: error => onError("usage_cleanup.failed", error),
        startsAtOnce: true,
      });
      this.erasures = new ErasureRunner({
        ...{ erasures: this.context.erasures, steps: erasureSteps(this.context, this.broker), now: Date.now },
        scrub: () => (config.cluster ? Promise.resolve() : scrubFolder(config.dataDir)),
        onError: error => onError("erasure.failed", error),
      });
      this.quotaWatch = new QuotaWatch(this.context, error => onError("quota_count.failed", error));
      const stopping = new AbortController();
      this.stopping = stopping;
      this.pruning = periodic(
        async () => {
          await pruneClaims(this.context.claims, Date.now());
          await pruneActs(this.context, now() - config.auditRetentionMs, stopping.signal);
        },
        {
          everyMs: pruneEveryMs,
          startsAtOnce: true,
          onError: error => onError("audit_prune.failed", error),
        },
      );
    },
    async stopped() {
      await this.erasures?.stop();
      this.stopping?.abort();
      await this.pruning?.stop();
      await this.quotaWatch?.stop();
      await this.usagePruning?.stop();
    },
  });
}

export default (): ServiceSchema => keysService(configFromEnv());
