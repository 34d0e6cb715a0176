/** A worker in a process of its own, on the place that the first argument names as JSON. Its handlers do not end. */
import process from "node:process";
import { openQueues } from "../integration/queue-place.ts";

/** What the parent sends: work to add. */
export interface Addition {
  add: { id: string; payload: Payload }[];
}
/** `tells` tells progress before it waits; `ends` returns when the process goes on after it was stopped. */
export type Payload = "waits" | "tells" | "ends";
/** What it answers: which additions stand, and which jobs have been started. */
export type Told = { added: string[] } | { started: string; fence: number } | { ended: string };

const [place = ""] = process.argv.slice(2);
const tell = (told: Told) => process.send?.(told);
const queue = openQueues(JSON.parse(place)).queue<Payload, string>("jobs");

process.on("message", async ({ add }: Addition) => {
  await Promise.all(add.map(job => queue.add(job)));
  tell({ added: add.map(({ id }) => id) });
});
process.on("disconnect", () => process.exit());

queue.work({ concurrency: 10 }, async ({ id, payload }, { fence, progress, signal }) => {
  if (payload === "tells") await progress({ pages: fence });
  tell({ started: id, fence });
  await new Promise(resolve => signal.addEventListener("abort", resolve));
  tell({ ended: id });
  return "of the run that was lost";
});
tell({ added: [] });
