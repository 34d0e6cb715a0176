import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { answered } from "../redis/away.ts";
import type { OpenManners } from "./manners.ts";
import * as scripts from "./redis-scripts.ts";
import { waitForWelcome } from "./wait-for-welcome.ts";

export interface RedisMannersOptions {
  redis: Redis;
  /** Begins all keys. */
  namespace: string;
  /** Hears of what hinders asking, renewing and leaving. */
  onError: (error: unknown) => void;
  /** After so long the visits of a process that died are over; ten seconds unless told. */
  visitMs?: number;
}

/** Longer than a visitor that waits goes without asking. */
const aliveMs = 5000;

/** The manners of a cluster, by the clock of Redis. A visit is renewed until it ends. */
export function openRedisManners({
  redis,
  namespace,
  onError,
  visitMs = 10_000,
}: RedisMannersOptions): OpenManners {
  const closing = new AbortController();
  const leaving = new Set<() => Promise<void>>();
  const run = (script: string, host: string, ...values: (string | number)[]) => {
    const keys = scripts.keyNames.map(name => `${namespace}:host:${host}:${name}`);
    return answered(redis.eval(script, keys.length, ...keys, ...values));
  };
  const visit = (host: string, visitor: string) => {
    const renewal = setInterval(() => run(scripts.goOn, host, visitMs, visitor).catch(onError), visitMs / 4);
    const leave = async () => {
      if (!leaving.delete(leave)) return;
      clearInterval(renewal);
      await run(scripts.leave, host, visitor).catch(onError);
    };
    leaving.add(leave);
    return () => void leave();
  };
  return {
    enter: async (host, { width, spacingMs }, signal) => {
      const visitor = randomUUID();
      const ask = async () => {
        const answer = Number(
          await run(scripts.ask, host, visitor, width, Math.ceil(spacingMs), visitMs, aliveMs),
        );
        return answer < 0 ? "full" : answer;
      };
      try {
        await waitForWelcome(ask, AbortSignal.any([signal, closing.signal]), onError);
      } catch (error) {
        void run(scripts.leave, host, visitor).catch(onError);
        throw error;
      }
      return visit(host, visitor);
    },
    leaveAlone: async (host, ms) => {
      await run(scripts.leaveAlone, host, Math.ceil(ms));
    },
    close: async () => {
      closing.abort(new Error("The manners are closed"));
      await Promise.all([...leaving].map(leave => leave()));
    },
  };
}
