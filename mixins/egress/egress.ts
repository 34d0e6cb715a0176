import type { Dispatcher } from "undici";
import { fail } from "../../services/contracts/errors.ts";
import { admitUrl, maxUrlLength } from "../../services/domain/url/admit-url.ts";
import { parseAllowList } from "../../services/domain/url/allow-list.ts";
import { type AgentOptions, createAgent } from "./agent.ts";
import { createVet, isRefusal, type LookupAll } from "./guard.ts";
import { type Lane, openLane } from "./lane.ts";

export { errorsIn, isRefusal, type LookupAll } from "./guard.ts";
export type { Lane } from "./lane.ts";
export type { LaneReport } from "./lane-record.ts";

/** The one way out: every connection made for a user is vetted at the moment it is made. */
export interface Egress {
  /** The rule at the door, without DNS. Throws `invalid_url` or `url_not_allowed`. */
  admit(url: string): URL;
  /**
   * A dispatcher for undici whose every connection is vetted and pinned; kept per option set and closed with the
   * egress. A refused connection rejects with an error that `isRefusal` knows.
   */
  agent(options?: AgentOptions): Dispatcher;
  /** A forward proxy on 127.0.0.1 for one browser context. */
  openLane(options: { upstreamProxyUrl?: string }): Promise<Lane>;
  close(): Promise<void>;
}

export interface EgressOptions {
  /** CIDRs, addresses and `host:port` pairs that are let through although they are not public. */
  allow: string[];
  /** The system's resolver by default. */
  lookup?: LookupAll;
}

/** Throws when an entry of the allow list does not parse. */
export function createEgress(options: EgressOptions): Egress {
  const allow = parseAllowList(options.allow);
  const vet = createVet(allow, options.lookup);
  const agents = new Map<string, Dispatcher>();
  const lanes = new Set<Lane>();
  return {
    admit: text => {
      const admission = admitUrl(text, allow);
      if (admission.admitted) return admission.url;
      throw refused(admission.code);
    },
    agent: ({ skipTlsVerification = false, proxyUrl } = {}) => {
      const key = JSON.stringify([skipTlsVerification, proxyUrl]);
      const agent = agents.get(key) ?? createAgent(vet, { skipTlsVerification, proxyUrl });
      agents.set(key, agent);
      return agent;
    },
    openLane: async laneOptions => {
      const lane = await openLane(vet, laneOptions);
      lanes.add(lane);
      return { ...lane, close: () => (lanes.delete(lane) ? lane.close() : Promise.resolve()) };
    },
    close: async () => {
      const open = [...Array.from(lanes, lane => lane.close()), ...Array.from(agents.values(), end)];
      lanes.clear();
      agents.clear();
      await Promise.all(open);
    },
  };
}

/** The error that a client sees for a URL that is not gone to. */
export function refused(code: "invalid_url" | "url_not_allowed", cause?: unknown): Error {
  if (code === "url_not_allowed") return fail(code, "This URL is not allowed.", {}, cause);
  return fail(code, `Give an absolute http or https URL of at most ${maxUrlLength} characters.`, {}, cause);
}

/** What a failed connection means to the client where the guard was the reason; undefined otherwise. */
export function refusalOf(error: unknown): Error | undefined {
  return isRefusal(error) ? refused("url_not_allowed", error) : undefined;
}

function end(agent: Dispatcher): Promise<void> {
  return agent.destroy();
}
