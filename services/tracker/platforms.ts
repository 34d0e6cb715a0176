import { call } from "../contracts/action.ts";
import { type ResolvedSource, resolveSource } from "../contracts/connectors.contract.ts";
import {
  type Admission,
  admission,
  checkJoin,
  followSource,
  type JoinStanding,
  microblogProfile,
  requestJoin,
} from "../contracts/platforms.contract.ts";
import type { MicroblogProfile } from "../contracts/social.ts";
import type { SourceKind } from "../contracts/source.ts";

type Bus = Parameters<typeof call>[0];

const timeout = 45_000;

/** A source as its platform knows it. */
export interface Address {
  kind: SourceKind;
  externalId: string;
}

interface Invitation {
  kind: SourceKind;
  invite: string;
}

/** What tracking asks of the platforms; the errors are the client's to read. */
export interface Platforms {
  /** Finds what a `sid` means. */
  resolve(wanted: { kind: SourceKind; sid: string }): Promise<ResolvedSource>;
  follow(source: Address): Promise<unknown>;
  admission(wanted: { kind: SourceKind; sid: string }): Promise<Admission>;
  requestJoin(invitation: Invitation): Promise<JoinStanding>;
  checkJoin(invitation: Invitation): Promise<JoinStanding>;
  profile(username: string): Promise<MicroblogProfile>;
}

/** The platforms through the connectors room: for a request through its context, so that its deadline holds. */
export function platformsThrough(bus: Bus): Platforms {
  return {
    resolve: wanted => call(bus, resolveSource, wanted, { timeout }),
    follow: source => call(bus, followSource, source, { timeout }),
    admission: wanted => call(bus, admission, wanted, { timeout }),
    requestJoin: invitation => call(bus, requestJoin, invitation, { timeout }),
    checkJoin: invitation => call(bus, checkJoin, invitation, { timeout }),
    profile: username => call(bus, microblogProfile, { username }, { timeout }),
  };
}
