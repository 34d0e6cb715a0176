/** What an API key may be bound to, and what each scope opens. Rows of the routes name those that admit a key. */
export const scopeMeanings = {
  scrape: "scrapes, parsed documents and screenshots",
  crawl: "crawls, batches and maps",
  track: "sources, monitors, previews, outgoing feeds, and questions to a network",
  webhooks: "webhook endpoints, their deliveries, tests and replays",
  read: "reads what is kept: events, streams, results, sources, deliveries, usage",
} as const;

export type KeyScope = keyof typeof scopeMeanings;

export const keyScopes = Object.keys(scopeMeanings) as KeyScope[];

/** Whether a key with these scopes may do what any of `wanted` admits. A key without scopes may do everything. */
export function admits(scopes: readonly KeyScope[] | undefined, wanted: readonly KeyScope[]): boolean {
  return scopes === undefined || wanted.some(scope => scopes.includes(scope));
}
