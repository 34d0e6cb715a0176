/** Milliseconds for which the pictures of a change are kept: as long as its event, and its deliveries are tried. */
export const pictureTtlMs = 4 * 24 * 60 * 60 * 1000;

/** Bytes of one picture of a watch; a larger one is not kept. */
export const maxPictureBytes = 16 * 1024 * 1024;

const maxChanges = 200;
/** Bytes for the pictures of one change, so that 256 MB last for the 200 that are kept. */
const bytesOfChange = (256 * 1024 * 1024) / maxChanges;

/**
 * How much of its share a watch has spent on pictures, in changes; one with larger pictures counts as several. The share
 * comes back evenly over the time for which pictures are kept. So twice the share is there at most at any time, and what the
 * last change went over it.
 */
export interface SpentShare {
  changes: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Whether the next change may have pictures. */
export function hasShareLeft(share: SpentShare | undefined, now: number): boolean {
  return spentNow(share, now) + 1 <= maxChanges;
}

/** The share after the pictures of one change, with their bytes. */
export function spend(share: SpentShare | undefined, bytes: number, now: number): SpentShare {
  return { changes: spentNow(share, now) + Math.max(1, bytes / bytesOfChange), at: now };
}

/** A clock that was set back gives nothing back. */
function spentNow(share: SpentShare | undefined, now: number): number {
  if (!share) return 0;
  const returned = (Math.max(0, now - share.at) / pictureTtlMs) * maxChanges;
  return Math.max(0, share.changes - returned);
}

/** The key of a picture of a watch names the source, whose keys may see it. */
export function pictureKey(blobKey: string, watchId: string): string {
  return `${blobKey}.${watchId}`;
}

/** A source is named by a UUID. */
const pattern = /^([^.]+)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** What the key of a picture names; null where it is of no watch. */
export function readPictureKey(key: string): { blobKey: string; watchId: string } | null {
  const [, blobKey, watchId] = pattern.exec(key) ?? [];
  return blobKey === undefined || watchId === undefined ? null : { blobKey, watchId };
}

/** Whether a picture is of this source, and of no other one from which its versions came. */
export function isPictureOf(key: string, watchId: string): boolean {
  return key.endsWith(`.${watchId}`);
}
