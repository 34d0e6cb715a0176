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
