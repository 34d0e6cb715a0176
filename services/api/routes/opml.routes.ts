import { exportOpml, importOpml, opmlType } from "../../contracts/opml.contract.ts";
import { feedExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const common = { auth: "key", tag: "Tracking", status: 200, path: "/track/opml" } as const;

/** An import waits ten seconds for its batch. */
const waitMs = 30_000;
const maxBytes = 4 * 1024 * 1024;

const document = `<?xml version="1.0" encoding="utf-8"?>
<opml version="2.0">
  <head><title>Birds</title></head>
  <body>
    <outline text="Journals">
      <outline type="rss" text="Journal of birds" xmlUrl="https://example.com/feed.xml"/>
    </outline>
  </body>
</opml>
`;

const example = {
  data: {
    mode: "add",
    dry_run: false,
    state: "completed",
    batch_id: "trk_01JQ4T5W6X7Y8Z9ABCDEFGHJKM",
    added: 1,
    kept: 0,
    removed: 0,
    waiting: 0,
    pending: 0,
    failed: 0,
    entries: [
      {
        line: 6,
        outcome: "added",
        title: "Journal of birds",
        source: "rss",
        sid: feedExample.externalId,
        tags: ["Journals"],
        data: feedExample,
      },
    ],
  },
  message: "Sources: 1 added.",
};

/** The list of a key as OPML. */
export const opmlRoutes: Route[] = [
  {
    ...common,
    name: "exportSources",
    scopes: ["read", "track"],
    method: "GET",
    action: exportOpml,
    summary: "Export tracked sources as OPML",
    description:
      "Each tag is a folder. Feeds are as every reader knows them; what OPML cannot say (pages, accounts, channels, options) " +
      "is in attributes of the namespace `urn:magpie:opml`. Secrets are left out.",
    responses: { 200: { description: "The document.", type: opmlType, example: document } },
  },
  {
    ...common,
    name: "importSources",
    scopes: ["track"],
    method: "POST",
    action: importOpml,
    raw: {
      headers: { content_type: "content-type" },
      media: { type: "text/x-opml", example: document },
      maxBytes,
    },
    timeoutMs: () => waitMs,
    summary: "Import sources from OPML",
    description:
      "Takes the document of any reader, as the body, with any content type. Folders and `category` become tags, as `A/B` " +
      "where one is in another. What is new is tracked as `POST /track/batch` tracks it. The entries say what becomes of " +
      "each outline, by its line.\n\n" +
      "`mode=sync` makes the list equal to the document. Feeds that it does not name are no longer tracked; pages only where " +
      "the document is Magpie's own; accounts, servers and channels stay. `dry_run=true` says what would happen.",
    responses: {
      200: { description: "All entries have ended.", example },
      202: {
        description: "Some are still to be tracked, after ten seconds.",
        example: {
          ...example,
          data: {
            ...example.data,
            state: "running",
            added: 0,
            pending: 1,
            entries: [
              {
                line: 6,
                outcome: "pending",
                title: "Journal of birds",
                source: "rss",
                sid: feedExample.externalId,
                tags: ["Journals"],
              },
            ],
          },
          message: "Sources: 1 pending.",
        },
      },
    },
    errors: ["payload_too_large"],
  },
];
