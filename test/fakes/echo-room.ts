import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context, ServiceSchema } from "moleculer";
import { action, actions, type CallMeta, handle, repeatable } from "../../services/contracts/action.ts";
import { fail } from "../../services/contracts/errors.ts";

const nothing = { $$strict: true };
const wait = { $$strict: true, ms: "number" };

/** Answers with the node that it ran on. */
export const waits = repeatable<{ ms: number }, string>("echo.waits", wait);
/** The same, of which a second call would do something twice. */
export const waitsOnce = action<{ ms: number }, string>("echo.waitsOnce", wait);
/** Answers with its node and how long it is waited for; on one of them it waits until the room stops, and fails by that. */
export const hangsOn = repeatable<{ nodeID: string }, { nodeID: string; waitMs: number }>("echo.hangsOn", {
  $$strict: true,
  nodeID: "string",
});
/** How many of these two the node has begun. */
export const done = repeatable<Record<string, never>, { nodeID: string; count: number }>(
  "echo.done",
  nothing,
);
/** A text of so many characters that no packing makes small, with a status and a header. */
export const says = repeatable<{ length: number }, { text: string }>("echo.says", {
  $$strict: true,
  length: "number",
});
export const refuses = action<Record<string, never>, null>("echo.refuses", nothing);
export const picture = action<Record<string, never>, Buffer>("echo.picture", nothing);
export const pictures = action<Record<string, never>, AsyncIterable<Buffer>>("echo.pictures", nothing);

/** A room that is on several nodes. */
export function echoRoom(): ServiceSchema {
  let carriedOut = 0;
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  return {
    name: "echo",
    actions: actions(
      handle(waits, "public", (ctx: Context<{ ms: number }, CallMeta>) => answerAfter(ctx)),
      handle(waitsOnce, "public", (ctx: Context<{ ms: number }, CallMeta>) => {
        carriedOut += 1;
        return answerAfter(ctx);
      }),
      handle(hangsOn, "public", async ({ params, broker: { nodeID }, options }) => {
        carriedOut += 1;
        if (nodeID === params.nodeID) await stopped.promise;
        return { nodeID, waitMs: options.timeout ?? 0 };
      }),
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
