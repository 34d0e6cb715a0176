import type { PostMemory, SandboxPost } from "../../services/connectors/platforms/sandbox/simulator.ts";

/** What was said on a stage of a test's own, oldest first; may be shared by several. */
export function postMemory(said: SandboxPost[] = []): PostMemory {
  return {
    after: async time => said.filter(({ at }) => at > time),
    async keep(words, timeOf) {
      const one = { ...words, at: timeOf(said.at(-1)?.at ?? 0) };
      said.push(one);
      return one;
    },
  };
}
