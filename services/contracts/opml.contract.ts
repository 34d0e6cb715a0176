import { action, repeatable } from "./action.ts";
import {
  count,
  type Infer,
  list,
  named,
  nullableText,
  object,
  rule,
  text,
  unchecked,
  withMessage,
} from "./schema.ts";
import { source, sourceKind, tags } from "./source.ts";

/*
 * A key's list of sources as OPML, which readers of feeds write and read (services/domain/opml).
 */

export const opmlType = "text/x-opml; charset=utf-8";

/** The sources that the calling key tracks, as an OPML document. */
export const exportOpml = repeatable("tracker.exportOpml", { params: {}, result: unchecked<string>() });

const mode = rule({ type: "enum", values: ["add", "sync"] });
const dryRun = { type: "boolean", description: "Whether this only says what it would do." } as const;

const outcome = rule({
  type: "enum",
  values: ["added", "kept", "removed", "waiting", "pending", "failed"],
  description:
    "`added`: tracked from now on; `kept`: tracked before; `removed`: no longer tracked; `waiting` for somebody who must approve us; `pending`: the batch has not come to it; `failed`: not tracked, for the reason in `error`.",
});
export type OpmlOutcome = Infer<typeof outcome>;

const entry = named("OpmlEntry", {
  line: {
    ...count,
    nullable: true,
    description: "Where the document names it; null for a source that it does not name.",
  },
  outcome,
  title: { ...text, description: "As the document has it; else the name of the source." },
  source: { ...sourceKind, nullable: true, description: "The kind; null where the outline names none." },
  sid: { ...nullableText, description: "The address; null where the outline has none." },
  tags,
  data: { ...source, optional: true, description: "The source, once it is known." },
  error: { ...object({ code: text, message: text }), optional: true, description: "Why it failed." },
});
export type OpmlEntry = Infer<typeof entry>;

const imported = named("OpmlImport", {
  mode,
  dry_run: dryRun,
  state: {
    type: "enum",
    values: ["running", "completed"],
    description: "`running` while entries are pending. The batch continues by itself.",
  },
  batch_id: {
    ...nullableText,
    description: "`GET /track-batches/{batch_id}` has what becomes of the entries; null without a batch.",
  },
  added: { ...count, description: "Sources that are tracked from now on." },
  kept: { ...count, description: "Sources of the document that the key tracked before." },
  removed: { ...count, description: "Sources that are no longer tracked." },
  waiting: { ...count, description: "Private channels that must approve us first." },
  pending: { ...count, description: "Entries of the batch that are still to come." },
  failed: {
    ...count,
    description: "Outlines that do not name a source, and sources that cannot be tracked.",
  },
  entries: { ...list(entry), description: "In the order of the document; removed sources at the end." },
});
export type OpmlImport = Infer<typeof imported>;

/**
 * Tracks the sources of an OPML document: 200 when all has been done within ten seconds, 202 while a batch is running.
 * 400 for what is not OPML.
 */
export const importOpml = action("tracker.importOpml", {
  params: {
    mode: {
      ...mode,
      default: "add",
      description:
        "`add` tracks what is new, and adds tags to what is not. `sync` makes the list equal to the document: tags become those of the document, and feeds that it does not name are no longer tracked.",
    },
    dry_run: { ...dryRun, default: false },
    content_type: { type: "string", max: 256, optional: true, description: "It may name the encoding." },
    body: {
      type: "string",
      description: "An OPML document of at most 4 MB, 5,000 sources and 20,000 elements.",
    },
  },
  result: withMessage(imported),
});
