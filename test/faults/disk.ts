/**
 * The disk of the data folder gets full, slow and read-only while feeds are polled, events delivered, keys made and scrapes
 * accepted. Exits with 1 when anything that was acknowledged is lost, comes twice or out of order; when a refusal does not
 * name the cause and a time; when the log or `/health/ready` do not; or when the process dies or spins. A full and a slow
 * disk must need no restart. Linux with a root that may mount; elsewhere it is skipped and says why.
 *
 *     node test/faults/disk.ts --seeds 1,2
 */
import { spawnSync } from "node:child_process";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { runIllDisk } from "./disk/run-ill-disk.ts";
import { seeds } from "./options.ts";

const ownMounts = "MAGPIE_FAULTS_OWN_MOUNTS";

if (process.env[ownMounts]) for (const seed of seeds) await run(seed);
else inOwnMounts();

async function run(seed: number): Promise<void> {
  const { figures, wrong } = await showProgress(`Disk, seed ${seed}`, () => runIllDisk(seed));
  console.log(`disk, seed ${seed}: ${figures}; lost or wrong ${wrong.length}`);
  for (const each of wrong.slice(0, 50)) console.log(`  ${each}`);
  if (wrong.length > 0) process.exitCode = 1;
}

/** What is mounted there ends with the last process in it. */
function inOwnMounts(): void {
  const may = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], { encoding: "utf8" });
  if (may.status !== 0) {
    const why = may.error?.message ?? may.stderr.trim();
    console.log(`disk: skipped, for this user may mount nothing here (${why})`);
    return;
  }
  const own = [process.execPath, "--no-warnings", import.meta.filename, ...process.argv.slice(2)];
  const ended = spawnSync("unshare", ["--mount", "--", ...own], {
    stdio: "inherit",
    env: { ...process.env, [ownMounts]: "1" },
  });
  if (ended.status !== 0) process.exitCode = 1;
}
