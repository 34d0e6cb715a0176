/**
 * Kills the keys room with SIGKILL at seeded random moments, during work and during its start, and holds what is there
 * afterwards against what was acknowledged. Exits with 1 on any difference.
 *
 *     node test/faults/kill.ts --seeds 1,2,3 --kills 20
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as keys from "../../services/contracts/keys.contract.ts";
import { runClients } from "./clients.ts";
import { Ledger } from "./ledger.ts";
import { type Random, seeded } from "./random.ts";
import { RoomProcess } from "./room-process.ts";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "1" }, kills: { type: "string", default: "20" } },
});
let lost = 0;
for (const seed of values.seeds.split(",").map(Number)) lost += await run(seed, Number(values.kills));
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
  const room = await start(dataDir);
  losses.push(...(await check(room, ledger)));
  await room.stop();
  losses.push(...damages(join(dataDir, "magpie.db")));
  rmSync(dataDir, { recursive: true });
  report(seed, kills, ledger, losses);
  return losses.length;
}

/** Makes the bootstrap key, which the ledger did not ask for, and the credentials. */
async function firstStart(dataDir: string, ledger: Ledger): Promise<string> {
  const room = await start(dataDir);
  await check(room, ledger);
  await room.kill();
  return readCredentials(dataDir);
}

async function killDuringStart(dataDir: string, random: Random): Promise<void> {
  const room = new RoomProcess(dataDir);
  await delay(random() * 300);
  await room.kill();
}

/** Compares what the kill before has left, then kills anew. */
async function killDuringWork(
  dataDir: string,
  ledger: Ledger,
  random: Random,
  label: string,
): Promise<string[]> {
  const room = await start(dataDir);
  const losses = await check(room, ledger);
  const clients = runClients(room, ledger, random, label);
  await delay(5 + random() * 150);
  await room.kill();
  await clients;
  return losses;
}

async function start(dataDir: string): Promise<RoomProcess> {
  const room = new RoomProcess(dataDir);
  await room.ready();
  return room;
}

/** What the room lists against the ledger; every value that it lists must let in. */
async function check(room: RoomProcess, ledger: Ledger): Promise<string[]> {
  const { data } = await room.call(keys.listKeys, {});
  const losses = ledger.compare(data);
  const callers = await Promise.all(data.map(({ key }) => room.call(keys.authenticate, { key })));
  const refused = data.filter(({ id }, n) => callers[n]?.keyId !== id);
  return [...losses, ...refused.map(({ id }) => `${id} is listed and refused`)];
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
