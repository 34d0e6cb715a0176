/** A run by `TEST_LENGTH=long npm run test:unit`, for a night: random walks from many seeds, hostile pages in full size. */
export const isLong = process.env.TEST_LENGTH === "long";

/** A size that tells linear from quadratic, and the full one for long runs. */
export function sizeOf(short: number, long: number): number {
  return isLong ? long : short;
}

/** From 1 on. */
export function seeds(short: number, long: number): number[] {
  return Array.from({ length: sizeOf(short, long) }, (_, at) => at + 1);
}
