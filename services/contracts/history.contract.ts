/** What sources said and how their checks went, as the keys that track them may read it: `services/history`. */
import { type ParamsOf, repeatable } from "./action.ts";
import { nullableTime } from "./paging.ts";
import {
  count,
  cursor,
  type Infer,
  limit,
  list,
  named,
  nothing,
  nullableText,
  object,
  orNull,
  rule,
  text,
  time,
  trusted,
  withMessage,
} from "./schema.ts";
import { siteSummary } from "./site-pages.contract.ts";
import { externalId, sourceKind } from "./source.ts";
import { trackedSource } from "./source-lists.contract.ts";
import { type View, type ViewPast, watchChanges } from "./watch.contract.ts";

const id = rule({ type: "string", min: 1, max: 64, description: "`id` of a source that the key tracks." });
const versionId = rule({
  type: "string",
  pattern: /^[0-9A-HJKMNP-TV-Z]{26}$/,
  messages: { stringPattern: "must be the id of a version" },
  description: "`id` of a version.",
});
const instant = rule({
  type: "string",
  min: 4,
  max: 40,
  description: "ISO 8601: a day, or a time with its zone.",
});
const item = rule({
  type: "string",
  min: 1,
  max: 2048,
  optional: true,
  description:
    "Of a feed: the versions of this item alone; of a site: of this page, by its address. `item` of a version.",
});

const checkOutcomes = ["same", "changed", "held", "muted", "failed"] as const;
const versionOutcomes = ["first", "changed", "held", "muted", "same"] as const;

/** Checks in a row with the same outcome and reason. */
const check = named("Check", {
  at: { ...time, description: "When the latest of these checks began." },
  since: { ...time, description: "When the first of them began." },
  checks: { ...count, description: "How many there were in a row, with the same outcome and reason." },
  outcome: {
    type: "enum",
    values: checkOutcomes,
    description:
      "`same`; `changed`: it made an event; `held`: a condition of `when` held it; `muted`: only restless lines changed; `failed`.",
  },
  reason: { ...text, description: "Why, in a sentence." },
  status: { type: "number", integer: true, nullable: true, description: "The HTTP status." },
  engine: { type: "enum", values: ["http", "browser"], nullable: true },
  took_ms: count,
  version: { ...nullableText, description: "The version that the latest one found." },
  event_id: { ...nullableText, description: "The calling key's event that it made." },
});
export type Check = Infer<typeof check>;

const version = named("Version", {
  id: text,
  at: { ...time, description: "When a check first saw it." },
  until: { ...nullableTime, description: "When the next version was seen; null for the latest one." },
  title: text,
  item: { ...nullableText, description: "Of a feed: the item; of a site: the address of the page." },
  outcome: {
    type: "enum",
    values: versionOutcomes,
    description: "`first`: the baseline; `changed`: it made an event; `held` or `muted`: it made none.",
  },
  reason: text,
  added: { ...count, description: "Lines that are new in it." },
  removed: count,
  event_id: nullableText,
});
export type Version = Infer<typeof version>;

const historyCursor = { ...cursor, description: "`next_cursor` of the page before." } as const;

/** A page of a list, newest first. */
function listed<const R extends Parameters<typeof list>[0]>(items: R) {
  return object({ data: list(items), next_cursor: nullableText, message: text });
}

/** A tracked source, how its checks go, and what is kept of it. */
const sourceDetail = named("SourceDetail", {
  ...trackedSource.props,
  last_check: { ...orNull(check), description: "The latest checks; null before the first one." },
  interval_ms: { ...count, nullable: true, description: "The wait between the last check and the next." },
  versions: { ...count, description: "Versions that are kept." },
  bytes: { ...count, description: "What they take." },
  events: { ...count, description: "Versions of which an event was made." },
  values: {
    type: "record",
    value: { type: "any", nullable: true },
    description: "The latest number (`value`) and fields.",
  },
  watched_from: { ...time, description: "From when on the calling key may read its past." },
  site: { ...siteSummary, optional: true, description: "Of a site: its pages." },
});
export type SourceDetail = Infer<typeof sourceDetail>;

/** A source that the calling key tracks; 404 for any other. */
export const readSource = repeatable("history.source", {
  params: { id },
  result: withMessage(sourceDetail),
});

/** The checks of a source. */
export const listChecks = repeatable("history.checks", {
  params: {
    id,
    outcome: {
      type: "enum",
      values: checkOutcomes,
      optional: true,
      description: "Only checks with this outcome.",
    },
    limit: limit("Rows, each of which is a run of equal checks."),
    cursor: historyCursor,
  },
  result: listed(check),
});

/** The versions of a source. With `at` the one that was there then, alone. */
export const listVersions = repeatable("history.versions", {
  params: {
    id,
    item,
    at: { ...instant, optional: true, description: "What it said at this time: one version, or none." },
    all: {
      type: "boolean",
      optional: true,
      description:
        "Also the versions in which nothing counted: what differs is outside of the view, or changes all the time.",
    },
    limit: limit("Versions."),
    cursor: historyCursor,
  },
  result: listed(version),
});

/** A single version. As `json` with its facts and text; as the other forms, the content alone. */
export const readVersion = repeatable("history.version", {
  params: {
    id,
    version: versionId,
    as: {
      type: "enum",
      values: ["json", "markdown", "text", "html", "picture"],
      default: "json",
      description:
        "`json` holds the text and the Markdown; `markdown`, `text` and `html` are answered alone; `picture`, a PNG, where the watch takes pictures.",
    },
  },
  result: { type: "any" },
});

/** What `readVersion` answers as `json`. */
const versionContent = named("VersionContent", {
  ...version.props,
  text: { ...text, description: "What the watch compares, a line for each block." },
  markdown: { ...text, description: "The main content of the page, or the item." },
  fields: { type: "object", nullable: true, description: "With `options.json`: the fields that were found." },
  has_picture: { type: "boolean", description: "Whether `as=picture` has one." },
});
export type VersionContent = Infer<typeof versionContent>;
export const versionAnswer = withMessage(versionContent);

const diffPart = named("DiffPart", {
  text,
  kind: { type: "enum", values: ["same", "added", "removed"] },
});

/** How two versions differ. */
export const diffVersions = repeatable("history.diff", {
  params: {
    id,
    from: { ...versionId, optional: true, description: "By default the version before `to`." },
    to: { ...versionId, optional: true, description: "By default the latest version." },
    item: { ...item, description: "Without `to`: the latest version of this item or page." },
    as: {
      type: "enum",
      values: ["lines", "unified", "html"],
      default: "lines",
      description: "`lines`, as JSON; `unified`, as text; `html`, by words, in colour.",
    },
  },
  result: { type: "any" },
});

const diffLine = named("DiffLine", {
  kind: {
    type: "enum",
    values: ["same", "added", "removed", "changed", "moved", "gap"],
    description: "`moved`: at its new place; `gap`: lines that both have, left out.",
  },
  parts: { ...list(diffPart), description: "Of a changed line by words." },
  skipped: { ...count, optional: true, description: "Of a gap: how many lines." },
});

/** What `diffVersions` answers as `lines`. */
const lineDiff = named("VersionDiff", {
  from: nullableText,
  to: text,
  added: list(text),
  removed: list(text),
  moved: { ...list(text), description: "Lines that changed their place, with the words for it." },
  lines: {
    ...list(diffLine),
    description: "What changed, in order, with three lines around it.",
  },
  truncated: {
    type: "boolean",
    description: "They differ too much to be compared line by line: one is shown after the other.",
  },
});
export type LineDiff = Infer<typeof lineDiff>;
export const diffAnswer = withMessage(lineDiff);

/** The values of a source over time. */
export const listValues = repeatable("history.values", {
  params: {
    id,
    field: {
      type: "string",
      min: 1,
      max: 200,
      optional: true,
      description: "By default all; `value` is the number of `when.value`.",
    },
    from: { ...instant, optional: true },
    to: { ...instant, optional: true },
    every: {
      type: "string",
      pattern: /^[1-9]\d{0,4}[mhdw]$/,
      messages: { stringPattern: "must be a number of minutes, hours, days or weeks, such as 1h or 1d" },
      optional: true,
      description: "One point for each such span: the last value in it. Without it, one for each change.",
    },
    as: { type: "enum", values: ["json", "csv"], default: "json", description: "`csv` is for spreadsheets." },
    limit: limit("Points.", { max: 10_000, default: 1000 }),
  },
  result: { type: "any" },
});

const point = named("ValuePoint", {
  at: { ...time, description: "With `every`, when the span begins." },
  field: text,
  value: {
    type: "any",
    nullable: true,
    description: "A number, a text, true or false; null where there was none.",
  },
});

/** What `listValues` answers as `json`. */
export const seriesAnswer = object({
  data: { ...list(point), description: "Oldest first." },
  truncated: { type: "boolean", description: "There are earlier points: ask with `to`." },
  message: text,
});

const rehearsed = named("RehearsedCheck", {
  at: time,
  version: text,
  outcome: { type: "enum", values: checkOutcomes },
  reason: text,
  change: {
    ...named("RehearsedChange", { added: list(text), removed: list(text) }),
    nullable: true,
    description: "What the event would have said.",
  },
});

/** What options would have made of the kept versions. */
export const rehearsal = named("Rehearsal", {
  from: { ...nullableTime, description: "The first version that was looked at; null where there is none." },
  to: nullableTime,
  checks: { ...count, description: "Checks in that time." },
  fired: { ...count, description: "How many of them would have made an event." },
  events: { ...list(rehearsed), description: "These, the latest first, at most 100." },
  held: { ...list(rehearsed), description: "The latest that were held or muted, at most 20." },
  why: { ...text, description: "A sentence: in the last 30 days this would have fired 4 times." },
});
export type Rehearsal = Infer<typeof rehearsal>;

/** Judges the kept versions by other options; it changes nothing. What `options` does not name stays as it is. */
export const rehearse = repeatable("history.rehearse", {
  params: {
    id,
    options: { ...watchChanges, optional: true, description: "What to change; by default nothing." },
    days: {
      type: "number",
      integer: true,
      min: 1,
      max: 3650,
      default: 30,
      convert: true,
      description: "How far back.",
    },
  },
  result: withMessage(rehearsal),
});

/** What a key's own versions of an address say of a view that it does not have yet; null where it has none. */
export const tryView = repeatable("history.tryView", {
  params: { keyId: text, kind: sourceKind, externalId, view: trusted<View>(), days: count },
  result: object({ past: { ...trusted<ViewPast>(), nullable: true } }),
});

/** Erases the past of a source for the calling key, for good: all but the latest version. */
export const eraseVersions = repeatable("history.erase", { params: { id }, result: nothing });

const found = named("Found", {
  kind: { type: "enum", values: ["version", "event"] },
  at: time,
  source: { ...object({ id: text, source: text, name: text, externalId: text }) },
  title: text,
  passage: { ...text, description: "Around the words, which are between `**`." },
  version: nullableText,
  event_id: nullableText,
  url: nullableText,
});
export type Found = Infer<typeof found>;

/** Searches what the key's sources said. */
export const searchHistory = repeatable("history.search", {
  params: {
    q: {
      type: "string",
      trim: true,
      min: 1,
      max: 500,
      description:
        'Words that must all be there; `"a phrase"`, `prefix*`, `-without`, `source:<id or kind>`, `tag:<tag>`, `after:2026-03-01`, `before:2026-04-01`.',
    },
    limit: limit("Passages."),
    cursor: historyCursor,
  },
  result: listed(found),
});
export type SearchWanted = ParamsOf<typeof searchHistory>;
