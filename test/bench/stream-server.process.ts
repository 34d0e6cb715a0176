import { collectGarbage } from "../support/collect-garbage.ts";
import { startMagpie } from "../support/magpie.ts";

const magpie = await startMagpie();
const limits = { requestsPerMinute: 1_000_000 };
const made = await magpie.request("POST", "/internal/keys", {
  admin: true,
  body: { owner: "bench", name: "bench", limits },
});
process.on("message", () => {
  collectGarbage();
  process.send?.(process.memoryUsage().rss);
});
process.on("disconnect", () => void magpie.stop());
process.send?.({ url: magpie.url, key: made.json<{ data: { key: string } }>().data.key });
