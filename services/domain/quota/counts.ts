import {
  type Amounts,
  endOf,
  labelOf,
  limitsOf,
  type QuotaName,
  type QuotaPeriod,
  type Quotas,
  type QuotaUse,
  quotaNames,
  startOf,
} from "./quotas.ts";

/** What a key has used in one period. */
interface PeriodCounts {
  /** The period, as `labelOf` writes it. */
  of: string;
  /** Open charges included. */
  used: Amounts;
  /** The notices of this period that are in the log: `pages 80`. */
  sent: string[];
}

/** A charge whose work has not ended, and the periods that it was charged to. */
interface OpenCharge {
  amounts: Amounts;
  day: string;
  month: string;
}

/**
 * What a key has used of its quotas. A piece of work is charged before it begins, under an id of its own, and the charge
 * stays open until the work has ended: a step that is repeated after a crash finds its charge and takes no second one.
 */
export interface QuotaCounts extends Record<QuotaPeriod, PeriodCounts> {
  open: { [id: string]: OpenCharge };
  /** The end of the key's log when its events were last counted. */
  seq?: number;
}

/** The counts at a time. A period that has ended begins again; a clock that is behind changes nothing. */
export function countsAt(counts: QuotaCounts | null, now: number): QuotaCounts {
  const at = (period: QuotaPeriod): PeriodCounts => {
    const label = labelOf(period, now);
    const known = counts?.[period];
    return known && known.of >= label ? known : { of: label, used: {}, sent: [] };
  };
  const month = at("month");
  return { ...counts, day: at("day"), month, open: openAfter(counts, month) };
}

/** Work that began before the last month will not be repeated any more. */
function openAfter(counts: QuotaCounts | null, month: PeriodCounts): QuotaCounts["open"] {
  if (!counts || counts.month.of === month.of) return counts?.open ?? {};
  const isKept = ([, charge]: [string, OpenCharge]) => charge.month >= counts.month.of;
  return Object.fromEntries(Object.entries(counts.open).filter(isKept));
}

/** A piece of work that is about to begin. */
export interface Charge {
  /** It does not change when the work is repeated. */
  id: string;
  amounts: Amounts;
}

/**
 * The counts with a charge. When a quota has too little left, the counts stay as they are, and `refused` is that quota;
 * of several the one that ends last.
 */
export function charge(
  counts: QuotaCounts,
  quotas: Quotas,
  { id, amounts }: Charge,
): { counts: QuotaCounts; refused?: QuotaUse } {
  if (Object.hasOwn(counts.open, id)) return { counts };
  const refused = usesOf(counts, quotas).findLast(
    ({ name, used, limit }) => (amounts[name] ?? 0) > 0 && used + (amounts[name] ?? 0) > limit,
  );
  if (refused) return { counts, refused };
  const { of: day } = counts.day;
  const { of: month } = counts.month;
  const charged = added(counts, amounts, 1);
  return { counts: { ...charged, open: { ...counts.open, [id]: { amounts, day, month } } } };
}

/** The counts after a piece of work has ended. What was not done is given back, if its period has not ended. */
export function settle(counts: QuotaCounts, id: string, isDone: boolean): QuotaCounts {
  const { [id]: known, ...open } = counts.open;
  if (!known) return counts;
  const settled = { ...counts, open };
  return isDone ? settled : added(settled, known.amounts, -1, known);
}

function added(
  counts: QuotaCounts,
  amounts: Amounts,
  sign: 1 | -1,
  only?: Pick<OpenCharge, QuotaPeriod>,
): QuotaCounts {
  const of = (period: QuotaPeriod): PeriodCounts => {
    const known = counts[period];
    if (only && only[period] !== known.of) return known;
    const used = { ...known.used };
    for (const name of quotaNames)
      if (amounts[name]) used[name] = (used[name] ?? 0) + sign * (amounts[name] ?? 0);
    return { ...known, used };
  };
  return { ...counts, day: of("day"), month: of("month") };
}

/** A key's log: its end, and the end at the beginning of each period. */
export type LogEnds = Record<"latest" | QuotaPeriod, number>;

/**
 * The counts with the events that the log has gained. Events have numbers without gaps, so their number is exact, and
 * nothing is charged when one is appended. The first time counts none: the key has had no quota before.
 */
export function countEvents(counts: QuotaCounts, ends: LogEnds): QuotaCounts {
  const { seq = ends.latest } = counts;
  if (counts.seq === ends.latest) return counts;
  const of = (period: QuotaPeriod): PeriodCounts => {
    const known = counts[period];
    const events = (known.used.events ?? 0) + ends.latest - Math.max(seq, ends[period]);
    return { ...known, used: { ...known.used, events } };
  };
  return { ...counts, day: of("day"), month: of("month"), seq: ends.latest };
}

/** When the periods of the counts began, in Unix milliseconds. */
export function startsOf(counts: QuotaCounts): Record<QuotaPeriod, number> {
  return { day: startOf(counts.day.of), month: startOf(counts.month.of) };
}

/** What is used of each quota, of the day first. */
export function usesOf(counts: QuotaCounts, quotas: Quotas): QuotaUse[] {
  return [...limitsOf(quotas)].map(({ period, name, limit }) => {
    const { of, used } = counts[period];
    const resets_at = new Date(endOf(period, of)).toISOString();
    return { name, period, used: used[name] ?? 0, limit, resets_at };
  });
}

/** A notice of a quota that the key has not had. */
export interface QuotaNotice {
  type: "quota.warning" | "quota.exceeded";
  quota: QuotaUse;
  /** Which notice it is among those of its period. */
  mark: string;
  /** The period, as `labelOf` writes it. */
  of: string;
}

const warningShare = 0.8;

/**
 * The notices that are due and not in the log: at 80 % and at 100 % of what has ended, or as soon as a quota has refused
 * something (`refused`). A key that passes both at once gets both.
 */
export function dueNotices(counts: QuotaCounts, quotas: Quotas, refused: readonly QuotaUse[]): QuotaNotice[] {
  return usesOf(counts, quotas).flatMap(quota => {
    const { name, period, limit, used } = quota;
    const { of, sent } = counts[period];
    const ended = used - openIn(counts, period, name);
    const isRefused = refused.some(each => each.name === name && each.period === period);
    const isOver = isRefused || (limit > 0 && ended >= limit);
    const isNear = limit > 0 && (isOver || ended >= warningShare * limit);
    const notices: QuotaNotice[] = [
      ...(isNear ? [{ type: "quota.warning" as const, quota, mark: `${name} 80`, of }] : []),
      ...(isOver ? [{ type: "quota.exceeded" as const, quota, mark: `${name} 100`, of }] : []),
    ];
    return notices.filter(({ mark }) => !sent.includes(mark));
  });
}

function openIn(counts: QuotaCounts, period: QuotaPeriod, name: QuotaName): number {
  let sum = 0;
  for (const { amounts, [period]: of } of Object.values(counts.open))
    if (of === counts[period].of) sum += amounts[name] ?? 0;
  return sum;
}

/** The counts once a notice is in the log. It is no event of the quota of events. */
export function markSent(counts: QuotaCounts, { quota: { period }, mark, of }: QuotaNotice): QuotaCounts {
  const known = counts[period];
  if (known.of !== of || known.sent.includes(mark)) return counts;
  const seq = counts.seq === undefined ? {} : { seq: counts.seq + 1 };
  return { ...counts, ...seq, [period]: { ...known, sent: [...known.sent, mark] } };
}
