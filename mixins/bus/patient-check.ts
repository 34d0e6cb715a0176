import type { Transit } from "moleculer";

/** Moleculer looks every 3 s for nodes whose heartbeats are missing. */
const dueMs = 3000;
const lateMs = 500;

/**
 * Lets Moleculer look for missing heartbeats only when it looks in time: a process that was busy or stopped has not read
 * what the others sent meanwhile, and would take them all for dead.
 */
export function checkPatiently({ discoverer }: Pick<Transit, "discoverer">): void {
  const check = discoverer.checkRemoteNodes.bind(discoverer);
  let lookedAt = performance.now();
  discoverer.checkRemoteNodes = () => {
    const now = performance.now();
    const isLate = now - lookedAt > dueMs + lateMs;
    lookedAt = now;
    if (!isLate) check();
  };
}
