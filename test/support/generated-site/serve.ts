import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { startSite } from "../http-site.ts";
import { type Answer, answer, type Origins, type Robots } from "./answer.ts";
import type { Graph, Node } from "./node.ts";

/** One request for something that a site has. */
export interface Visit {
  host: string;
  /** Path and query as they came. */
  target: string;
  /** The node that the target stands for; null for robots.txt, sitemaps, and what the site does not have. */
  id: string | null;
  status: number;
  /** Which life of the crawler asked, as `life` told when the request came. */
  life: number;
}

export interface ServedSite extends Origins {
  /** Oldest first. */
  visits: Visit[];
  /** The most requests that were unanswered at a time. */
  busiest(): number;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** Counts the crawler's lives; always 0 unless told. */
  life?: () => number;
  robots?: Robots;
  /** Milliseconds that a slow page takes; 40 unless told. */
  slowMs?: number;
}

/** Serves a site, and the other one that it links to, on free ports of 127.0.0.1. */
export async function serveSite(
  graph: Graph,
  { life = () => 0, robots, slowMs = 40 }: ServeOptions = {},
): Promise<ServedSite> {
  const visits: Visit[] = [];
  const turnedAway = new Set<string>();
  let [open, busiest] = [0, 0];
  const origins: Origins = { origin: "", elsewhere: "" };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    open += 1;
    busiest = Math.max(busiest, open);
    response.on("close", () => {
      open -= 1;
    });
    const target = request.url ?? "";
    const given = turnAway(answer(graph, target, origins, robots), turnedAway);
    const host = request.headers.host ?? "";
    visits.push({ host, target, id: given.node?.id ?? null, status: given.status, life: life() });
    if (given.node?.slow) await delay(slowMs);
    response.writeHead(given.status, given.headers).end(given.body);
  };
  const [site, other] = [await startSite(serve), await startSite(serve)];
  Object.assign(origins, { origin: site.url, elsewhere: other.url });
  return {
    ...origins,
    visits,
    busiest: () => busiest,
    close: async () => {
      await Promise.all([site.close(), other.close()]);
    },
  };
}

/** A page that is busy answers so once, and is itself from then on. */
function turnAway(given: Answer, before: Set<string>): Answer {
  const busy = given.node as Node | null;
  if (!busy?.heals || before.has(busy.id)) return given;
  before.add(busy.id);
  return { status: busy.heals, headers: { "retry-after": "1" }, body: "", node: busy };
}
