import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** Pixels of a picture that is compared: three times its bytes are in memory. */
const maxPixels = 24_000_000;
/** How far colours may be apart, from 0 to 1: fonts are not drawn alike twice. */
const threshold = 0.1;

/**
 * A picture of what differs between two pictures (PNG): the second one in pale grey, and in red where they differ. The
 * smaller one is padded, so that what is new at the end is red. Null when they are too large.
 */
export function pictureDifference(before: Uint8Array, after: Uint8Array): Uint8Array | null {
  if (pixelsOf(before) > maxPixels || pixelsOf(after) > maxPixels) return null;
  const [old, current] = [PNG.sync.read(Buffer.from(before)), PNG.sync.read(Buffer.from(after))];
  const width = Math.max(old.width, current.width);
  const height = Math.max(old.height, current.height);
  if (width * height > maxPixels) return null;
  const difference = new PNG({ width, height });
  const [first, second] = [padded(old, width, height), padded(current, width, height)];
  pixelmatch(first.data, second.data, difference.data, width, height, { threshold, includeAA: false });
  return PNG.sync.write(difference);
}

/** Its header has the size (ISO/IEC 15948, 11.2.2); nothing is decoded for it. */
function pixelsOf(picture: Uint8Array): number {
  const view = new DataView(picture.buffer, picture.byteOffset, picture.byteLength);
  return view.getUint32(16) * view.getUint32(20);
}

function padded(picture: PNG, width: number, height: number): PNG {
  if (picture.width === width && picture.height === height) return picture;
  const larger = new PNG({ width, height });
  PNG.bitblt(picture, larger, 0, 0, picture.width, picture.height, 0, 0);
  return larger;
}
