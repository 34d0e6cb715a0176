import { createHash } from "node:crypto";

type Block = [key: string, flips: number, poll: number, shown: 0 | 1];

/** The rotating blocks of a page, as its polls found them. JSON, at most some 10 KB. */
export interface Rotation {
  /** Polls so far. */
  poll: number;
  /** Blocks that appeared or disappeared recently: how often, at which poll last, and whether they are shown now. */
  blocks: Block[];
  /** The order of the other blocks, where it changed recently. */
  order?: { hash: string; flips: number; poll: number };
}

/** What comparisons of a page ignore for now. */
export interface IgnoredBlocks {
  isRotating(key: string): boolean;
  isShuffled: boolean;
}

const nothingIgnored: IgnoredBlocks = { isRotating: () => false, isShuffled: false };

/** A block that flips this often within a few polls is rotating; a price that changes and changes back is not. */
const minFlips = 4;
/** The most polls in a row that a rotating block is shown, and that it is hidden. */
const maxPollsShown = 2;
const maxPollsHidden = 5;
/** Polls after which a rotating block counts again, because it stays, or is gone for good. */
const pollsUntilSettled = 10;
const pollsUntilForgotten = 30;
const maxBlocks = 300;

/**
 * Adds one poll. `published` are the blocks, in the form in which they are compared, of the page version that was published
 * last; `current` those of this poll.
 */
export function trackRotation(
  rotation: Rotation | undefined,
  published: string[],
  current: string[],
): Rotation | undefined {
  const poll = (rotation?.poll ?? 0) + 1;
  const [before, now] = [hashesOf(published), hashesOf(current)];
  const known = new Map((rotation?.blocks ?? []).map(block => [block[0], block]));
  const blocks = [...new Set([...known.keys(), ...before, ...now])]
    .map(key => trackBlock(known.get(key) ?? [key, 0, 0, before.has(key) ? 1 : 0], now.has(key), poll))
    .filter(block => block !== undefined)
    .sort((a, b) => b[2] - a[2])
    .slice(0, maxBlocks);
  const order = trackOrder(
    { poll, blocks, ...(rotation?.order && { order: rotation.order }) },
    published,
    current,
  );
  return blocks.length > 0 || order ? { poll, blocks, ...(order && { order }) } : undefined;
}

/** Whether nothing rotates: what is kept are changes of late, which may be the first of a rotation. */
export function isAtRest(rotation: Rotation | undefined): boolean {
  const { blocks = [], order } = rotation ?? {};
  return blocks.every(([, flips]) => flips < minFlips) && (order?.flips ?? 0) < minFlips;
}

/** A rotation after further polls of the same page: `trackRotation` so many times, without the page. */
export function restRotation(rotation: Rotation, polls: number): Rotation | undefined {
  const poll = rotation.poll + polls;
  const blocks = rotation.blocks.filter(block => trackBlock(block, block[3] === 1, poll) !== undefined);
  const order = rotation.order && poll - rotation.order.poll < pollsUntilSettled ? rotation.order : undefined;
  return blocks.length > 0 || order ? { poll, blocks, ...(order && { order }) } : undefined;
}

function trackBlock([key, flips, at, shown]: Block, isShown: boolean, poll: number): Block | undefined {
  const lasted = poll - at;
  if (isShown === (shown === 1))
    return flips > 0 && lasted < (isShown ? pollsUntilSettled : pollsUntilForgotten)
      ? [key, flips, at, shown]
      : undefined;
  const isQuick = flips >= minFlips || lasted <= (isShown ? maxPollsHidden : maxPollsShown);
  return [key, isQuick ? flips + 1 : 1, poll, isShown ? 1 : 0];
}

function trackOrder(rotation: Rotation, published: string[], current: string[]): Rotation["order"] {
  const { isRotating } = ignoredBlocks(rotation);
  const [before, now] = [published, current].map(keys => keys.filter(key => !isRotating(key)));
  const { poll, order } = rotation;
  const hash = hashOf(now?.join("\n") ?? "");
  const last = order?.hash ?? hashOf(before?.join("\n") ?? "");
  const isMove = hash !== last && before?.sort().join("\n") === now?.sort().join("\n");
  if (!isMove) return order && poll - order.poll < pollsUntilSettled ? { ...order, hash } : undefined;
  const isQuick = order !== undefined && (order.flips >= minFlips || poll - order.poll <= maxPollsShown);
  return { hash, flips: isQuick ? order.flips + 1 : 1, poll };
}

export function ignoredBlocks(rotation: Rotation | undefined): IgnoredBlocks {
  if (rotation === undefined) return nothingIgnored;
  const rotating = new Set(rotation.blocks.filter(([, flips]) => flips >= minFlips).map(([key]) => key));
  return {
    isRotating: key => rotating.size > 0 && rotating.has(hashOf(key)),
    isShuffled: (rotation.order?.flips ?? 0) >= minFlips,
  };
}

/** Whether a block has come or gone lately. */
export function isTracked(rotation: Rotation | undefined): (key: string) => boolean {
  const known = new Set(rotation?.blocks.map(([key]) => key));
  return key => known.size > 0 && known.has(hashOf(key));
}

function hashesOf(keys: string[]): Set<string> {
  return new Set(keys.filter(key => key !== "").map(hashOf));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
