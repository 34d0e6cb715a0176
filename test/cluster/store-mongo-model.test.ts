import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { openCollections } from "../../mixins/store/mongo/mongo-store.ts";
import type { Store, Transaction } from "../../mixins/store/store.ts";
import { seeded } from "../faults/random.ts";
import { startMongo } from "../support/mongo.ts";

/** The numbers of the transactions that have appended to it, in their order. */
interface List {
  _id: string;
  values: number[];
}

/** What a committed transaction has read (lists as they were) and to which lists it has appended its number. */
interface Committed {
  n: number;
  reads: Map<string, number[]>;
  appends: string[];
}

const server = await startMongo();
const collections = ["left", "right"];
const keys = collections.flatMap(collection => ["a", "b"].map(id => `${collection}/${id}`));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => server?.stop());

(server ? test : test.skip).each([1, 2, 3])(
  "some serial order explains what random transactions of three processes have read (seed %i)",
  async seed => {
    const place = { mongoUrl: server?.url ?? "", namespace: `m${Date.now().toString(36)}-${seed}` };
    const mongo = await openMongo(place);
    closing.push(() => closeMongo(place));
    const declared = collections.map(name => [name, []] as [string, []]);
    const processes = await Promise.all(
      [0, 1, 2].map(() => openCollections(mongo, declared, () => undefined)),
    );
    closing.push(...processes.map(({ close }) => close));
    const random = seeded(seed);
    const committed = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        runOne(processes[n % 3]?.store as unknown as Store<List>, n, planOf(random)),
      ),
    );
    const store = processes[0]?.store as unknown as Store<List>;
    const final = await store.transaction(
      transaction => new Map(keys.map(key => [key, read(transaction, key)])),
    );
    expect(anomalies(committed, final)).toEqual([]);
    expect(committed.flatMap(({ appends }) => appends)).toHaveLength([...final.values()].flat().length);
  },
);

interface Plan {
  reads: string[];
  appends: string[];
  /** Reads by a query, which finds lists that others insert. */
  isQuery: boolean;
}

function planOf(random: () => number): Plan {
  const some = () => keys.filter(() => random() < 0.4);
  return { reads: some(), appends: some(), isQuery: random() < 0.5 };
}

async function runOne(store: Store<List>, n: number, { reads, appends, isQuery }: Plan): Promise<Committed> {
  const found = await store.transaction(transaction => {
    const seen = new Map(reads.map(key => [key, (isQuery ? readByQuery : read)(transaction, key)]));
    for (const key of appends) append(transaction, key, n);
    return seen;
  });
  return { n, reads: found, appends };
}

function placeOf(transaction: Transaction, key: string) {
  const [collection = "", id = ""] = key.split("/");
  return { lists: transaction.collection<List>(collection), id };
}

function read(transaction: Transaction, key: string): number[] {
  const { lists, id } = placeOf(transaction, key);
  return lists.findById(id)?.values ?? [];
}

function readByQuery(transaction: Transaction, key: string): number[] {
  const { lists, id } = placeOf(transaction, key);
  return lists.find({ query: { _id: { $gte: id, $lte: id } } })[0]?.values ?? [];
}

function append(transaction: Transaction, key: string, n: number): void {
  const { lists, id } = placeOf(transaction, key);
  lists.put({ _id: id, values: [...(lists.findById(id)?.values ?? []), n] });
}

/** Reads that are no beginning of the final list, and transactions that would each have to come before the other. */
function anomalies(committed: Committed[], final: Map<string, number[]>): string[] {
  const found: string[] = [];
  /** Transaction -> those that come after it. */
  const after = new Map<number, Set<number>>(committed.map(({ n }) => [n, new Set()]));
  const order = (first: number | undefined, second: number | undefined) => {
    if (first !== undefined && second !== undefined && first !== second) after.get(first)?.add(second);
  };
  for (const values of final.values()) for (const [at, n] of values.entries()) order(n, values[at + 1]);
  for (const { n, reads } of committed)
    for (const [key, seen] of reads) {
      const values = final.get(key) ?? [];
      if (seen.some((each, at) => values[at] !== each)) found.push(`${n} read ${seen} of ${key}: ${values}`);
      order(seen.at(-1), n);
      // It has not seen the next one, which therefore comes after it.
      order(n, values[seen.length]);
    }
  return [...found, ...leftInCircles(after).map(n => `${n} is in a circle`)];
}

/** Removes transactions that nothing comes before, again and again; those that remain have no serial order. */
function leftInCircles(after: Map<number, Set<number>>): number[] {
  for (;;) {
    const preceded = new Set([...after.values()].flatMap(each => [...each]));
    const free = [...after.keys()].filter(n => !preceded.has(n));
    if (free.length === 0) return [...after.keys()];
    for (const n of free) after.delete(n);
  }
}
