import { openPdf, type Page } from "./pdf-source.ts";

/** A page as a picture, in shades of grey, a byte each, row by row from the top. */
export interface PageImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/** Pixels of one picture in a page, and of a page as it is recognised. A page of A4 at 300 dpi has 8.7 million. */
const maxPixels = 24_000_000;
const maxPagePixels = 10_000_000;
const maxPictures = 200;
/** The part of a page that its pictures cover, at least, to be all of it. */
const minCovered = 0.4;

/** The picture that a page without text consists of, as it is shown; undefined where there is none. CPU-bound. */
export async function scanOf(bytes: Uint8Array, number: number): Promise<PageImage | undefined> {
  const pdf = await openPdf(bytes, maxPixels);
  try {
    const page = await pdf.getPage(number);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const pictures = await picturesOf(page, transform as Matrix);
    const covered = pictures.reduce((sum, { matrix: [a, b, c, d] }) => sum + Math.abs(a * d - b * c), 0);
    if (covered < minCovered * width * height) return undefined;
    return drawn(pictures, { width, height });
  } finally {
    await pdf.loadingTask.destroy();
  }
}

type Matrix = [number, number, number, number, number, number];

interface Picture {
  /** From the unit square, whose origin is below, to the page. */
  matrix: Matrix;
  width: number;
  height: number;
  /** How light a pixel is, 0 to 255; undefined where it is not painted. */
  shade(x: number, y: number): number | undefined;
}

/** The pictures that a page paints, in that order. */
async function picturesOf(page: Page, viewport: Matrix): Promise<Picture[]> {
  // The document is open, so the package has made what this module needs at its start.
  const { OPS } = await import("unpdf/pdfjs");
  const { fnArray, argsArray } = await page.getOperatorList();
  const found: Picture[] = [];
  const saved: Matrix[] = [];
  let matrix = viewport;
  for (const [at, operator] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as unknown[];
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) saved.push(matrix);
    if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix;
    if (operator === OPS.transform) matrix = multiply(matrix, args as Matrix);
    if (operator === OPS.paintFormXObjectBegin && Array.isArray(args[0]))
      matrix = multiply(matrix, args[0] as Matrix);
    const isPicture = operator === OPS.paintImageXObject || operator === OPS.paintInlineImageXObject;
    if ((!isPicture && operator !== OPS.paintImageMaskXObject) || found.length >= maxPictures) continue;
    const picture = pictureOf(await dataOf(page, args[0]), matrix, !isPicture);
    if (picture) found.push(picture);
  }
  return found;
}

function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [
    ...[a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j],
    ...[a * k + c * l + e, b * k + d * l + f],
  ] as Matrix;
}

interface PictureData {
  width?: number;
  height?: number;
  /** 1: a bit a pixel, 2: RGB, 3: RGBA. */
  kind?: number;
  data?: Uint8Array | Uint8ClampedArray | string | null;
}

/** The data of a picture, which stand in the operation or under a name. */
async function dataOf(page: Page, argument: unknown): Promise<PictureData | undefined> {
  const named = typeof argument === "string" ? argument : (Object(argument) as PictureData).data;
  if (typeof named !== "string") return argument as PictureData;
  const objects = named.startsWith("g_") ? page.commonObjs : page.objs;
  const found = await new Promise<unknown>(resolve => objects.get(named, resolve));
  return found === null ? undefined : (found as PictureData);
}

function pictureOf(found: PictureData | undefined, matrix: Matrix, isMask: boolean): Picture | undefined {
  const { width = 0, height = 0, kind = 1, data } = found ?? {};
  if (!data || typeof data === "string" || width < 1 || height < 1) return undefined;
  const rowBytes = (width + 7) >> 3;
  const bit = (x: number, y: number) => ((data[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
  // A mask paints where its bits are 0.
  if (isMask) return { matrix, width, height, shade: (x, y) => (bit(x, y) === 0 ? 0 : undefined) };
  if (kind === 1) return { matrix, width, height, shade: (x, y) => 255 * bit(x, y) };
  const bytes = kind === 2 ? 3 : 4;
  const shade = (x: number, y: number) => {
    const at = (y * width + x) * bytes;
    return Math.round(0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0));
  };
  return { matrix, width, height, shade };
}

/** Paints the pictures over one another, as fine as the finest of them, within the bound. */
function drawn(pictures: Picture[], page: { width: number; height: number }): PageImage {
  const finest = pictures.reduce(
    (most, { width, matrix: [a, b] }) => Math.max(most, width / Math.hypot(a, b)),
    1,
  );
  const scale = Math.min(finest, Math.sqrt(maxPagePixels / (page.width * page.height)));
  const [width, height] = [Math.round(page.width * scale), Math.round(page.height * scale)];
  const image: PageImage = { width, height, pixels: new Uint8Array(width * height).fill(255) };
  for (const picture of pictures) paint(picture, image, scale);
  return image;
}

function paint({ matrix, width, height, shade }: Picture, image: PageImage, scale: number): void {
  const [a, b, c, d, e, f] = matrix.map(each => each * scale) as Matrix;
  const area = a * d - b * c;
  if (Math.abs(area) < 1) return;
  const [xs, ys] = [
    [e, e + a, e + c, e + a + c],
    [f, f + b, f + d, f + b + d],
  ];
  const [left, right] = [
    Math.max(0, Math.floor(Math.min(...xs))),
    Math.min(image.width, Math.ceil(Math.max(...xs))),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(Math.min(...ys))),
    Math.min(image.height, Math.ceil(Math.max(...ys))),
  ];
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f];
      const [u, v] = [(d * dx - c * dy) / area, (a * dy - b * dx) / area];
      if (u < 0 || u >= 1 || v < 0 || v >= 1) continue;
      const light = shade(Math.floor(u * width), Math.floor((1 - v) * height));
      if (light !== undefined) image.pixels[y * image.width + x] = light;
    }
}
