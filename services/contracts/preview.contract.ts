import { repeatable } from "./action.ts";
import { pagePicture } from "./page-reads.contract.ts";
import { type Infer, list, named, nullableText, object, orNull, text, withMessage } from "./schema.ts";
import { sourceKind } from "./source.ts";
import { viewPreview, watchOptions } from "./watch.contract.ts";

const item = named("PreviewItem", {
  title: { ...nullableText, description: "Its title, or how its text begins." },
  url: nullableText,
  published_at: {
    ...nullableText,
    format: "date-time",
    description: "Null where the source gives none.",
  },
});

const outlinePart = named("OutlinePart", {
  tag: { ...text, description: "The tag, in lower case." },
  text: { ...text, description: "What it says, at most 300 characters." },
  selector: { ...text, description: "A CSS selector for `select` or `remove`." },
  within: {
    ...list(object({ tag: text, selector: text })),
    description: "The elements around it, the nearest first.",
  },
});
export type OutlinePart = Infer<typeof outlinePart>;

/** What would be watched. */
const preview = named("SourcePreview", {
  source: {
    ...text,
    description: "The kind in upper case: a page that names a feed is tracked as that feed.",
  },
  sid: { ...text, description: "As asked for." },
  name: { ...text, description: "Display name; for pages and feeds the title." },
  network: {
    ...text,
    optional: true,
    description: "Of an account, channel or chat server: the network that it would be tracked on.",
  },
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
      "The newest of a feed, account or channel, at most ten, or with `options.items` the entries of a page, at most 50; null where there is nothing to read now.",
  },
  view: {
    ...viewPreview,
    name: "WatchPreview",
    optional: true,
    description: "Of a page: what the options see of it.",
  },
  outline: {
    ...list(outlinePart),
    nullable: true,
    optional: true,
    description: "With `with_page`: the parts of the page that hold its text, to point at; null without.",
  },
  picture: {
    ...orNull(pagePicture),
    optional: true,
    description: "With `with_picture`: the page as a browser shows it; null where none could.",
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
    options: {
      ...watchOptions,
      optional: true,
      description:
        "As `POST /track/{source}` takes them. Values `•••` are those of the key's own watch of exactly this address.",
    },
    with_page: {
      type: "boolean",
      optional: true,
      description: "Of a page: answers its parts too, as `outline`.",
    },
    with_picture: {
      type: "boolean",
      optional: true,
      description: "Of a page: answers its parts, and a picture of it with their places.",
    },
  },
  result: withMessage(preview),
});
