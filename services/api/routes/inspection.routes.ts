import * as contract from "../../contracts/inspection.contract.ts";
import * as schemas from "../openapi/inspection-schemas.ts";
import type { Route } from "../route.ts";

const common = { auth: "admin", tag: "Administration", method: "GET", status: 200 } as const;

/** What an installation is at, whoever asked for it; the commands of the REPL read it here. */
export const inspectionRoutes: Route[] = [
  {
    ...common,
    path: "/internal/sources",
    action: contract.listSources,
    summary: "List tracked sources",
    description: "Of all keys, with how their polling goes.",
    responses: page("The sources.", schemas.sourceStanding),
  },
  {
    ...common,
    path: "/internal/lanes",
    action: contract.listLanes,
    summary: "List webhook endpoints",
    description: "Of all keys, with how far the deliveries to them have come.",
    responses: page("The endpoints.", schemas.laneStanding),
  },
  {
    ...common,
    path: "/internal/scrapes",
    action: contract.listScrapes,
    summary: "List scrapes",
    description: "Of all keys, newest first, for as long as they are kept.",
    responses: page("The scrapes.", schemas.scrapeStanding),
  },
  {
    ...common,
    path: "/internal/crawls",
    action: contract.listCrawls,
    summary: "List crawls",
    description: "Of all keys, newest first, for as long as they are kept.",
    responses: page("The crawls.", schemas.crawlStanding),
  },
  {
    ...common,
    path: "/internal/joins",
    action: contract.listJoins,
    summary: "List requests to be let into gated channels",
    description: "Of all keys.",
    responses: page("The requests.", schemas.joinJob),
  },
];

function page(description: string, row: Record<string, unknown>): Route["responses"] {
  return { 200: { description, schema: schemas.listOf(row) } };
}
