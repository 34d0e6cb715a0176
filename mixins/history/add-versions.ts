import { allEnded } from "../async/timeout.ts";
import type { Kept, NewVersion } from "./history.ts";

/** Items at a time: each waits for threads or servers most of its time. */
const width = 8;

/** Adds versions, those of one item in their order; answers what is kept of each. Resolves, or rejects, when all have ended. */
export async function addVersions(
  added: readonly NewVersion[],
  addOne: (version: NewVersion) => Promise<Kept>,
): Promise<Kept[]> {
  const kept: Kept[] = [];
  const byItem = Map.groupBy(added.entries(), ([, { sourceId, item = "" }]) => `${sourceId} ${item}`);
  const items = [...byItem.values()];
  const work = async () => {
    for (let versions = items.shift(); versions; versions = items.shift())
      for (const [n, version] of versions) kept[n] = await addOne(version);
  };
  await allEnded(Array.from({ length: width }, work));
  return kept;
}
