import { defaultLimits } from "../../services/contracts/caller.ts";
import { allQuotas } from "../../services/domain/quota/quotas.ts";
import { Ledger } from "./ledger.ts";

const record = (id: string, name = id, key = `value of ${id}`) => {
  const createdAt = "2026-01-01T00:00:00.000Z";
  const bounds = { scopes: null, expires_at: null, content_uses: null, last_used_at: null };
  return { id, name, key, owner: "ann", limits: defaultLimits, quotas: allQuotas(), createdAt, ...bounds };
};

const twoKeys = () => {
  const ledger = new Ledger();
  for (const id of ["a", "b"]) {
    ledger.creating("ann", id);
    ledger.created(record(id));
  }
  return ledger;
};

test.each<[string, (ledger: Ledger) => void, ReturnType<typeof record>[], number]>([
  ["all is there", () => undefined, [record("a"), record("b")], 0],
  ["one is lost", () => undefined, [record("a")], 1],
  ["a value is another", () => undefined, [record("a"), record("b", "b", "x")], 1],
  ["a name was never given", () => undefined, [record("a"), record("b", "x")], 1],
  ["one came from nowhere", () => undefined, [record("a"), record("b"), record("c")], 1],
  [
    "an unanswered creation took place",
    l => l.creating("ann", "c"),
    ["a", "b", "c"].map(id => record(id)),
    0,
  ],
  ["an unanswered creation did not", l => l.creating("ann", "c"), ["a", "b"].map(id => record(id)), 0],
  ["an unanswered rename took place", l => l.renaming("a", "x"), [record("a", "x"), record("b")], 0],
  ["an answered rename is lost", l => rename(l, "a", "x"), [record("a"), record("b")], 1],
  ["an unanswered deletion took place", l => l.deleting("a"), [record("b")], 0],
  ["a deleted one is back", l => remove(l, "a"), [record("a"), record("b")], 1],
])("%s", (_, act, found, losses) => {
  const ledger = twoKeys();
  act(ledger);
  expect(ledger.compare(found)).toHaveLength(losses);
});

function rename(ledger: Ledger, id: string, name: string): void {
  ledger.renaming(id, name);
  ledger.renamed(id, name);
}

function remove(ledger: Ledger, id: string): void {
  ledger.deleting(id);
  ledger.deleted(id);
}
