import { repeatable } from "./action.ts";
import { type Infer, list, named, nullableText, text, withMessage } from "./schema.ts";
import { sourceKind } from "./source.ts";

const item = named("PreviewItem", {
  title: { ...nullableText, description: "Its title, or how its text begins." },
  url: nullableText,
  published_at: {
    ...nullableText,
    format: "date-time",
    description: "Null where the source gives none.",
  },
});

/** What would be watched. */
const preview = named("SourcePreview", {
  source: {
    ...text,
    description: "The kind in upper case: a page that names a feed is tracked as that feed.",
  },
  sid: { ...text, description: "As asked for." },
  name: { ...text, description: "Display name; for pages and feeds the title." },
  url: { ...nullableText, description: "The address that is polled; null for accounts and channels." },
  text: {
    ...nullableText,
    description:
      "Of a page: the content that is compared, as Markdown, at most 20 KB. Null for other sources.",
  },
  items: {
    ...list(item),
    nullable: true,
    description:
      "The newest of a feed, account or channel, at most ten; null where there is nothing to read now.",
  },
});
export type Preview = Infer<typeof preview>;

/** Reads a source as a poll would, and stores nothing. Its errors are those of tracking it. */
export const previewSource = repeatable("connectors.preview", {
  params: {
    source: sourceKind,
    sid: {
      type: "string",
      trim: true,
      min: 1,
      max: 2048,
      description: "As `POST /track/{source}` takes it.",
    },
  },
  result: withMessage(preview),
});
