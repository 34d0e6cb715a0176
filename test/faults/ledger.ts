import type { AdminKeyRecord } from "../../services/contracts/keys.contract.ts";

interface Expected {
  value: string;
  /** More than one while it is unknown whether a rename took place. */
  names: string[];
  /** Absent may be right too: a deletion was not answered. */
  perhapsGone: boolean;
}

/** What the clients were told, and so what must be there. */
export class Ledger {
  readonly #alive = new Map<string, Expected>();
  readonly #deleted = new Set<string>();
  readonly #perhapsMade = new Map<string, string>();
  readonly accepted = { creates: 0, renames: 0, deletes: 0 };

  creating(owner: string, name: string): void {
    this.#perhapsMade.set(name, owner);
  }

  created({ id, key, name }: AdminKeyRecord): void {
    this.#perhapsMade.delete(name);
    this.#alive.set(id, { value: key, names: [name], perhapsGone: false });
    this.accepted.creates += 1;
  }

  renaming(id: string, name: string): void {
    this.#expected(id).names.push(name);
  }

  renamed(id: string, name: string): void {
    this.#expected(id).names = [name];
    this.accepted.renames += 1;
  }

  deleting(id: string): void {
    this.#expected(id).perhapsGone = true;
  }

  deleted(id: string): void {
    this.#alive.delete(id);
    this.#deleted.add(id);
    this.accepted.deletes += 1;
  }

  get size(): number {
    return this.#alive.size;
  }

  /** What the service holds against what it promised, in sentences; then takes what it holds for settled. */
  compare(records: AdminKeyRecord[]): string[] {
    const found = new Map(records.map(record => [record.id, record]));
    const losses = [
      ...[...this.#alive].flatMap(([id, expected]) => difference(id, expected, found.get(id))),
      ...[...this.#deleted].filter(id => found.has(id)).map(id => `${id} was deleted and is back`),
      ...records.filter(record => this.#isUnknown(record)).map(record => `${record.id} was never asked for`),
    ];
    this.#settle(records);
    return losses;
  }

  #isUnknown({ id, name, owner }: AdminKeyRecord): boolean {
    return !this.#alive.has(id) && !this.#deleted.has(id) && this.#perhapsMade.get(name) !== owner;
  }

  #settle(records: AdminKeyRecord[]): void {
    this.#perhapsMade.clear();
    this.#alive.clear();
    for (const { id, key, name } of records)
      this.#alive.set(id, { value: key, names: [name], perhapsGone: false });
  }

  #expected(id: string): Expected {
    const expected = this.#alive.get(id);
    if (!expected) throw new Error(`The ledger does not know ${id}`);
    return expected;
  }
}

function difference(id: string, expected: Expected, found: AdminKeyRecord | undefined): string[] {
  if (!found) return expected.perhapsGone ? [] : [`${id} was accepted and is lost`];
  return [
    ...(found.key === expected.value ? [] : [`${id} has another value`]),
    ...(expected.names.includes(found.name) ? [] : [`${id} has lost its name`]),
  ];
}
