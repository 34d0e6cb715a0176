import type { KeyObject } from "node:crypto";
import type { ClientCertificate } from "../../../mixins/egress/agent.ts";
import type { Format } from "../../domain/delivery/formats/formats.ts";
import type { DestinationEndpoint } from "../destinations/destinations.ts";
import type { Attempted } from "../webhooks.store.ts";

/** The receiver of an attempt, and the form of its request. */
export interface Target {
  laneId: string;
  webhookId?: string;
  /** The endpoint under which the attempt is listed. */
  at?: Pick<Attempted, "webhookId" | "endpoint">;
  url: URL;
  /** There is no such endpoint any more: nothing is sent. */
  isGone?: boolean;
  inBatches: boolean;
  signingKeys: KeyObject[];
  /** The headers of the owner. Ours replace those of the same name. */
  ownHeaders?: Record<string, string>;
  /** How the body is written. */
  format?: Format | undefined;
  template?: string | null | undefined;
  /** JSONata that makes the body. */
  transform?: string | null | undefined;
  /** JSON. */
  metadata?: string | null | undefined;
  /** Milliseconds that the exchange may take. */
  timeoutMs?: number | null | undefined;
  clientCertificate?: ClientCertificate | undefined;
  /** Where the events are written to in place of a URL, and the path of the file where it has files. */
  destination?: { endpoint: DestinationEndpoint; path: string } | undefined;
}
