import type { Use } from "../domain/crawl/content-usage.ts";
import { contentUses } from "./content-uses.ts";
import { judgeOptions, searchOptions, siteOptions, socialOptions } from "./kind-options.ts";
import { type NamedSession, namedSession, pageActions, session, waitFor } from "./page-actions.ts";
import { watchProxy } from "./page-options.ts";
import { type Fields, type Infer, list, named, object, rule, text } from "./schema.ts";
import { source, tags } from "./source.ts";

/*
 * How a key wants to track a source: its tags, and the view through which a page or feed is read. Keys with equal
 * views of one source share it.
 */

const selectors = (max: number, description: string) =>
  ({ type: "array", max, items: { type: "string", trim: true, min: 1, max: 1000 }, description }) as const;

const texts = (max: number, description: string) =>
  ({ type: "array", max, items: { type: "string", min: 1, max: 1000 }, description }) as const;

const clock = (pattern: RegExp, description: string) =>
  ({
    type: "string",
    pattern,
    messages: { stringPattern: "must be a time of day such as 08:00" },
    optional: true,
    description,
  }) as const;

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const schedule = rule({
  type: "object",
  name: "WatchSchedule",
  strict: true,
  props: {
    time_zone: { type: "string", min: 1, max: 64, description: "IANA name, for example `Europe/Vienna`." },
    cron: {
      type: "string",
      trim: true,
      min: 1,
      max: 200,
      optional: true,
      description:
        "Polls at these times: a cron expression of five fields, such as `0 9 * * mon-fri`. A time that was missed is made up for once. In place of `days`, `from`, `to` and of `interval`.",
    },
    days: {
      type: "array",
      min: 1,
      max: 7,
      unique: true,
      items: { type: "enum", values: days },
      optional: true,
      description: "By default every day. A window over midnight belongs to the day on which it begins.",
    },
    from: clock(/^([01]\d|2[0-3]):[0-5]\d$/, "Local time; by default `00:00`."),
    to: clock(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "Local time; by default `24:00`."),
  },
});

const number = (description: string) => ({ type: "number", optional: true, description }) as const;
const flag = (description: string) => ({ type: "boolean", optional: true, description }) as const;

const conditions = rule({
  type: "object",
  name: "WatchConditions",
  strict: true,
  props: {
    contains: { ...texts(20, "Only when one of these is there; a text, or `/RE2/flags`."), optional: true },
    not_contains: { ...texts(20, "Only when none of these is there."), optional: true },
    added_only: flag("Only when something was added."),
    removed_only: flag("Only when something was removed."),
    value: {
      type: "object",
      name: "WatchValue",
      strict: true,
      optional: true,
      description: "A number on the page: the first one of what `select` finds, or of the text.",
      props: {
        select: {
          type: "string",
          trim: true,
          min: 1,
          max: 1000,
          optional: true,
          description: "CSS or XPath.",
        },
        below: number("When it falls below this; again after it was not below."),
        above: number("When it rises above this; again after it was not above."),
        changed_by_percent: {
          ...number("When it differs by at least so much from the last one that was reported."),
          min: 0,
        },
      },
    },
  },
});

const json = rule({
  type: "object",
  name: "WatchJson",
  strict: true,
  props: {
    schema: { type: "object", optional: true, description: "JSON Schema of the fields." },
    recipe: { type: "object", optional: true, description: "`data.json_recipe` of a scrape." },
  },
});

const extract = rule({
  type: "object",
  name: "WatchExtract",
  strict: true,
  props: {
    json_path: {
      ...selectors(20, "JSONPath (RFC 9535) for JSON: `$.items[*].price`, or `$` for all of it."),
      optional: true,
    },
    xpath: {
      ...selectors(
        20,
        "XPath 1.0 for XML of any content type: `//Version`. Prefixes are those of the document.",
      ),
      optional: true,
    },
  },
});

const values = (description: string) =>
  ({ type: "record", value: { type: "string", max: 4096, empty: true }, description }) as const;

const keep = rule({
  type: "object",
  name: "WatchKeep",
  strict: true,
  props: {
    days: { type: "number", integer: true, min: 1, max: 36_500, optional: true, description: "Days." },
    versions: {
      type: "number",
      integer: true,
      min: 1,
      max: 1_000_000,
      optional: true,
      description: "Versions, at most.",
    },
  },
});

/** Bytes of the body of a request, at most. */
export const maxBodyBytes = 65_536;

/** The options without whether they may be left out. */
const fields = {
  tags,
  interval: {
    type: "string",
    pattern: /^[1-9]\d{0,5}[mhd]$/,
    messages: { stringPattern: "must be a number of minutes, hours or days, such as 15m, 2h or 1d" },
    description:
      "`15m`, `2h`, `1d`: how often to poll, at least `POLL_MIN_INTERVAL` and at most `30d`. Without it Magpie chooses by how often the source has news.",
  },
  schedule: { ...schedule, description: "When to poll, in local time; never outside of it." },
  paused: {
    type: "boolean",
    description:
      "Not polled, unless a poll is asked for, until this is removed: then it is polled at once, and what has changed meanwhile is told.",
  },
  select: selectors(
    20,
    "Only these parts of a page: CSS selectors, or XPath where they begin with `/` or `xpath:`.",
  ),
  content: {
    type: "enum",
    values: ["page", "main", "full"],
    description:
      "What of a page counts without `select`: `page`, the default, is all but advertisements, consent banners, navigation and related things; `main` is the main content alone. `full`, of a feed: each item has the text of its page.",
  },
  remove: selectors(50, "Without these parts of a page: CSS or XPath."),
  ignore: texts(50, "Lines that contain one of these texts, or match `/RE2/flags`, are no news."),
  when: { ...conditions, description: "What a change must be to be reported; all conditions must hold." },
  unique_lines: {
    type: "boolean",
    description: "A line that the page has shown before is no news, wherever it is.",
  },
  render: {
    type: "enum",
    values: ["auto", "never", "always"],
    description: "Whether a browser runs the page's scripts; `auto`, the default: where they change it.",
  },
  wait_for: {
    ...waitFor,
    name: "WatchWaitFor",
    description:
      "What a browser waits for before it reads a page: a CSS selector, or milliseconds. The parts that `select` names are waited for in any case.",
  },
  actions: {
    ...pageActions,
    description:
      "Carried out in order before each reading of a page, which a browser then shows; their waits together take 20 s at most. Typed texts are encrypted at rest and shown as `•••`; one that is sent so means the former text for the same selector.",
  },
  proxy: watchProxy,
  session: {
    ...session,
    description:
      "It is read in the session of the key for its site by this name. A `login` is kept encrypted with the session, and no answer shows it.",
  },
  method: {
    type: "enum",
    values: ["GET", "POST"],
    description:
      "How the page is asked for, by default `GET`. `POST` sends `body`, and reads the answer as it is, without a browser.",
  },
  body: {
    type: "multi",
    rules: [{ type: "string", min: 1, max: maxBodyBytes }, { type: "object" }],
    description:
      "Sent with `POST`, at most 64 KB: an object as JSON, a text as the form or as what the header `content-type` says. Encrypted at rest, shown as `•••`; one that is sent so leaves the former one.",
  },
  content_uses: {
    ...contentUses,
    description:
      "What the content is wanted for, beside what the key names: a page whose site refuses one of them is not read.",
  },
  headers: values(
    "Sent to the source's own origin only, at most 50. Encrypted at rest; answers show `•••` for each value, and a value `•••` that is sent leaves the former one.",
  ),
  cookies: values("Names and values; sent, kept and shown as `headers`."),
  keep: {
    ...keep,
    description:
      "How much of the past is kept, within `KEEP_DAYS` and `KEEP_MB`; of a source that several keys track, what the most generous of them wants. The last version stays, and those of events that exist.",
  },
  json: { ...json, description: "Compares fields in place of text: `schema`, `recipe` or both." },
  items: {
    type: "multi",
    rules: [
      { type: "equal", value: true },
      { type: "string", trim: true, min: 1, max: 1000 },
    ],
    description: "Each new entry of a list counts: their selector, or `auto`.",
  },
  extract: {
    ...extract,
    description:
      "Compares the values of a JSON or XML document in place of its text: what is changed, added or gone is told by its path, entries of lists by their ids.",
  },
  screenshot: {
    type: "boolean",
    description:
      "A picture before and after each change, and one of the difference. A watch has a share of 200 changes or 256 MB, which comes back evenly in four days; changes beyond it are reported without pictures.",
  },
  ...siteOptions,
  ...searchOptions,
  ...socialOptions,
  ...judgeOptions,
} as const satisfies Fields;

type Optional<P> = { readonly [K in keyof P]: P[K] & { readonly optional: true } };
type Removable<P> = { readonly [K in keyof P]: P[K] & { readonly optional: true; readonly nullable: true } };

function each(more: object): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, { ...rule, ...more }]));
}

/** Copies rules without the names of their schemas, which are those of requests. */
function unnamed<R>(rule: R): R {
  if (typeof rule !== "object" || rule === null) return rule;
  if (Array.isArray(rule) || rule instanceof RegExp) return rule;
  const entries = Object.entries(rule).filter(
    ([name, value]) => name !== "name" || typeof value !== "string",
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, unnamed(value)])) as R;
}

/** How a key wants to track a source. Each key has its own. */
export const watchOptions = {
  type: "object",
  name: "WatchOptions",
  strict: true,
  props: each({ optional: true }) as Optional<typeof fields>,
} as const;
export type WatchOptions = Infer<typeof watchOptions>;

/** A change of them: what is not named stays, and null removes an option. */
export const watchChanges = {
  type: "object",
  name: "WatchChanges",
  strict: true,
  props: each({ optional: true, nullable: true }) as Removable<typeof fields>,
} as const;
export type WatchChanges = Infer<typeof watchChanges>;

const shownOptions = unnamed(watchOptions);

/** A source as a key that tracks it sees it, with the options of the key. */
export const watchedSource = {
  type: "object",
  name: "WatchedSource",
  props: {
    ...source.props,
    options: {
      ...shownOptions,
      name: "ShownWatchOptions",
      props: { ...shownOptions.props, session: { ...unnamed(namedSession), optional: true } },
      optional: true,
      description:
        "How the calling key tracks it, where it has chosen anything; values of headers and cookies, and a body, are `•••`.",
    },
  },
} as const;
export type WatchedSource = Infer<typeof watchedSource>;

/** What replaces a secret value in answers. */
export const hiddenValue = "•••";

/** How a stored source is read: the options without tags, and with the secrets sealed. */
export type View = Omit<
  WatchOptions,
  "tags" | "keep" | "edits" | "paused" | "headers" | "cookies" | "body" | "session"
> & {
  session?: NamedSession;
  /** The key that has paused it, which shares it with no other: each resumes at a time of its own. */
  pausedBy?: string;
  /** The key whose session it is read in, which shares it with no other. */
  sessionOf?: string;
  /** What the key that tracks it wants all content for. Keys that want other uses do not share it. */
  policy?: Use[];
  /** The monitor that has it, which shares it with nobody: it is polled by the checks of that monitor alone. */
  monitor?: string;
  /** Headers, cookies, typed texts and the body, sealed for `keyId` by the keys service under `viewRecord(keyId)`. */
  sealed?: {
    keyId: string;
    text: string;
    headers: string[];
    cookies: string[];
    typed?: string[];
    body?: true;
  };
};

/** Secrets that are sent to a source. */
export interface Secrets {
  headers?: Record<string, string>;
  cookies?: Record<string, string>;
  /** Texts that actions type, by `typedName`. */
  typed?: Record<string, string>;
  body?: WatchOptions["body"];
}

/** What sealed headers, cookies and texts of a key are bound to. */
export function viewRecord(keyId: string): string {
  return `tracker/view/${keyId}`;
}

/** How a change is described beside its lines. */
export const changeDetails = {
  moved: {
    ...list(text),
    optional: true,
    description: "Lines that have changed their place, in words: `Alpha: moved from 3rd to 1st`.",
  },
  note: {
    ...text,
    optional: true,
    description: "What no line shows: the page has changed beyond the text that is kept.",
  },
  fields: {
    type: "record",
    optional: true,
    value: named("FieldChange", {
      from: { type: "any", nullable: true, optional: true },
      to: { type: "any", nullable: true, optional: true },
    }),
    description:
      "With `json`: what each field was and is; with `extract`: what the values that differ were and are, by their paths. Null for one that is not there.",
  },
  value: {
    ...named("ValueChange", { from: { type: "number" }, to: { type: "number" } }),
    optional: true,
    description: "With `when.value`: the number before, and the one that counts now.",
  },
} as const;

const difference = {
  ...named("WatchDifference", {
    added: { ...list(text), description: "New lines; where only the order differs, the lines that moved." },
    removed: { ...list(text), description: "Removed lines, likewise." },
    diff: { ...text, description: "A unified diff." },
    ...changeDetails,
  }),
  nullable: true,
  description:
    "How the page differs from the last check of the key's own watch, whether that counts or not; null where it does not, or where there is no such check.",
} as const;

/** What a view would have made of the past. */
const viewPast = named("PreviewPast", {
  days: { type: "number", integer: true, description: "How far back it was tried." },
  checks: { type: "number", integer: true, description: "Checks in that time." },
  fired: { type: "number", integer: true, description: "How many of them would have made an event." },
  why: { ...text, description: "A sentence: in the last 30 days this would have fired 4 times." },
});
export type ViewPast = Infer<typeof viewPast>;

/** What a view sees now, and whether it would report it. */
export const viewPreview = object({
  text: { ...text, description: "What is compared, as Markdown, at most 20 KB." },
  fields: {
    type: "object",
    nullable: true,
    description: "With `json`: the fields that were found; with `extract`: the values, by their paths.",
  },
  lines_ignored: { type: "number", integer: true, description: "Lines that `ignore` leaves out." },
  list: {
    ...named("PreviewList", {
      selector: { ...text, description: "Finds the entries; `options.items` takes it, too." },
      count: { type: "number", integer: true, description: "How many there are." },
    }),
    optional: true,
    description: "With `items`: how the entries are found.",
  },
  would_fire: {
    type: "boolean",
    nullable: true,
    description:
      "Whether a poll now would make an event: true or false where the key tracks the page with these options; else false where it would stay silent whatever changes, and null where the next change decides.",
  },
  why: { ...text, description: "The reason, in a sentence." },
  change: difference,
  past: {
    ...viewPast,
    nullable: true,
    optional: true,
    description:
      "What these options would have made of the last 30 days, where the key tracks the page, with whatever options, and versions of it are kept; null elsewhere. `POST /sources/{id}/rehearse` has the details.",
  },
});
export type ViewPreview = Infer<typeof viewPreview>;
