import type { HostQueues } from "../../mixins/coordination/host-politeness/host-queues.ts";
import { fail } from "../contracts/errors.ts";

/** All requests of one host wait in one queue, in the order in which they came. */
const group = "";

/** Runs `work` when the URL's host has a free slot; throws `overloaded` when `signal` fires before that. */
export async function inHostSlot<T>(
  hosts: HostQueues,
  url: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  spacingMs = 0,
): Promise<T> {
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
    return work();
  };
  try {
    return await hosts.request({ group, url, spacingMs }, signal, begin);
  } catch (error) {
    throw hasBegun
      ? error
      : fail("overloaded", "Too many requests to this host are under way; try again later.", {}, error);
  }
}
