import type { History, Version } from "../../mixins/history/history.ts";
import { fail, invalid } from "../contracts/errors.ts";
import type { Version as ShownVersion, VersionContent } from "../contracts/history.contract.ts";
import { timeOf } from "../domain/history/search-query.ts";
import { isPictureOf, pictureTtlMs } from "../domain/watch/watch-pictures.ts";
import { noSuchVersion, type Reading } from "./context.ts";
import type { FormsTask, KeptVersion, VersionForms } from "./forms/version-forms.ts";
import { shownVersion } from "./shown.ts";

/** Outcomes of versions in which something counted. */
const counting = ["first", "changed", "held"] as const;

interface Wanted {
  item?: string;
  at?: string;
  all?: boolean;
  cursor?: string;
  limit: number;
}

interface Listed {
  data: ShownVersion[];
  next_cursor: string | null;
}

/** The versions of a source, newest first; with `at` the one that was there then. */
export async function listVersions(reading: Reading, wanted: Wanted): Promise<Listed> {
  const { at, item } = wanted;
  if (at !== undefined) return await versionAt(reading, instantOf("at", at), item);
  const { all, cursor, limit } = wanted;
  const { history } = reading.context;
  const of = { ...(item !== undefined && { item }), ...(!all && { outcomes: counting }) };
  const found = await history.versions(reading.held.id, {
    ...of,
    ...(cursor !== undefined && { before: versionIdOf(cursor) }),
    limit: limit + 1,
  });
  const first = await firstReadable(reading, item);
  const readable = found.filter(version => isReadable(reading, version, first));
  const isEnd = found.length <= limit || readable.length < found.length;
  const isBaselineLeft = isEnd && first !== null && !readable.some(({ id }) => id === first.id);
  // The baseline is shown whatever it was for the keys before this one.
  if (isBaselineLeft && (cursor === undefined || first.id < cursor)) readable.push(first);
  const rows = readable.slice(0, limit);
  const data = await Promise.all(
    rows.map(async (version, n) => {
      const next = rows.slice(0, n).findLast(each => each.item === version.item);
      // The first page begins with the latest version.
      const isKnown = next !== undefined || cursor === undefined;
      const until = isKnown ? (next?.at ?? null) : await endOf(reading, version, all);
      return shownVersion(reading, version, { until, isFirst: version.id === first?.id });
    }),
  );
  return { data, next_cursor: readable.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

function versionIdOf(cursor: string): string {
  if (/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(cursor)) return cursor;
  throw invalid("cursor", "malformed", "`cursor` must be a `next_cursor` of this list.");
}

async function versionAt(reading: Reading, at: number, item: string | undefined): Promise<Listed> {
  const { context, held } = reading;
  const found = at < held.readsFrom ? null : await ownVersionAt(context.history, held, at, item);
  if (found === null) return { data: [], next_cursor: null };
  const isFirst = found.at < held.readsFrom || found.outcome === "first";
  const until = await endOf(reading, found);
  return { data: [shownVersion(reading, found, { until, isFirst })], next_cursor: null };
}

/** When the next version of its item was seen, of `all` or of those in which something counted; null where there is none. */
async function endOf({ context, held }: Reading, { id, item }: Version, all = false): Promise<number | null> {
  const of = { after: id, limit: 1, oldestFirst: true, ...(item !== undefined && { item }) };
  const [next] = await context.history.versions(held.id, { ...of, ...(!all && { outcomes: counting }) });
  return next?.at ?? null;
}

/** The version that was there when the key's past begins; null where the source was new to all then. */
export function firstReadable({ context, held }: Reading, item?: string): Promise<Version | null> {
  return ownVersionAt(context.history, held, held.readsFrom, item);
}

/** The version that was there at a time, unless another key has brought it along. */
export async function ownVersionAt(
  history: Pick<History, "versionAt">,
  { id, ownFrom = 0 }: Pick<Reading["held"], "id" | "ownFrom">,
  at: number,
  item?: string,
): Promise<Version | null> {
  const found = await history.versionAt(id, at, item);
  return found && found.at >= ownFrom ? found : null;
}

function isReadable({ held }: Reading, { id, at }: Version, first: Version | null): boolean {
  return at >= held.readsFrom || id === first?.id;
}

/** A version that the key may read; 404 for any other. */
export async function readableVersion(reading: Reading, id: string): Promise<Version> {
  const { context, held } = reading;
  const version = await context.history.version(held.id, id);
  if (version === null) throw noSuchVersion();
  if (version.at >= held.readsFrom) return version;
  const first = await firstReadable(reading, version.item);
  if (first?.id !== id) throw noSuchVersion();
  return version;
}

/** A version with what it says, as it is kept: an item of a feed, or a page. The pages of a site are its items. */
export async function keptVersion({ context, held }: Reading, version: Version): Promise<KeptVersion> {
  const content = await context.history.content(version.hash);
  if (content === null) throw noSuchVersion();
  const { title, item } = version;
  const { source, externalId } = held.shown;
  const isPage = source === "SITE" || item === undefined;
  const url = source === "SITE" && item !== undefined ? item : externalId;
  return { content: content.toString(), isItem: !isPage, url, title };
}

/** A version with its text, Markdown and fields. */
export async function readVersion(reading: Reading, id: string): Promise<VersionContent> {
  const version = await readableVersion(reading, id);
  const [forms, first, until] = await Promise.all([
    formsOf(reading, version, ["lines", "markdown"]),
    firstReadable(reading, version.item),
    endOf(reading, version),
  ]);
  const { lines = [], markdown = "", fields = null } = forms;
  const shown = shownVersion(reading, version, { until, isFirst: version.id === first?.id });
  return {
    ...shown,
    text: lines.join("\n"),
    markdown,
    fields,
    has_picture: openPicture(reading, version) !== null,
  };
}

/** A version as a text of the given form. */
export async function readForm(
  reading: Reading,
  id: string,
  form: "markdown" | "text" | "html",
): Promise<string> {
  const version = await readableVersion(reading, id);
  const {
    lines = [],
    markdown,
    html = "",
  } = await formsOf(reading, version, [form === "text" ? "lines" : form]);
  return form === "text" ? `${lines.join("\n")}\n` : (markdown ?? html);
}

async function formsOf(
  reading: Reading,
  version: Version,
  wanted: FormsTask["wanted"],
): Promise<VersionForms> {
  const { context, held, keyId } = reading;
  const kept = await keptVersion(reading, version);
  return await context.reader.forms({ kept, view: held.view, wanted }, keyId, context.closing);
}

/** The picture's key; 404 where none was taken, or it is no longer kept. */
export async function pictureOf(reading: Reading, id: string): Promise<string> {
  const version = await readableVersion(reading, id);
  const picture = openPicture(reading, version);
  if (picture !== null) return picture;
  throw fail(
    "not_found",
    version.picture === undefined
      ? "There is no picture of this version: set `options.screenshot` to have them taken."
      : "The picture of this version is no longer kept: pictures are kept for four days, and until the options change.",
  );
}

/** Milliseconds. A picture is taken some time before its event is made, and goes as much sooner. */
const slackMs = 300_000;

/** The picture's key, where it can be opened: for its time, and of the source for which it was taken. */
function openPicture({ context, held }: Reading, { picture, at, eventAt = at }: Version): string | null {
  const isKept = eventAt + pictureTtlMs - slackMs > context.now();
  return picture !== undefined && isKept && isPictureOf(picture, held.id) ? picture : null;
}

/** A time that a client names, in milliseconds. */
export function instantOf(field: string, text: string): number {
  const time = timeOf(text);
  if (time !== undefined) return time;
  throw invalid(
    field,
    "malformed",
    `\`${field}\` must be a day such as 2026-03-01, or a time such as 2026-03-01T09:30:00Z.`,
  );
}
