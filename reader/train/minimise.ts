/** The value of a function, whose slope is written into `slope`. */
export type Slope = (at: Float64Array, slope: Float64Array) => number;

const memory = 7;

/**
 * Goes down a smooth function from zero, some steps long (L-BFGS, Liu and Nocedal 1989), each half as long until the
 * function falls. The result depends on nothing else.
 */
export function minimise(size: number, steps: number, valueAt: Slope): Float64Array {
  let at: Float64Array = new Float64Array(size);
  let slope: Float64Array = new Float64Array(size);
  let value = valueAt(at, slope);
  const past: { moved: Float64Array; turned: Float64Array; share: number }[] = [];
  for (let step = 0; step < steps; step++) {
    const way = descent(slope, past);
    const fall = dot(way, slope);
    let length = step === 0 ? 1 / Math.max(1e-12, Math.sqrt(dot(slope, slope))) : 1;
    let next = moved(at, way, length);
    let nextSlope: Float64Array = new Float64Array(size);
    let nextValue = valueAt(next, nextSlope);
    for (let tries = 0; nextValue > value + 1e-4 * length * fall && tries < 20; tries++) {
      length /= 2;
      next = moved(at, way, length);
      nextSlope = new Float64Array(size);
      nextValue = valueAt(next, nextSlope);
    }
    if (!(nextValue < value)) break;
    const change = { moved: difference(next, at), turned: difference(nextSlope, slope) };
    const product = dot(change.moved, change.turned);
    if (product > 1e-12) past.push({ ...change, share: 1 / product });
    if (past.length > memory) past.shift();
    [at, slope, value] = [next, nextSlope, nextValue];
  }
  return at;
}

/** The way down, by what is known of how the slope turns. */
function descent(
  slope: Float64Array,
  past: readonly { moved: Float64Array; turned: Float64Array; share: number }[],
): Float64Array {
  const way = slope.map(each => -each);
  const parts: number[] = [];
  for (let at = past.length - 1; at >= 0; at--) {
    const { moved, turned, share } = past[at]!;
    parts[at] = share * dot(moved, way);
    add(way, turned, -parts[at]!);
  }
  const last = past.at(-1);
  if (last !== undefined) {
    const scale = 1 / (last.share * dot(last.turned, last.turned));
    for (let at = 0; at < way.length; at++) way[at]! *= scale;
  }
  past.forEach(({ moved, turned, share }, at) => {
    add(way, moved, parts[at]! - share * dot(turned, way));
  });
  return way;
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!;
  return sum;
}

function add(to: Float64Array, what: Float64Array, times: number): void {
  for (let at = 0; at < to.length; at++) to[at]! += times * what[at]!;
}

function moved(from: Float64Array, way: Float64Array, length: number): Float64Array {
  return from.map((each, at) => each + length * way[at]!);
}

function difference(left: Float64Array, right: Float64Array): Float64Array {
  return left.map((each, at) => each - right[at]!);
}
