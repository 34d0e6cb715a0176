/**
 * Kills the keys service with SIGKILL at seeded random moments, during work and during its start, and holds what is there
 * afterwards against what was acknowledged. Exits with 1 on any difference.
 *
 *     node test/faults/kill.ts --seeds 1,2,3 --kills 20
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import * as keys from "../../services/contracts/keys.contract.ts";
import { removeFolder } from "../support/folders.ts";
import { runClients } from "./clients.ts";
import { KeysProcess } from "./keys-process.ts";
import { Ledger } from "./ledger.ts";
import { kills, seeds } from "./options.ts";
import { type Random, seeded } from "./random.ts";

let lost = 0;
for (const seed of seeds) lost += await showProgress(`Keys, seed ${seed}`, () => run(seed, kills));
process.exitCode = lost > 0 ? 1 : 0;

async function run(seed: number, kills: number): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "magpie-kill-"));
  const [random, ledger] = [seeded(seed), new Ledger()];
  const losses: string[] = [];
  const credentials = await firstStart(dataDir, ledger);
  for (let n = 0; n < kills; n += 1) {
    if (random() < 0.2) await killDuringStart(dataDir, random);
    else losses.push(...(await killDuringWork(dataDir, ledger, random, `${seed}-${n}`)));
    if (readCredentials(dataDir) !== credentials) losses.push("credentials.json has changed");
  }
  const service = await start(dataDir);
  losses.push(...(await check(service, ledger)));
  await service.stop();
  losses.push(...damages(join(dataDir, "magpie.db")));
  await removeFolder(dataDir);
  report(seed, kills, ledger, losses);
  return losses.length;
}

/** Makes the bootstrap key, which the ledger did not ask for, and the credentials. */
async function firstStart(dataDir: string, ledger: Ledger): Promise<string> {
  const service = await start(dataDir);
  await check(service, ledger);
  await service.kill();
  return readCredentials(dataDir);
}

async function killDuringStart(dataDir: string, random: Random): Promise<void> {
  const service = new KeysProcess(dataDir);
  await delay(random() * 300);
  await service.kill();
}

/** Compares what the kill before has left, then kills anew. */
async function killDuringWork(
  dataDir: string,
  ledger: Ledger,
  random: Random,
  label: string,
): Promise<string[]> {
  const service = await start(dataDir);
  const losses = await check(service, ledger);
  const clients = runClients(service, ledger, random, label);
  await delay(5 + random() * 150);
  await service.kill();
  await clients;
  return losses;
}

async function start(dataDir: string): Promise<KeysProcess> {
  const service = new KeysProcess(dataDir);
  await service.ready();
  return service;
}

/** What the service lists against the ledger; every value that it lists must let in. */
async function check(service: KeysProcess, ledger: Ledger): Promise<string[]> {
  const data = await keysOf(service);
  const losses = ledger.compare(data);
  const callers = await Promise.all(data.map(({ key }) => service.call(keys.authenticate, { key })));
  const refused = data.filter(({ id }, n) => callers[n]?.keyId !== id);
  return [...losses, ...refused.map(({ id }) => `${id} is listed and refused`)];
}

/** Every key, with its value: lists mask it, and its owner's keys may read it. */
async function keysOf(service: KeysProcess): Promise<keys.AdminKeyRecord[]> {
  const all: keys.AdminKeyRecord[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await service.call(keys.listKeys, { limit: 200, ...(cursor ? { cursor } : {}) });
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  const owners = [...new Set(all.map(({ owner }) => owner))];
  const lists = await Promise.all(
    owners.map(owner =>
      service.call(keys.listMyKeys, {}, { caller: { keyId: "any", owner, limits: defaultLimits } }),
    ),
  );
  const values = new Map(lists.flatMap(({ data }) => data.apiKeys.map(({ id, key }) => [id, key])));
  return all.map(record => ({ ...record, key: values.get(record.id) ?? "" }));
}

function readCredentials(dataDir: string): string {
  return readFileSync(join(dataDir, "credentials.json"), "utf8");
}

/** Whatever SQLite finds wrong with the file. */
function damages(path: string): string[] {
  const database = new DatabaseSync(path);
  const verdicts = database.prepare("PRAGMA integrity_check").all();
  database.close();
  return verdicts.map(row => String(row.integrity_check)).filter(verdict => verdict !== "ok");
}

function report(seed: number, kills: number, ledger: Ledger, losses: string[]): void {
  const { creates, renames, deletes } = ledger.accepted;
  const accepted = `accepted ${creates} creates, ${renames} renames, ${deletes} deletes`;
  console.log(
    `seed ${seed}: ${kills} kills, ${accepted}; kept ${ledger.size}; lost or wrong ${losses.length}`,
  );
  for (const loss of losses) console.log(`  ${loss}`);
}
