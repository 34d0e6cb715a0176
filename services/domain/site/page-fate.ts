/**
 * What becomes of a page of a site, over its visits. `new`: never read; `there`; `missing`: it was there and is not found,
 * which another visit confirms; `removed`, `moved`; `refused`: robots.txt or its own wish keeps us out; `alias`: another
 * address of a page.
 */
export type FateState = "new" | "there" | "missing" | "removed" | "moved" | "refused" | "alias";

/** An address to which a page leads in place of itself. */
export interface Target {
  key: string;
  url: string;
  /** Pages of the site may be there. */
  isInScope: boolean;
  /** It is the entry page, or other pages have led there of late. */
  isShared: boolean;
}

/** What a visit found. `gone`: 404 or 410; `empty`: a page that says that nothing is there; `failed`: nothing was learned. */
export type FoundAt =
  | { is: "page" | "gone" | "empty" | "refused" | "failed" }
  | { is: "redirect"; isPermanent: boolean; to: Target }
  | { is: "canonical"; to: Target };

/** Since when a page is missing, how that shows, and where it leads. Times in milliseconds since the epoch. JSON. */
export interface Missing {
  since: number;
  by: "gone" | "other";
  /** Since when it answers 404 or 410 without a break. */
  goneSince?: number;
  /** The key of the address to which it leads, and since when. */
  to?: string;
  toSince?: number;
}

export interface PageFate {
  state: FateState;
  /** Present of a missing page. */
  missing?: Missing;
}

/** What a visit makes of a page. */
export interface FateStep extends PageFate {
  tell?: "added" | "removed" | "moved";
  /** Where it went, of `moved` and `alias`. */
  to?: Target;
  /** The page is to be visited again after this time, whatever its pace. */
  dueInMs?: number;
  /** Pages of the sample are to be visited, and `nextFate` asked again with what they say. */
  wantsWitness?: true;
}

interface Circumstances {
  /** When the visit began. */
  at: number;
  /** The baseline has ended: what comes and goes is told. */
  isTold: boolean;
  /** What other pages said since this one is missing (`witnessOf`). */
  witness: Witness;
  /** When the last round began (ms): a page that has moved is found by it at its new address. */
  roundAt: number;
  /** Other pages are due: the one where it is now may be among them. */
  isSearching: boolean;
}

/** Whether other pages are there; `none`: too few were visited since. */
export type Witness = "there" | "missing" | "none";

/** A 404 is confirmed after half a minute, all other absence after an hour. */
const [goneMs, hourMs] = [30_000, 60 * 60 * 1000];
/** While most pages are missing the site fails; what is missing for so long is gone all the same. */
const mostHeldMs = 3 * 24 * hourMs;

export function nextFate(fate: PageFate, found: FoundAt, now: Circumstances): FateStep {
  if (found.is === "failed") return fate;
  if (found.is === "page") return pageFound(fate, now);
  if (isUnread(fate.state)) return neverThere(fate, found);
  if (found.is === "canonical") return isMoveAtOnce(found.to) ? moved(found.to, now) : pageFound(fate, now);
  if (isPermanentMove(found) && now.witness === "there") return moved(found.to, now);
  return absent(missingNow(fate.missing, found, now.at), found, now);
}

/** Whether a page was not read when it was visited last. */
export function isUnread(state: FateState): boolean {
  return state !== "there" && state !== "missing";
}

function pageFound({ state }: PageFate, { isTold }: Circumstances): FateStep {
  return { state: "there", ...(isUnread(state) && isTold && { tell: "added" }) };
}

/** A page that is not read now and was not before: nothing is told. */
function neverThere({ state }: PageFate, found: FoundAt): FateStep {
  if (found.is === "refused") return { state: "refused" };
  if (state === "moved") return { state };
  if (found.is === "canonical" || found.is === "redirect") return { state: "alias", to: found.to };
  return { state: state === "new" ? "removed" : state };
}

function isMoveAtOnce({ isInScope, isShared }: Target): boolean {
  return isInScope && !isShared;
}

function isPermanentMove(found: FoundAt): found is Extract<FoundAt, { is: "redirect" }> {
  return found.is === "redirect" && found.isPermanent && isMoveAtOnce(found.to);
}

function moved(to: Target, { isTold }: Circumstances): FateStep {
  return { state: "moved", to, ...(isTold && { tell: "moved" }) };
}

function missingNow(before: Missing | undefined, found: FoundAt, at: number): Missing {
  const isGone = found.is === "gone";
  const to = found.is === "redirect" ? found.to.key : undefined;
  return {
    since: before?.since ?? at,
    by: isGone ? "gone" : "other",
    ...(isGone && { goneSince: before?.goneSince ?? at }),
    ...(to !== undefined && { to, toSince: before?.to === to ? (before.toSince ?? at) : at }),
  };
}

function absent(missing: Missing, found: FoundAt, now: Circumstances): FateStep {
  const { at, isTold, witness, roundAt, isSearching } = now;
  const { since, goneSince = at, toSince = at } = missing;
  const wait = (untilMs: number): FateStep => ({
    state: "missing",
    missing,
    dueInMs: Math.max(0, untilMs - at),
  });
  const isOld = at - since >= hourMs;
  const isConfirmed = isOld || (found.is === "gone" && at - goneSince >= goneMs);
  if (isPermanentMove(found) && witness === "none") return { ...wait(at + goneMs), wantsWitness: true };
  if (!isConfirmed) return wait(found.is === "gone" ? goneSince + goneMs : since + hourMs);
  if (!isOld && (roundAt < since || isSearching)) return wait(at + goneMs);
  if (witness === "none" && at - since < mostHeldMs) return { ...wait(at + goneMs), wantsWitness: true };
  if (witness === "missing" && at - since < mostHeldMs) return wait(isOld ? at + hourMs / 2 : since + hourMs);
  if (found.is === "redirect" && isMoveAtOnce(found.to))
    return at - toSince >= hourMs ? moved(found.to, now) : wait(toSince + hourMs);
  const state = found.is === "refused" ? "refused" : "removed";
  return { state, ...(isTold && { tell: "removed" }) };
}

/**
 * What a page that is missing makes of a new one with the same content: it has `moved` there; the new one is a `copy` where
 * it is still there; and it is visited first where it was not since the new one was found.
 */
export function twinFate(
  twin: { state: FateState; visitedAt?: number },
  foundAt: number,
): "visit" | "moved" | "copy" {
  if (twin.state === "missing") return "moved";
  return twin.state === "there" && (twin.visitedAt ?? 0) < foundAt ? "visit" : "copy";
}
