import { type MapRequest, mapSite } from "../../contracts/map.contract.ts";
import { mapTool } from "../mcp/tools.ts";
import type { Route } from "./route.ts";

const { default: usualMs, max: longestMs } = mapSite.params.timeout as { default: number; max: number };
/** Time for the way, and for putting in order what was found. */
const marginMs = 15_000;

export const mapRoutes: Route[] = [
  {
    auth: "key",
    tag: "Web",
    status: 200,
    name: "mapSite",
    method: "POST",
    path: "/web/map",
    action: mapSite,
    tool: mapTool,
    timeoutMs: mapTimeout,
    summary: "List the pages of a site",
    description:
      "Finds URLs without reading their pages: those of the site's sitemaps, the links of the entry page, and what crawls " +
      "and batches of your key know. Each page is there once, however its URL is spelled. It obeys robots.txt (as " +
      "`Magpie`). With `search` the pages whose URL, title or link has its words come first.",
    examples: {
      "a site": { url: "https://example.com/" },
      "about one thing": { url: "https://example.com/docs/", search: "install on linux", limit: 20 },
    },
    responses: {
      200: {
        description: "What was found.",
        example: {
          url: "https://example.com/docs/",
          data: [
            {
              url: "https://example.com/docs/install",
              title: "Install on Linux, macOS and Windows",
              description: null,
            },
          ],
          total: 1,
          complete: true,
        },
      },
    },
    errors: [
      "invalid_url",
      "url_not_allowed",
      "scrape_timeout",
      "target_unreachable",
      "target_blocked",
      "tls_error",
      "upstream_error",
    ],
  },
];

/** Parameters are not validated yet: the crawler refuses what is not a number within bounds. */
function mapTimeout({ timeout }: Partial<Record<keyof MapRequest, unknown>>): number {
  const wanted = typeof timeout === "number" && timeout > 0 ? timeout : usualMs;
  return Math.min(wanted, longestMs) + marginMs;
}
