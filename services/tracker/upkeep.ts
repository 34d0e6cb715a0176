import type { Service } from "moleculer";
import type { Existing } from "../../mixins/keys/existing-keys.ts";
import { forgetGoneKeys } from "../../mixins/keys/forget-gone-keys.ts";
import type { OpenLog } from "../../mixins/log/log.ts";
import { bringForward } from "./bring-forward.ts";
import { forgetKey } from "./forget-key.ts";
import { pruneJobs } from "./joins/prune-jobs.ts";
import { letAllGo } from "./loose-ends.ts";
import type { TrackerRoom } from "./room.ts";

interface Upkept {
  room: TrackerRoom;
  existing: Existing;
  log: Pick<OpenLog, "prune">;
  logger: Service["logger"];
}

/** Forgets what is past its time, and sees to what hints did not reach. What fails is done the next time. */
export async function upkeep(upkept: Upkept, signal: AbortSignal): Promise<void> {
  await prune(upkept);
  await correct(upkept, signal);
  await sweep(upkept, signal);
  await letLooseEndsGo(upkept, signal);
}

async function prune({ room, log, logger }: Upkept): Promise<void> {
  try {
    const references = await log.prune(new Date());
    if (references > 0) logger.info("log.pruned", { references });
    await pruneJobs(room);
  } catch (error) {
    logger.error("log.prune.broken", { error });
  }
}

/** What a clock that was ahead has dated. */
async function correct({ room, logger }: Upkept, signal: AbortSignal): Promise<void> {
  try {
    const sources = await bringForward(room, signal);
    if (sources > 0) logger.warn("sources.brought_forward", { sources });
  } catch (error) {
    logger.error("sources.not_brought_forward", { error });
  }
}

/** What the hint of a deletion did not reach. */
async function sweep({ room, existing, logger }: Upkept, signal: AbortSignal): Promise<void> {
  try {
    const forget = (keyId: string) => forgetKey(room, keyId);
    const keys = await forgetGoneKeys([room.tallies], existing, forget, signal);
    if (keys > 0) logger.info("keys.forgotten", { keys });
  } catch (error) {
    if (!signal.aborted) logger.warn("keys.not_swept", { error });
  }
}

/** What platforms were not told of, or did not do when they were. */
async function letLooseEndsGo({ room, logger }: Upkept, signal: AbortSignal): Promise<void> {
  try {
    await letAllGo(room, signal);
  } catch (error) {
    if (!signal.aborted) logger.warn("sources.not_let_go", { error });
  }
}
