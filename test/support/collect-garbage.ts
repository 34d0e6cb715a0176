import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects all garbage now, in a process that was started without the flag, too. */
export const collectGarbage = runInNewContext("gc") as () => void;
