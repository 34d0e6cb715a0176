import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Binary, Collection, Filter } from "mongodb";
import { type Mongo, withDeadline } from "../cluster/mongo.ts";
import { type Blobs, keyInGroup } from "../store/blobs/blobs.ts";
import { type Base, type Link, type Packed, pack, unpack } from "./contents.ts";

/** Compressed bytes that a document holds; larger contents are blobs. */
const mostInline = 64 * 1024;
/**
 * Milliseconds in which a process writes the version for which it has touched a content. A content that was touched within
 * this time is not removed, unless it is known that no such process is at work.
 */
export const graceMs = 15 * 60_000;
const blobOwner = "history";
const blobGroup = "history";
const contentType = "application/zstd";

/** `_id` is the hash. */
interface StoredContent extends Link {
  _id: string;
  base?: string;
  /** The hash of the first content of the chain in which it was packed. */
  chain: string;
  bytes: number;
  data?: Binary | Buffer;
  /** The key of the blob that a large one is in. */
  blob?: string;
  /** The time on the clock of MongoDB since which it may be that no version refers to it, or not yet. */
  doubtedAt?: Date;
  /** The token of who doubts it, while nobody has touched it since. */
  doubtedBy?: string;
}

/** A blob is noted here before it is written, and until it is removed. `_id` is its key. */
interface StoredBlob {
  _id: string;
  hash: string;
  doubtedAt?: Date;
}

interface Place {
  contents: Collection<StoredContent>;
  blobList: Collection<StoredBlob>;
  blobs: Blobs;
  /** Milliseconds of grace. */
  graceMs(): number;
  /** Milliseconds since the epoch, by the clock of MongoDB: those of the nodes differ. */
  now(): Promise<number>;
  /** A content cannot be read: what it was packed against, or its blob, has gone, or is damaged. */
  onUnreadable(hash: string, error: unknown): void;
  isReferred(hash: string): Promise<boolean>;
  onRepacked(hash: string, bytes: number): Promise<void>;
}

const duplicateKey = 11_000;

/** Somebody may be about to refer to it. */
const touched = { $currentDate: { doubtedAt: true as const }, $unset: { doubtedBy: true as const } };
/** Doubts that one step settles. */
const slice = 200;

/**
 * The contents of a cluster's history, without transactions. Who refers to a content touches it before: it is then doubted,
 * from that moment, and stays for a time of grace. A doubted content goes when no version refers to it after the grace.
 */
export class MongoContents {
  readonly #place: Place;

  constructor({ db, name }: Mongo, place: Omit<Place, "contents" | "blobList">) {
    const contents = withDeadline(db.collection<StoredContent>(name("history_contents")));
    this.#place = { ...place, contents, blobList: withDeadline(db.collection(name("history_blobs"))) };
  }

  async ensureIndexes(): Promise<void> {
    const { contents, blobList } = this.#place;
    await contents.createIndex({ base: 1 }, { sparse: true });
    await contents.createIndex({ chain: 1, depth: 1 });
    await contents.createIndex({ doubtedAt: 1 }, { sparse: true });
    await blobList.createIndex({ doubtedAt: 1 }, { sparse: true });
    await blobList.createIndex({ hash: 1 });
  }

  /** Makes a content stay for the time of grace; false where it is not there. */
  async touch(hash: string): Promise<boolean> {
    return (await this.#place.contents.updateOne({ _id: hash }, touched)).matchedCount > 0;
  }

  /** Makes contents stay for the time of grace; answers which of them are there. */
  async touchAll(hashes: string[]): Promise<Set<string>> {
    const { contents } = this.#place;
    const wanted = { _id: { $in: hashes } };
    await contents.updateMany(wanted, touched);
    const there = await contents.find(wanted, { projection: { _id: 1 } }).toArray();
    return new Set(there.map(({ _id }) => _id));
  }

  /** Stores a content, unless it is there, packed against the one of `former` if that helps; touches it. Answers its bytes. */
  async put(hash: string, content: Uint8Array, former: string | null): Promise<number> {
    if (await this.touch(hash)) return this.#bytesOf(hash);
    const packed = await pack(content, await this.#readableBase(former));
    // The base stays as long as it has a dependent; until then, for the time of grace.
    if (packed.base !== undefined && !(await this.touch(packed.base))) return this.put(hash, content, null);
    const stored = await this.#prepared(hash, packed);
    try {
      await this.#place.contents.updateOne(
        { _id: hash },
        { ...touched, $setOnInsert: stored },
        { upsert: true },
      );
    } catch (error) {
      // Another node has stored it at this moment.
      if ((error as { code?: unknown }).code !== duplicateKey) throw error;
      await this.touch(hash);
    }
    return (await this.#isBaseThere(hash, packed)) ? packed.data.length : this.#packWhole(hash, content);
  }

  /** Null where there is no such content. */
  async read(hash: string): Promise<Buffer | null> {
    try {
      return (await this.#baseOf(hash))?.content ?? null;
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#place.onUnreadable(hash, error);
      return null;
    }
  }

  /** Doubts contents, before what refers to them is removed. Answers the token for `removeDoubted`. */
  async doubt(hashes: string[]): Promise<string> {
    const { contents } = this.#place;
    const token = randomUUID();
    const _id = { $in: hashes };
    // Who has touched one of the others may be about to refer to it.
    await contents.updateMany(
      { _id, doubtedAt: { $exists: false } },
      { $currentDate: { doubtedAt: true }, $set: { doubtedBy: token } },
    );
    await contents.updateMany({ _id, doubtedBy: { $ne: token } }, touched);
    return token;
  }

  /** Removes the doubted contents to which nothing refers, the dependent ones first. */
  async removeDoubted(hashes: string[], token: string): Promise<void> {
    const { contents } = this.#place;
    const quiet = await contents.find({ _id: { $in: hashes }, doubtedBy: token }).toArray();
    await this.#collect(quiet, ({ _id }) => ({ _id, doubtedBy: token }));
  }

  /** Settles all doubts that are older than the time of grace. Answers how many contents went. */
  async sweep(): Promise<number> {
    const { contents, now, graceMs } = this.#place;
    const old = { doubtedAt: { $lte: new Date((await now()) - graceMs()) } };
    let removed = 0;
    for await (const some of inSlices(contents.find(old).sort({ doubtedAt: 1 })))
      removed += await this.#collect(some, ({ _id, doubtedAt }) => ({ _id, doubtedAt }));
    await this.#sweepBlobs(old);
    return removed;
  }

  /** `same` finds a content as long as nobody has touched it. */
  async #collect(
    doubted: StoredContent[],
    same: (content: StoredContent) => Pick<StoredContent, "_id" | "doubtedAt" | "doubtedBy">,
  ): Promise<number> {
    const { contents, isReferred } = this.#place;
    const dead: StoredContent[] = [];
    for (const content of doubted) {
      if (!(await isReferred(content._id))) dead.push(content);
      else await contents.updateOne(same(content), { $unset: { doubtedAt: true, doubtedBy: true } });
    }
    const hashes = new Set(dead.map(({ _id }) => _id));
    let removed = 0;
    for (const content of dead.sort((a, b) => b.depth - a.depth)) {
      if (await this.#freeOf(content, hashes)) removed += await this.#remove(content, same(content));
    }
    return removed;
  }

  /** Packs what needs a content anew. False where that was not possible: it stays until the next time. */
  async #freeOf(content: StoredContent, dead: ReadonlySet<string>): Promise<boolean> {
    let isFree = true;
    for (const dependent of await this.#place.contents.find({ base: content._id }).toArray())
      try {
        await this.#repack(dependent, await this.#aliveBase(content, dead));
      } catch (error) {
        this.#place.onUnreadable(dependent._id, error);
        // What is damaged for good holds up nothing.
        isFree &&= isDamage(error);
      }
    return isFree;
  }

  async #remove({ blob, _id }: StoredContent, same: object): Promise<number> {
    const { contents, blobList } = this.#place;
    if (blob) await blobList.updateOne({ _id: blob }, { $currentDate: { doubtedAt: true } });
    const { deletedCount } = await contents.deleteOne({ ...same, _id });
    if (blob && deletedCount > 0) await this.#dropBlob(blob);
    return deletedCount;
  }

  /** The nearest content before one that stays. */
  async #aliveBase(content: StoredContent, dead: ReadonlySet<string>): Promise<string | null> {
    let base = content.base;
    while (base !== undefined && dead.has(base))
      base = (await this.#place.contents.findOne({ _id: base }, { projection: { base: 1 } }))?.base;
    return base ?? null;
  }

  /** Packs a content against another one, in place of the one that goes. */
  async #repack(dependent: StoredContent, onto: string | null): Promise<void> {
    const { onRepacked } = this.#place;
    const { _id: hash, base, blob } = dependent;
    const content = (await this.#baseOf(hash))?.content;
    if (!content) return;
    const packed = await pack(content, await this.#readableBase(onto));
    if (packed.base !== undefined && !(await this.touch(packed.base))) return this.#repack(dependent, null);
    if (!(await this.#restore(hash, packed, base))) return;
    if (blob) await this.#dropBlob(blob);
    if (await this.#isBaseThere(hash, packed)) await onRepacked(hash, packed.data.length);
    else await this.#packWhole(hash, content);
  }

  /** Stores a content in another form, in place of the one on this base; false where that is not there any more. */
  async #restore(hash: string, packed: Packed, base: string | undefined): Promise<boolean> {
    const stored = await this.#prepared(hash, packed);
    const gone = Object.fromEntries(
      ["base", "data", "blob"].filter(name => !(name in stored)).map(name => [name, true as const]),
    );
    const same = base === undefined ? { base: { $exists: false } } : { base };
    const { matchedCount } = await this.#place.contents.updateOne(
      { _id: hash, ...same },
      { $set: stored, $unset: gone },
    );
    return matchedCount > 0;
  }

  /**
   * Whether what a content was packed against has stayed until it was stored. From then on it is not removed without its
   * dependents. This process may have been suspended in between, for longer than the time of grace.
   */
  async #isBaseThere(hash: string, { base }: Packed): Promise<boolean> {
    if (base === undefined || (await this.touch(base))) return true;
    // Another process may have stored it in another form.
    return (await this.#place.contents.findOne({ _id: hash, base }, { projection: { _id: 1 } })) === null;
  }

  /** Stores a content that has lost its base so that it needs none. Answers its bytes. */
  async #packWhole(hash: string, content: Uint8Array): Promise<number> {
    const packed = await pack(content, null);
    const { base } = (await this.#place.contents.findOne({ _id: hash }, { projection: { base: 1 } })) ?? {};
    if (base !== undefined && (await this.#restore(hash, packed, base)))
      await this.#place.onRepacked(hash, packed.data.length);
    return packed.data.length;
  }

  /** What is stored of a packed content; a large one is a blob from here on. */
  async #prepared(
    hash: string,
    { data, base, depth, chainBytes }: Packed,
  ): Promise<Omit<StoredContent, "_id">> {
    const chain = base === undefined ? hash : await this.#chainNameOf(base);
    const link = { depth, chainBytes, chain, bytes: data.length, ...(base !== undefined && { base }) };
    if (data.length <= mostInline) return { ...link, data };
    const { blobList, blobs } = this.#place;
    const key = keyInGroup(blobGroup);
    await blobList.updateOne(
      { _id: key },
      { $set: { hash }, $currentDate: { doubtedAt: true } },
      { upsert: true },
    );
    return { ...link, blob: await blobs.put(data, { owner: blobOwner, contentType, key }) };
  }

  async #sweepBlobs(old: Filter<StoredBlob>): Promise<void> {
    const { contents, blobList, onUnreadable } = this.#place;
    for await (const { _id, hash, doubtedAt } of blobList.find(old).sort({ doubtedAt: 1 }))
      if (await contents.findOne({ _id: hash, blob: _id }, { projection: { _id: 1 } }))
        await blobList.updateOne({ _id, doubtedAt }, { $unset: { doubtedAt: true } });
      else await this.#dropBlob(_id).catch(error => onUnreadable(hash, error));
  }

  async #dropBlob(key: string): Promise<void> {
    await this.#place.blobs.remove(key);
    await this.#place.blobList.deleteOne({ _id: key });
  }

  async #bytesOf(hash: string): Promise<number> {
    return (await this.#place.contents.findOne({ _id: hash }, { projection: { bytes: 1 } }))?.bytes ?? 0;
  }

  async #chainNameOf(hash: string): Promise<string> {
    return (await this.#place.contents.findOne({ _id: hash }, { projection: { chain: 1 } }))?.chain ?? hash;
  }

  /** Null for one that cannot be read: what would be packed against it is packed whole. */
  async #readableBase(hash: string | null): Promise<Base | null> {
    if (hash === null) return null;
    return this.#baseOf(hash).catch(error => {
      this.#place.onUnreadable(hash, error);
      return null;
    });
  }

  async #baseOf(hash: string): Promise<(Base & { content: Buffer }) | null> {
    const chain = await this.#chainOf(hash);
    const last = chain?.at(-1);
    if (!chain || !last) return null;
    const content = await unpack(await Promise.all(chain.map(each => this.#dataOf(each))));
    return { hash, content, depth: last.depth, chainBytes: last.chainBytes };
  }

  /** A content and those before it, the first one first. Those of a chain are read together. */
  async #chainOf(hash: string): Promise<StoredContent[] | null> {
    const { contents } = this.#place;
    // What is packed anew while it is read has another base by then.
    for (let tries = 0; tries < 20; tries += 1) {
      const last = await contents.findOne({ _id: hash });
      if (!last) return null;
      const chain = await this.#followed(last);
      if (chain) return chain;
    }
    throw new Damage(`The content ${hash} of the history has lost what it was packed against`);
  }

  /** Null where one of them is not there any more. */
  async #followed(last: StoredContent): Promise<StoredContent[] | null> {
    const { contents } = this.#place;
    const known = new Map<string, StoredContent>();
    const chain = [last];
    for (let first = last; first.base !== undefined; ) {
      if (!known.has(first.base)) {
        const together = { chain: first.chain, depth: { $lt: first.depth } };
        for (const each of await contents.find({ $or: [together, { _id: first.base }] }).toArray())
          known.set(each._id, each);
      }
      const before = known.get(first.base);
      if (!before) return null;
      chain.unshift(before);
      first = before;
    }
    return chain;
  }

  async #dataOf({ _id, data, blob }: StoredContent): Promise<Uint8Array> {
    if (data) return Buffer.isBuffer(data) ? data : data.buffer;
    const open = blob && (await this.#place.blobs.open(blob, blobOwner));
    if (!open) throw new Damage(`The blob of the content ${_id} is not there`);
    return buffer(open.body);
  }
}

/** A content that nobody can read any more. */
class Damage extends Error {}

function isDamage(error: unknown): boolean {
  return error instanceof Damage || /^Z(STD)?_/.test(String((error as { code?: unknown }).code));
}

async function* inSlices<Of>(cursor: AsyncIterable<Of>): AsyncGenerator<Of[]> {
  let some: Of[] = [];
  for await (const each of cursor) {
    some.push(each);
    if (some.length < slice) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
