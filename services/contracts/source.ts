/** The kinds of source, as paths name them. Those with a driver in this installation can be tracked. */
export const sourceKinds = ["microblog", "chatserver", "messenger", "web", "rss"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** A tracked source, as every answer and event shows it. One upstream source has one id, whoever tracks it. */
export interface Source {
  /** UUID; `iid` when untracking. */
  id: string;
  /** Upper case, for example `RSS`. */
  source: string;
  /** What the platform calls it; for feeds and pages the canonical URL. `eid` when untracking. */
  externalId: string;
  /** Handle; for feeds and pages the host. */
  username: string;
  /** Display name; for feeds and pages their title. */
  name: string;
}

export interface DatedSource extends Source {
  /** ISO 8601; when the calling key began to track it. */
  createdAt: string;
  /** ISO 8601; when the source last changed its name, address or state. */
  updatedAt: string;
}
