import { EventEmitter } from "node:events";
import { listen } from "../../../mixins/browser/listen.ts";

test("what a listener throws or rejects with is handed over, and the emitter goes on", async () => {
  const emitter = new EventEmitter();
  const faults: unknown[] = [];
  const heard: string[] = [];
  const report = (error: unknown) => faults.push(error);
  listen(emitter, "said", report, () => {
    throw new Error("thrown");
  });
  listen(emitter, "said", report, async () => {
    throw new Error("rejected");
  });
  const stop = listen(emitter, "said", report, () => heard.push("said"));
  emitter.emit("said");
  await new Promise(setImmediate);
  expect(faults).toEqual([new Error("thrown"), new Error("rejected")]);
  stop();
  emitter.emit("said");
  expect(heard).toEqual(["said"]);
});
