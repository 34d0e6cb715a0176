import { type FieldError, fail, invalid } from "../contracts/errors.ts";
import type { MicroblogPost } from "../contracts/social.ts";
import { isObject } from "../domain/json/fields.ts";

const maxDetails = 50;

interface Rule {
  path: string;
  holds(value: unknown): boolean;
  /** Completes "The field …". */
  must: string;
}

const id = { holds: isId, must: "must be an id: a string of 1 to 256 characters" };
const text = { holds: isText, must: "must be a string" };
// An administrator may know no more of the author than the id.
const name = { holds: (value: unknown) => value === undefined || isText(value), must: "must be a string" };
const count = { holds: isCount, must: "must be a whole number from 0, or null" };
const time = { holds: isTime, must: "must be a time such as Wed Oct 10 20:19:24 +0000 2018, or null" };

const rules: Rule[] = [
  { path: "rest_id", ...id },
  { path: "core.user_results.result.rest_id", ...id },
  { path: "core.user_results.result.name", ...name },
  { path: "core.user_results.result.username", ...name },
  { path: "legacy.full_text", ...text },
  { path: "legacy.created_at", ...time },
  { path: "legacy.favorite_count", ...count },
  { path: "legacy.repost_count", ...count },
  { path: "legacy.reply_count", ...count },
  { path: "language", holds: isMissingOr(isText), must: "must be a tag of BCP 47, or null" },
  { path: "media", holds: isMissingOr(isMedia), must: "must be a list of media" },
];

/** The posts of a request. Throws `validation_failed` when there is none, or when a value is not a post: the details name each field. */
export function parsePosts(body: PostsBody): MicroblogPost[] {
  const checked = checkPosts(body);
  const details = checked.flatMap(each => each.details).slice(0, maxDetails);
  const [first] = details;
  if (first) throw fail("validation_failed", first.message, { details });
  return checked.map(({ value }) => completed(value as MicroblogPost));
}

interface PostsBody {
  post?: unknown;
  posts?: unknown[];
}

/** Each value of a request, with its place there and what keeps it from being a post. Throws when there is none. */
export function checkPosts({
  post,
  posts = [],
}: PostsBody): { place: string; value: unknown; details: FieldError[] }[] {
  const placed: [place: string, value: unknown][] = [
    ...(post === undefined ? [] : [["post", post] as [string, unknown]]),
    ...posts.map((value, at) => [`posts.${at}`, value] as [string, unknown]),
  ];
  if (placed.length === 0) throw invalid("post", "required", "Give a post as `post`, or several as `posts`.");
  return placed.map(([place, value]) => ({ place, value, details: errorsIn(place, value) }));
}

/** With what an administrator may leave out. */
function completed(post: MicroblogPost): MicroblogPost {
  return { ...post, language: post.language ?? null, media: post.media ?? [] };
}

function isMissingOr(holds: (value: unknown) => boolean): (value: unknown) => boolean {
  return value => value === undefined || value === null || holds(value);
}

const isTextOrNothing = isMissingOr(isText);

function isMedia(value: unknown): boolean {
  const isMedium = (each: unknown) =>
    isObject(each) && isText(each.type) && [each.url, each.preview_url, each.alt].every(isTextOrNothing);
  return Array.isArray(value) && value.every(isMedium);
}

function errorsIn(place: string, value: unknown): FieldError[] {
  if (!isObject(value)) return [fieldError(place, "object", "must be an object")];
  return rules.flatMap(({ path, holds, must }) => {
    const found = at(value, path.split("."));
    if (holds(found)) return [];
    const field = `${place}.${path}`;
    return [
      found === undefined
        ? fieldError(field, "required", "is required")
        : fieldError(field, "invalid_value", must),
    ];
  });
}

function fieldError(field: string, code: FieldError["code"], must: string): FieldError {
  return { field, code, message: `\`${field}\` ${must}.` };
}

/** A text at a path of a value that may be anything; null without one. */
export function textAt(value: unknown, path: string): string | null {
  const found = at(value, path.split("."));
  return typeof found === "string" ? found : null;
}

function at(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return value;
  return isObject(value) && Object.hasOwn(value, name) ? at(value[name], rest) : undefined;
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= 256;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
}

const timeForm = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) [A-Z][a-z]{2} \d{2} \d{2}:\d{2}:\d{2} [+-]\d{4} \d{4}$/;

function isTime(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "string" && timeForm.test(value) && !Number.isNaN(Date.parse(value));
}
