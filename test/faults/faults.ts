/** `npm run faults -- --seeds 1,2 --kills 20`: each part in turn, with the same options; `--disk`: an ill disk instead. Ends with 1 when one fails. */
import { onlyDisk } from "./options.ts";

if (onlyDisk) await import("./disk.ts");
else {
  await import("./kill.ts");
  await import("./deliveries.ts");
  await import("./scrapes.ts");
  await import("./crawls.ts");
}
