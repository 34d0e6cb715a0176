import { call } from "../contracts/action.ts";
import {
  type Admission,
  admission,
  checkJoin,
  followSource,
  type JoinState,
  type ResolvedSource,
  readMicroblogProfile,
  requestJoin,
  resolveSource,
} from "../contracts/connectors.contract.ts";
import { codeOf, errorStatus, isServiceUnavailable } from "../contracts/errors.ts";
import type { MicroblogProfile } from "../contracts/social.ts";
import type { SourceKind } from "../contracts/source.ts";
import type { View } from "../contracts/watch.contract.ts";
import type { Address } from "./sources.store.ts";

type Bus = Parameters<typeof call>[0];

const timeout = 45_000;

interface Invitation {
  kind: SourceKind;
  invite: string;
}

/** What the tracker asks of the platforms. Error messages are written for the client. */
export interface Platforms {
  /** Finds what a `sid` means. */
  resolve(wanted: { kind: SourceKind; sid: string; view?: View; asPage?: boolean }): Promise<ResolvedSource>;
  follow(source: Address): Promise<unknown>;
  admission(wanted: { kind: SourceKind; sid: string }): Promise<Admission>;
  requestJoin(invitation: Invitation): Promise<JoinState>;
  checkJoin(invitation: Invitation): Promise<JoinState>;
  profile(username: string): Promise<MicroblogProfile>;
}

/** Asks the connectors service. A request passes its context as `bus`, so that its deadline applies. */
export function platformsThrough(bus: Bus): Platforms {
  return {
    resolve: wanted => call(bus, resolveSource, wanted, { timeout }),
    follow: source => call(bus, followSource, source, { timeout }),
    admission: wanted => call(bus, admission, wanted, { timeout }),
    requestJoin: invitation => call(bus, requestJoin, invitation, { timeout }),
    checkJoin: invitation => call(bus, checkJoin, invitation, { timeout }),
    profile: username => call(bus, readMicroblogProfile, { username }, { timeout }),
  };
}

/** Whether the error means that no service did the work: nothing was done, and nothing is known about the source. */
export function isUnavailable(error: unknown): boolean {
  return isServiceUnavailable(error) || codeOf(error) === "connector_unavailable";
}

/** The error's `retry_after` in milliseconds; 0 without one. */
export function retryAfterMs(error: unknown): number {
  if (codeOf(error) === undefined) return 0;
  const seconds = Object(Object(error).data).retry_after;
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : 0;
}

/** The message of an error that a retry cannot cure, such as an unknown account or invite; null for any other error. */
export function refusal(error: unknown): string | null {
  const code = codeOf(error);
  if (code === undefined) return null;
  const status = errorStatus[code];
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isFinal ? (error as Error).message : null;
}
