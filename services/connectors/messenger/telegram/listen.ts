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
  { logger }: DriverTools,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  let live: Live | undefined;
  let failures = 0;
  try {
    for (;;) {
      const time = await line.up(signal);
      await live?.end();
      live = new Live(line, listener, logger, { signal });
      line.hear(updates => live?.hear(updates));
      try {
        await line.callRaw({ _: "updates.getState" }, { signal });
        await listener.onGap();
        failures = 0;
      } catch (error) {
        if (signal.aborted || isRefusal(error)) throw error;
        logger.warn("telegram.not_listening", { error: (error as Error).message });
        await line.pause(failures++, signal);
        continue;
      }
      await line.lost(time, signal);
      listener.onLost("The connection to Telegram is lost.");
    }
  } catch (error) {
    if (!signal.aborted) throw isRefusal(error) ? refused(error) : error;
  } finally {
    line.hear(undefined);
    await live?.end();
    await line.close();
  }
}
