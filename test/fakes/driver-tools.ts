import type { DriverTools } from "../../services/connectors/social/social-connector.ts";
import { ownCooldowns } from "./cooldowns.ts";

/** What a driver works with in a test: nobody reads its log, and it waits for nothing long. */
export function driverTools(more: Partial<DriverTools> = {}): DriverTools {
  return {
    now: Date.now,
    random: Math.random,
    logger: silentLogger(),
    cooldowns: ownCooldowns(),
    reconnectMs: 10,
    ...more,
  };
}

/** But for warnings, where somebody wants them. */
export function silentLogger(warn: (...line: unknown[]) => void = ignore): DriverTools["logger"] {
  return { debug: ignore, info: ignore, warn, error: ignore };
}

function ignore(): void {
  // What drivers log is of no matter to most tests.
}
