type Json = Record<string, unknown>;

/** Bytes of a post as JSON; an event has some more around it and stays under 256 KB. */
const maxBytes = 200 * 1024;
/** Characters of a text at first and at last, and how many of them an entry of a list or an object counts for. */
const longest = 2 ** 17;
const shortest = 2 ** 5;
const charactersPerEntry = 16;

/** What an event tells of a post, its texts cut, and its lists where that is not enough, and marked, so that it fits. */
export function fitPost(data: Json): Json {
  if (bytesOf(data) <= maxBytes) return data;
  for (let size = longest; size >= shortest; size /= 2) {
    const cut = marked(shortened(data, size) as Json);
    if (bytesOf(cut) <= maxBytes) return cut;
  }
  return marked(Object.fromEntries(Object.keys(data).map(name => [name, {}])));
}

function shortened(value: unknown, size: number): unknown {
  const entries = size / charactersPerEntry;
  if (typeof value === "string") return value.slice(0, size).replace(/[\ud800-\udbff]$/, "");
  if (Array.isArray(value)) return value.slice(0, entries).map(each => shortened(each, size));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).slice(0, entries);
  return Object.fromEntries(kept.map(([name, each]) => [name, shortened(each, size)]));
}

function marked(data: Json): Json {
  return Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, { ...Object(part), truncated: true }]),
  );
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
