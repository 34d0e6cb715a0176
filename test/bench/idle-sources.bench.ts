import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../support/folders.ts";
import { startHelper } from "./child.ts";
import { type Bench, verdict } from "./compare.ts";
import type { IdleCost, IdleQuestion } from "./idle-sources.process.ts";

const sources = 100_000;
const idleMs = 20_000;

/** What sources cost that are tracked and not due, beside a tracker without any. */
export const idleSources: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-idle-"));
  try {
    const none = await ask<IdleCost>(join(folder, "none"), { idleMs });
    await ask(join(folder, "all"), { fill: sources });
    const all = await ask<IdleCost>(join(folder, "all"), { idleMs });
    const bytes = ((all.anonymousKb - none.anonymousKb) * 1024) / sources;
    const label = `idle sources: ${sources}, ${all.polls} polls;`;
    return [
      verdict(`${label} CPU ${(all.cpuShare * 100).toFixed(2)} % of a core`, all.cpuShare * 100, "<=", 3),
      verdict(`${label} memory ${bytes.toFixed(0)} bytes a source`, bytes, "<=", 1024),
    ];
  } finally {
    await removeFolder(folder);
  }
};

async function ask<Answer>(dataDir: string, question: IdleQuestion): Promise<Answer> {
  const helper = await startHelper<IdleQuestion, Answer>("idle-sources.process.ts", [dataDir]);
  try {
    return await helper.ask(question);
  } finally {
    await helper.stop();
  }
}
