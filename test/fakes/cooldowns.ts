import type { CooldownStore } from "../../services/connectors/social/cooldown.ts";

/** Pauses of a test's own. */
export function ownCooldowns(): CooldownStore {
  const ends = new Map<string, number>();
  return {
    until: async family => ends.get(family) ?? 0,
    async extend(family, until) {
      ends.set(family, Math.max(until, ends.get(family) ?? 0));
    },
  };
}
