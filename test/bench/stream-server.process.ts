import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { startMagpie } from "../support/magpie.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const magpie = await startMagpie();
const limits = { requestsPerMinute: 1_000_000 };
const made = await magpie.request("POST", "/internal/keys", {
  admin: true,
  body: { owner: "bench", name: "bench", limits },
});
process.on("message", () => {
  collect();
  process.send?.(process.memoryUsage().rss);
});
process.on("disconnect", () => void magpie.stop());
process.send?.({ url: magpie.url, key: made.json<{ data: { key: string } }>().data.key });
