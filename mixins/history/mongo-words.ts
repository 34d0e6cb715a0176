import type { Collection, Filter } from "mongodb";
import { meets } from "../../services/domain/history/passage.ts";
import { type SearchQuery, segmented, type Term } from "../../services/domain/history/search-query.ts";
import { type Mongo, withDeadline } from "../cluster/mongo.ts";
import {
  type IndexedText,
  maxIndexed,
  type SearchPosition,
  type SearchScope,
  type WordIndex,
} from "./word-index.ts";

/** `_id` is the source's id and the text's own. */
interface StoredText extends IndexedText {
  _id: string;
  /** Each word once: the index is on them. */
  words: string[];
}

/** Texts that one search looks at, at most: the newest that have its words. */
const maxSeen = 5000;
const batch = 200;

/**
 * The index of words in MongoDB. It is on the words themselves: a text index knows no prefixes, and cannot be narrowed to the
 * sources of a key. Phrases and exclusions are decided on the texts that have the words.
 */
export class MongoWords implements WordIndex {
  readonly #texts: Collection<StoredText>;

  constructor(mongo: Mongo) {
    this.#texts = withDeadline(mongo.db.collection<StoredText>(mongo.name("history_texts")));
  }

  async ensureIndexes(): Promise<void> {
    await this.#texts.createIndex({ words: 1, at: -1 });
    await this.#texts.createIndex({ sourceId: 1, id: 1 });
    await this.#texts.createIndex({ kind: 1, at: 1 });
  }

  async put(texts: IndexedText[]): Promise<void> {
    for (const text of texts) await this.#putOne(text);
  }

  async putNew(texts: IndexedText[]): Promise<void> {
    const ids = texts.map(idOf);
    const known = await this.#texts.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const isKnown = new Set(known.map(({ _id }) => _id));
    await this.put(texts.filter(text => !isKnown.has(idOf(text))));
  }

  async find(
    query: SearchQuery,
    scopes: readonly SearchScope[],
    { after, limit }: { after?: SearchPosition; limit: number },
  ): Promise<IndexedText[]> {
    const from = new Map(scopes.map(scope => [scope.sourceId, scope.from]));
    const found: IndexedText[] = [];
    let [position, seen] = [after, 0];
    while (found.length < limit && seen < maxSeen) {
      const some = await this.#texts
        .find(filterOf(query, [...from.keys()], position))
        .sort({ at: -1, id: -1 })
        .limit(batch)
        .toArray();
      for (const { _id, words: _words, ...text } of some)
        if (text.at >= (from.get(text.sourceId) ?? Infinity) && meets(segmented(text.text), query))
          found.push(text);
      if (some.length < batch) break;
      position = some.at(-1);
      seen += some.length;
    }
    return found.slice(0, limit);
  }

  async remove(sourceId: string, ids: readonly string[]): Promise<void> {
    await this.#texts.deleteMany({ sourceId, id: { $in: [...ids] } });
  }

  async removeSome(sourceId: string, limit: number): Promise<number> {
    const found = this.#texts.find({ sourceId }, { projection: { _id: 1 } });
    const some = await found.limit(limit).toArray();
    if (some.length > 0) await this.#texts.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
    return some.length;
  }

  async copy(from: string, to: string, ids: readonly string[]): Promise<void> {
    const texts = await this.#texts
      .find({ sourceId: from, kind: "version", id: { $in: [...ids] } })
      .toArray();
    if (texts.length === 0) return;
    const copies = texts.map(text => ({ ...text, sourceId: to, _id: idOf({ ...text, sourceId: to }) }));
    const writes = copies.map(copy => ({
      replaceOne: { filter: { _id: copy._id }, replacement: copy, upsert: true },
    }));
    await this.#texts.bulkWrite(writes);
  }

  async removeEvents(before: number, limit: number): Promise<number> {
    const old = await this.#texts
      .find({ kind: "event", at: { $lt: before } }, { projection: { _id: 1 } })
      .limit(limit)
      .toArray();
    if (old.length > 0) await this.#texts.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    return old.length;
  }

  async #putOne(text: IndexedText): Promise<void> {
    const kept = text.text.slice(0, maxIndexed);
    const words = [...new Set(segmented(kept))];
    const _id = idOf(text);
    if (words.length === 0) await this.#texts.deleteOne({ _id });
    else await this.#texts.replaceOne({ _id }, { ...text, text: kept, words }, { upsert: true });
  }
}

function idOf({ sourceId, id }: IndexedText): string {
  return `${sourceId} ${id}`;
}

function filterOf(
  { wanted, after = 0, before = Number.MAX_SAFE_INTEGER }: SearchQuery,
  sourceIds: string[],
  position: SearchPosition | undefined,
): Filter<StoredText> {
  const isOlder = position && {
    $or: [{ at: { $lt: position.at } }, { at: position.at, id: { $lt: position.id } }],
  };
  const clauses: Filter<StoredText>[] = [
    ...wanted.flatMap(wordsOf),
    { sourceId: { $in: sourceIds } },
    { at: { $gte: after, $lt: before } },
    ...(isOlder ? [isOlder] : []),
  ];
  return { $and: clauses };
}

/** The words are letters and digits alone, so nothing in them can be an operator of an expression. */
function wordsOf({ words, isPrefix }: Term): Filter<StoredText>[] {
  return words.map((word, at) =>
    isPrefix && at === words.length - 1 ? { words: { $regex: `^${word}` } } : { words: word },
  );
}
