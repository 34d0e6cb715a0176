import { within } from "../../../../mixins/deadline/within.ts";
import { codeOf } from "../../../contracts/errors.ts";
import { insist } from "../../social/insist.ts";
import type { DriverTools, Listener } from "../../social/social-connector.ts";
import type { Line } from "./line.ts";
import { Live } from "./live.ts";
import { isRefusal, refused } from "./trouble.ts";

/**
 * Listens until the signal fires. Each time that the connection stands it is proved by a question, without which the
 * network sends nothing, and what was posted meanwhile is asked for.
 */
export async function listen(
  line: Line,
  listener: Listener,
  tools: DriverTools,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const { logger } = tools;
  let live: Live | undefined;
  const attempt = async (stands: () => void) => {
    const time = await within(line.answerMs, signal, inTime => line.up(inTime));
    await live?.end();
    live = new Live(line, listener, logger, { signal });
    line.hear(updates => live?.hear(updates));
    await line.callRaw({ _: "updates.getState" }, { signal });
    await listener.onGap();
    stands();
    await line.lost(time, signal);
    throw new Error("The connection broke.");
  };
  const onLost = (error: Error) => {
    logger.warn("telegram.not_listening", { error: error.message });
    // Sentences of the driver are fit to be told.
    listener.onLost(codeOf(error) ? error.message : "There is no connection to Telegram.");
  };
  try {
    await insist(stands => attempt(stands).catch(refusing), onLost, tools, signal);
  } finally {
    line.hear(undefined);
    await live?.end();
    await line.close();
  }
}

function refusing(error: unknown): never {
  throw isRefusal(error) ? refused(error) : error;
}
