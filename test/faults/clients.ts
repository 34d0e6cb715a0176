import * as keys from "../../services/contracts/keys.contract.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import { type RoomProcess, Unanswered } from "./room-process.ts";

/** Several clients that create, rename and delete keys, each its own ones, until the room dies. */
export async function runClients(
  room: RoomProcess,
  ledger: Ledger,
  random: Random,
  label: string,
): Promise<void> {
  const clients = Array.from({ length: 8 }, (_, n) => work(room, ledger, random, `${label}-${n}`));
  await Promise.all(clients);
}

async function work(room: RoomProcess, ledger: Ledger, random: Random, owner: string): Promise<void> {
  const mine: string[] = [];
  try {
    for (let n = 0; ; n += 1) await step(room, ledger, random, owner, mine, `${owner}-${n}`);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
}

async function step(
  room: RoomProcess,
  ledger: Ledger,
  random: Random,
  owner: string,
  mine: string[],
  name: string,
): Promise<void> {
  const dice = random();
  const id = mine[Math.floor(random() * mine.length)];
  if (id === undefined || dice < 0.5) return create(room, ledger, owner, mine, name);
  if (dice < 0.8) return rename(room, ledger, id, name);
  mine.splice(mine.indexOf(id), 1);
  return remove(room, ledger, id);
}

async function create(
  room: RoomProcess,
  ledger: Ledger,
  owner: string,
  mine: string[],
  name: string,
): Promise<void> {
  ledger.creating(owner, name);
  const { data } = await room.call(keys.createKey, { owner, name });
  ledger.created(data);
  mine.push(data.id);
}

async function rename(room: RoomProcess, ledger: Ledger, id: string, name: string): Promise<void> {
  ledger.renaming(id, name);
  await room.call(keys.updateKey, { id, name });
  ledger.renamed(id, name);
}

async function remove(room: RoomProcess, ledger: Ledger, id: string): Promise<void> {
  ledger.deleting(id);
  await room.call(keys.deleteKey, { id });
  ledger.deleted(id);
}
