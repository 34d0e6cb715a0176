import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Limiter, Rate, Verdict } from "../../../mixins/coordination/limiter/limiter.ts";
import { fail } from "../../contracts/errors.ts";
import type { AllowList } from "../../domain/url/address-policy.ts";

const windowMs = 60_000;

/** The part of a limiter that counts guesses. */
export type Counting = Pick<Limiter, "consume" | "peek">;

export interface GuessLimiterOptions {
  /** The limiter that counts wrong guesses. */
  limiter: Counting;
  /** What is counted, apart from all else in that limiter. */
  name: string;
  /** Wrong ones that one client may send a minute. */
  perMinute: number;
  /** Called once each time that a client reaches the limit. */
  onGuessing: (client: string) => void;
}

/** Limits how fast a client can guess credentials. */
export class GuessLimiter {
  readonly #of: GuessLimiterOptions;
  readonly #rate: Rate;

  constructor(of: GuessLimiterOptions) {
    this.#of = of;
    // While Redis is away, administrators must be able to sign in and see why.
    this.#rate = { limit: of.perMinute, windowMs, isInsured: true };
  }

  /** Throws 429 `rate_limited` when the client has sent too many wrong ones. */
  async check(client: string): Promise<void> {
    refuse(await this.#of.limiter.peek(this.#place(client), this.#rate));
  }

  /** Counts a wrong one. Throws 429 `rate_limited` when it is one too many. */
  async count(client: string): Promise<void> {
    const verdict = await this.#of.limiter.consume(this.#place(client), this.#rate);
    refuse(verdict);
    if (verdict.remaining === 0) this.#of.onGuessing(client);
  }

  #place(client: string): string {
    return `guesses:${this.#of.name}:${client}`;
  }
}

function refuse({ allowed, retryAfterMs }: Verdict): void {
  if (allowed) return;
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  throw fail("rate_limited", `There were too many wrong tries. Try again in ${retryAfter} s.`, {
    retry_after: retryAfter,
  });
}

/** What identifies the sender of a request. */
export type ClientRequest = Pick<IncomingMessage, "socket" | "headers">;

const hostBitsOfIpv6 = 64;

/** What a client is counted by: its address. For IPv6 it is the /64 network, since a client can use any address in it. */
export function clientAddress(req: ClientRequest, trusted: Pick<AllowList, "hasAddress">): string {
  return networkOf(addressOf(req, trusted));
}

/**
 * The client's address: that of the connection or, behind trusted proxies, the last address in `X-Forwarded-For` that is
 * not a trusted proxy's. Addresses further left may be the client's own invention.
 */
export function addressOf(
  { socket, headers }: ClientRequest,
  trusted: Pick<AllowList, "hasAddress">,
): string {
  const hops = [...forwardedFor(headers["x-forwarded-for"]), normal(socket.remoteAddress ?? "")];
  return hops.findLast(hop => !trusted.hasAddress(hop)) ?? hops[0] ?? "";
}

function forwardedFor(header: string | string[] | undefined): string[] {
  return [header ?? []].flat().join(",").split(",").map(normal).filter(Boolean);
}

/** Unwraps IPv4 addresses of IPv6 sockets. All text that is not an address is one unknown client. */
function normal(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  return ipaddr.isValid(trimmed) ? ipaddr.process(trimmed).toString() : "unknown";
}

function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/${hostBitsOfIpv6}`).toString();
}
