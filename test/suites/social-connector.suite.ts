import type { SocialConnector } from "../../services/connectors/social/social-connector.ts";

/** A network that a driver speaks to: the sandbox itself, or a stand-in that speaks the network's protocol over sockets. */
export interface Network {
  /** The driver under test, connected to this network. */
  driver: SocialConnector;
  /** A source that anyone may read: every `sid` that means it, and what it resolves to. */
  source: { sids: string[]; externalId: string; username: string; name: string };
  /** A second one, so that followed and unfollowed can be told apart. */
  other: { sid: string; externalId: string };
  /** Well-formed, and known to nobody. */
  unknown: string;
  /** Malformed for this platform. */
  malformed: string[];
  /** Posts upstream as the source; tells the `postId` that the driver must give it. */
  post(externalId: string, text: string): Promise<string>;
  /** Breaks every live connection and takes no new one until `heal`. */
  cut(): Promise<void>;
  heal(): Promise<void>;
  /** Answers the next request with the network's way of saying "wait"; the driver waits and asks again. Absent: it has none. */
  limitNext?(): void;
  /** Whom the account follows upstream with notifications; absent where the network has no following. */
  followed?(): string[];
  /** A source that must approve, and its decision; messenger networks alone. */
  gated?: { sid: string; externalId: string; approve(): Promise<void>; asked(): number };
  close(): Promise<void>;
}
