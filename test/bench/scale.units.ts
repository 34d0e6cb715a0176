import { setTimeout as delay } from "node:timers/promises";
import { rate } from "./compare.ts";
import type { Place } from "./scale.place.ts";

const lanes = 4;
const pollSeconds = 12;

/** Something that a cluster does, and the services whose CPU time is told for it. */
export interface Unit {
  name: string;
  services: string[];
  /** Does it some times; answers how many. */
  work(place: Place): Promise<number>;
}

export const units: Unit[] = [
  {
    name: "API requests",
    services: ["api", "keys"],
    work: ({ visitor }) => times(1000, 16, () => visitor.ask("GET", "/users/me/api-keys")),
  },
  {
    name: "plain scrapes",
    services: ["api", "scraper"],
    work: ({ visitor, pages }) => times(150, lanes, n => visitor.scrape(pages[n % pages.length] ?? "")),
  },
  { name: "deliveries", services: ["webhook-dispatcher"], work: ({ deliver }) => deliver(100) },
  { name: "polls that find an item", services: ["tracker", "connectors"], work: polls("new", 8) },
  { name: "polls that find nothing", services: ["tracker", "connectors"], work: polls("same", 64) },
];

async function times(count: number, lanes: number, work: (n: number) => Promise<unknown>): Promise<number> {
  await rate([...Array(count).keys()], lanes, work);
  return count;
}

/**
 * Of so many feeds, tracked from the first
 * time on; what is under way at either end of the time is few of many.
 */
function polls(mode: "new" | "same", feeds: number): Unit["work"] {
  return async place => {
    await place.trackFeeds(feeds);
    await place.readings(mode);
    await delay(pollSeconds * 1000);
    return await place.readings(mode);
  };
}
