import type { Charged, QuotaLeft } from "../../contracts/quotas.contract.ts";
import { type Charge, charge, countEvents, settle, startsOf, usesOf } from "../../domain/quota/counts.ts";
import { hasQuota, type QuotaUse } from "../../domain/quota/quotas.ts";
import type { KeysContext } from "../context.ts";

type Quotas = Pick<KeysContext, "keys" | "quotas" | "log">;

/** Charges pieces of work in their order, up to the first that a quota refuses. All of it is granted without quotas. */
export async function chargeQuotas(
  { quotas }: Quotas,
  keyId: string,
  charges: readonly Charge[],
): Promise<Charged> {
  const charged = await quotas.apply<Charged>(keyId, (before, limits) => {
    let counts = before;
    let refused: QuotaUse | undefined;
    const granted: string[] = [];
    for (const each of charges) {
      const taken = charge(counts, limits, each);
      ({ counts, refused } = { refused: undefined, ...taken });
      if (refused) break;
      granted.push(each.id);
    }
    const result = { granted, refused: refused ?? null, quotas: usesOf(counts, limits) };
    return { counts, result, refused };
  });
  return charged ?? { granted: charges.map(({ id }) => id), refused: null, quotas: [] };
}

/** Ends charges; of work that was not done it gives them back. */
export async function settleCharges(
  { quotas }: Quotas,
  keyId: string,
  ids: readonly string[],
  isDone: boolean,
): Promise<null> {
  await quotas.apply(keyId, counts => ({
    counts: ids.reduce((left, id) => settle(left, id, isDone), counts),
    result: null,
  }));
  return null;
}

/** Counts the events that the log of a key has gained, and notifies the key when a quota is nearly or quite used up. */
export async function countLog({ quotas, log }: Quotas, keyId: string): Promise<void> {
  const starts = await quotas.apply(keyId, (counts, limits) => ({
    counts,
    result: hasQuota(limits, "events") ? startsOf(counts) : undefined,
  }));
  if (!starts) return;
  const [{ latest }, day, month] = await Promise.all([
    log.bounds(keyId),
    log.positionAt(keyId, new Date(starts.day)),
    log.positionAt(keyId, new Date(starts.month)),
  ]);
  await quotas.apply(keyId, counts => {
    const now = startsOf(counts);
    // Another period has begun meanwhile: the next call counts by its beginning.
    const isSame = now.day === starts.day && now.month === starts.month;
    return { counts: isSame ? countEvents(counts, { latest, day, month }) : counts, result: null };
  });
}

/** What a key has used of its quotas; empty without quotas. */
export async function usesOfKey(context: Quotas, keyId: string): Promise<QuotaUse[]> {
  await countLog(context, keyId);
  const uses = await context.quotas.apply(keyId, (counts, limits) => ({
    counts,
    result: usesOf(counts, limits),
  }));
  return uses ?? [];
}

/** What a key has used of its quotas and what is left, for answers. */
export async function quotasLeft(context: Quotas, keyId: string): Promise<QuotaLeft[]> {
  const uses = await usesOfKey(context, keyId);
  return uses.map(use => ({ ...use, left: Math.max(0, use.limit - use.used) }));
}

/** The uses of some keys, without those that have no quota. */
export async function quotasOfKeys(
  context: Quotas,
  ids: readonly string[],
): Promise<{ keys: { id: string; quotas: QuotaUse[] }[] }> {
  const known = await context.keys.find({ query: { _id: { $in: [...ids] } } });
  const withQuotas = known.filter(({ quotas = {} }) => hasQuota(quotas));
  const keys = await Promise.all(
    withQuotas.map(async ({ _id: id }) => ({ id, quotas: await usesOfKey(context, id) })),
  );
  return { keys };
}

/** The keys that have quotas. */
export async function keysWithQuotas({ keys }: Quotas): Promise<{ ids: string[] }> {
  const values = await keys.valuesOf(["_id"], { hasQuotas: true });
  return { ids: values.map(([id]) => String(id)) };
}
