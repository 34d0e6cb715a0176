import type { Dispatcher as Agent } from "undici";
import type { Egress } from "../../../mixins/egress/egress.ts";
import type { DestinationOptionsOf, DestinationType } from "../../contracts/destinations.ts";
import type { Blame } from "../../domain/delivery/apply-outcome.ts";
import type { OutgoingEvent } from "../lanes/active-lane.ts";

/** The events of one attempt, in log order. */
export interface WrittenBatch {
  events: readonly OutgoingEvent[];
  /** For destinations of files: the path of the file, below what the owner has named. */
  path: string;
}

/** What an endpoint writes to in place of a URL. */
export interface Destination {
  /**
   * Writes each event once; a repeat leaves behind what one write does, where the destination can tell. Resolves when the
   * destination has acknowledged all of them. Rejects with a `refusal` where it says why not, and with the error of the connection
   * otherwise; ends when the signal fires.
   */
  write(batch: WrittenBatch, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What drivers open destinations with. Every connection goes through `agent` or is vetted by `egress`. */
export interface DestinationWays {
  agent: Agent;
  egress: Pick<Egress, "vet">;
  /** The operator's folder for files; undefined: there is none. */
  folder: string | undefined;
}

/** The endpoint that is written for. */
export interface Writer {
  keyId: string;
  webhookId: string;
}

/** Opens a destination; `options` have their secrets. The library of its type is loaded with the first one. */
export type OpenDestination<Type extends DestinationType> = (
  options: DestinationOptionsOf<Type>,
  writer: Writer,
  ways: DestinationWays,
  signal: AbortSignal,
) => Promise<Destination>;

const refusedCode = "DESTINATION_REFUSED";

/** The destination has said no. */
export interface Refusal {
  code: typeof refusedCode;
  /** In plain words, without secrets. */
  message: string;
  /** Where it speaks HTTP. */
  status?: number;
  blame?: Blame;
  /** The header `Retry-After`. */
  retryAfter?: string | undefined;
}

/** An error with what the destination says against a write. */
export function refusal(message: string, more: Omit<Refusal, "code" | "message"> = {}): Error & Refusal {
  return Object.assign(new Error(message), { code: refusedCode, ...more } as const);
}

export function isRefusal(error: unknown): error is Refusal {
  return Object(error).code === refusedCode;
}
