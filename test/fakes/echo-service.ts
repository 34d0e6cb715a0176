import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, ServiceSchema } from "moleculer";
import { action, actions, handle, repeatable } from "../../services/contracts/action.ts";
import type { CallMeta } from "../../services/contracts/caller.ts";
import { fail } from "../../services/contracts/errors.ts";
import { nothing, object, text, unchecked } from "../../services/contracts/schema.ts";

const number = { type: "number" } as const;

/** Answers with the node that it ran on. */
export const waits = repeatable("echo.waits", { params: { ms: number }, result: text });
/** The same, of which a second call would do something twice. */
export const waitsOnce = action("echo.waitsOnce", { params: { ms: number }, result: text });
/** Answers with its node and how long it is waited for; on one of them it waits until the service stops, and fails by that. */
export const hangsOn = repeatable("echo.hangsOn", {
  params: { nodeID: text },
  result: object({ nodeID: text, waitMs: number }),
});
/** The same, of which a second call would do something twice. */
export const hangsOnce = action("echo.hangsOnce", {
  params: { nodeID: text },
  result: object({ nodeID: text, waitMs: number }),
});
/** How many of these three the node has begun. */
export const done = repeatable("echo.done", { params: {}, result: object({ nodeID: text, count: number }) });
/** A text of so many characters that no packing makes small, with a status and a header. */
export const says = repeatable("echo.says", { params: { length: number }, result: object({ text }) });
export const refuses = action("echo.refuses", { params: {}, result: nothing });
export const picture = action("echo.picture", { params: {}, result: unchecked<Buffer>() });
export const pictures = action("echo.pictures", { params: {}, result: unchecked<AsyncIterable<Buffer>>() });

/** A service that is on several nodes. */
export function echoService(): ServiceSchema {
  let carriedOut = 0;
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  const hang = async ({ params, broker: { nodeID }, options }: Context<{ nodeID: string }, CallMeta>) => {
    carriedOut += 1;
    if (nodeID === params.nodeID) await stopped.promise;
    return { nodeID, waitMs: options.timeout ?? 0 };
  };
  return {
    name: "echo",
    actions: actions(
      handle(waits, "public", (ctx: Context<{ ms: number }, CallMeta>) => answerAfter(ctx)),
      handle(waitsOnce, "public", (ctx: Context<{ ms: number }, CallMeta>) => {
        carriedOut += 1;
        return answerAfter(ctx);
      }),
      handle(hangsOn, "public", hang),
      handle(hangsOnce, "public", hang),
      handle(done, "public", ({ broker: { nodeID } }) => ({ nodeID, count: carriedOut })),
      handle(says, "public", ({ params, meta }) => {
        meta.$statusCode = 202;
        meta.$responseHeaders = { "x-next-cursor": "7" };
        return { text: noise(params.length) };
      }),
      handle(refuses, "public", () => {
        throw fail("rate_limited", "Not so fast.", { retry_after: 7 }, new Error("inside"));
      }),
      handle(picture, "public", () => Buffer.of(0, 255, 128)),
      handle(pictures, "public", ({ meta }) => {
        meta.$responseType = "image/png";
        return Readable.from([Buffer.alloc(1_500_000, 7), Buffer.of(0, 255, 128)]);
      }),
    ),
    async stopped() {
      stopped.reject(fail("target_unreachable", "What it worked with is closed."));
      // As long as it takes to close something; the failure is on its way meanwhile.
      await sleep(300);
    },
  };
}

async function answerAfter({ params, broker }: Context<{ ms: number }, CallMeta>): Promise<string> {
  await sleep(params.ms);
  return broker.nodeID;
}

const block = Array.from({ length: 65_521 }, (_, at) => ((at * 7919 + 13) % 104_729).toString(36)).join("");

/** The same for the same length; it repeats itself too late for a packer to notice. */
export function noise(length: number): string {
  return block.repeat(Math.ceil(length / block.length)).slice(0, length);
}
