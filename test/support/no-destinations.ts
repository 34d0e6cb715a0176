import type { Destinations } from "../../services/webhook-dispatcher/destinations/destinations.ts";

/** For lanes whose endpoints all have URLs. */
export const noDestinations: Pick<Destinations, "write"> = {
  write: () => Promise.reject(new Error("No endpoint has a destination")),
};
