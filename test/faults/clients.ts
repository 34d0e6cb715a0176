import * as keys from "../../services/contracts/keys.contract.ts";
import { type KeysProcess, Unanswered } from "./keys-process.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

/** Several clients that create, rename and delete keys, each its own ones, until the service dies. */
export async function runClients(
  service: KeysProcess,
  ledger: Ledger,
  random: Random,
  label: string,
): Promise<void> {
  const clients = Array.from({ length: 8 }, (_, n) => work(service, ledger, random, `${label}-${n}`));
  await Promise.all(clients);
}

async function work(service: KeysProcess, ledger: Ledger, random: Random, owner: string): Promise<void> {
  const mine: string[] = [];
  try {
    for (let n = 0; ; n += 1) await step(service, ledger, random, owner, mine, `${owner}-${n}`);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
}

async function step(
  service: KeysProcess,
  ledger: Ledger,
  random: Random,
  owner: string,
  mine: string[],
  name: string,
): Promise<void> {
  const dice = random();
  const id = mine[Math.floor(random() * mine.length)];
  if (id === undefined || dice < 0.5) return create(service, ledger, owner, mine, name);
  if (dice < 0.8) return rename(service, ledger, id, name);
  mine.splice(mine.indexOf(id), 1);
  return remove(service, ledger, id);
}

async function create(
  service: KeysProcess,
  ledger: Ledger,
  owner: string,
  mine: string[],
  name: string,
): Promise<void> {
  ledger.creating(owner, name);
  const { data } = await service.call(keys.createKey, { owner, name });
  ledger.created(data);
  mine.push(data.id);
}

async function rename(service: KeysProcess, ledger: Ledger, id: string, name: string): Promise<void> {
  ledger.renaming(id, name);
  await service.call(keys.updateKey, { id, name });
  ledger.renamed(id, name);
}

async function remove(service: KeysProcess, ledger: Ledger, id: string): Promise<void> {
  ledger.deleting(id);
  await service.call(keys.deleteKey, { id });
  ledger.deleted(id);
}
