/**
 * The value with its longest parts cut, so that it takes at most `bytes` as JSON: texts and lists lose their ends, and
 * what is short beside them stays whole. Of an object with more names than fit nothing stays; undefined when nothing fits.
 */
export function fitJson(value: unknown, bytes: number): unknown {
  if (bytesOf(value) <= bytes) return value;
  if (bytes < 2) return undefined;
  if (typeof value === "string") return cutText(value, bytes);
  if (Array.isArray(value)) return cutList(value, bytes);
  return typeof value === "object" && value !== null ? fitObject(value, bytes) : undefined;
}

/** Bytes of a value as JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** The longest start that fits, whole characters only. */
function cutText(text: string, bytes: number): string {
  // A character takes a byte at the least.
  let [low, high] = [0, Math.min(text.length, bytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\ud800-\udbff]$/, "");
}

function cutList(list: unknown[], bytes: number): unknown[] {
  let left = bytes - 2;
  const end = list.findIndex(item => {
    left -= bytesOf(item) + 1;
    return left < 0;
  });
  return end < 0 ? list : list.slice(0, end);
}

/** What takes less than an equal share leaves more to the others. */
function fitObject(object: object, bytes: number): object {
  const fields = Object.entries(object).map(([name, value]) => ({ name, value, size: bytesOf(value) }));
  let left = bytes - 2 - fields.reduce((sum, { name }) => sum + bytesOf(name) + 2, 0);
  if (left < 0) return {};
  let others = fields.length;
  const fitted = new Map<string, unknown>();
  for (const { name, value, size } of fields.toSorted((a, b) => a.size - b.size)) {
    const share = Math.floor(left / others);
    fitted.set(name, size <= share ? value : fitJson(value, share));
    left -= Math.min(size, share);
    others -= 1;
  }
  const kept = fields.map(({ name }) => [name, fitted.get(name)]);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}
