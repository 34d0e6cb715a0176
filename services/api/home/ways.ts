import type { AnswerContext } from "../routes/route.ts";

/** An address that a client may visit next. */
export interface Way {
  name: string;
  path: string;
  title: string;
  says: string;
}

export function hasDashboard({ routeTable }: Pick<AnswerContext, "routeTable">): boolean {
  return routeTable.some(({ path }) => path === "/dashboard");
}

const dashboard: Way = {
  name: "dashboard",
  path: "/dashboard",
  title: "Dashboard",
  says: "Sources, events, deliveries, scrapes and keys. Sign in with a key or a password.",
};

const ways: Way[] = [
  {
    name: "guide",
    path: "/guide",
    title: "Guide",
    says: "How to scrape, crawl, track and receive events, with examples to copy.",
  },
  {
    name: "api_reference",
    path: "/docs",
    title: "API reference",
    says: "Every endpoint, field and error, with lines to copy.",
  },
  {
    name: "health",
    path: "/health/ready",
    title: "Health",
    says: "What works and what is missing, as JSON.",
  },
  {
    name: "openapi",
    path: "/openapi.json",
    title: "OpenAPI",
    says: "The same reference for programs: generate a client from it.",
  },
  {
    name: "asyncapi",
    path: "/asyncapi.json",
    title: "AsyncAPI",
    says: "The events of webhooks and streams, for programs.",
  },
  {
    name: "llms",
    path: "/llms.txt",
    title: "llms.txt",
    says: "The guide as Markdown, for language models.",
  },
];

/** Where a client may continue from `/`. */
export function waysOn(context: Pick<AnswerContext, "routeTable">): Way[] {
  return hasDashboard(context) ? [dashboard, ...ways] : ways;
}
