/** The delivery benches alone: `node --no-warnings test/bench/deliveries.ts`; ends with 1 when a bar is missed. */
import { deliveries } from "./deliveries.bench.ts";

for (const { line, met } of await deliveries()) {
  console.log(line);
  if (met === false) process.exitCode = 1;
}
