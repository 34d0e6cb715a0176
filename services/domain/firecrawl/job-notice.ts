import { documentOf, type PageData } from "./document.ts";

/** What a job tells its webhook: that it has begun or ended, or that a page has. */
export interface JobNews {
  id: string;
  kind: "crawl" | "batch";
  event: "started" | "page" | "completed" | "failed";
  /** The page that has ended, where the event is that. */
  page?: PageData;
  /** Why the job, or the page, has failed. */
  error?: string;
  metadata?: Record<string, unknown>;
}

/** The body of a webhook's delivery as Firecrawl's receivers read it. A page that failed is an error without a document. */
export function firecrawlNotice({
  id,
  kind,
  event,
  page,
  error,
  metadata = {},
}: JobNews): Record<string, unknown> {
  const name = kind === "batch" ? "batch_scrape" : kind;
  return {
    success: error === undefined,
    type: `${name}.${event}`,
    id,
    data: page && error === undefined ? [documentOf(page)] : [],
    metadata,
    ...(error !== undefined && { error }),
  };
}
