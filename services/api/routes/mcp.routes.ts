import type { Route } from "./route.ts";

/** The Model Context Protocol: the rows with a `tool` as tools for language models. */
export const mcpRoutes: Route[] = [
  {
    name: "mcp",
    method: "POST",
    path: "/mcp",
    action: { params: {}, protocol: "mcp" },
    auth: "key",
    status: 200,
    tag: "Operations",
    hidden: true,
    summary: "Tools for language models",
    description: "Messages of the Model Context Protocol, revisions 2026-07-28 and 2025.",
    responses: { 200: { description: "The answer to the message." } },
  },
];
