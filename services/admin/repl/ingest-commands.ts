import type { PlannedPost } from "../../contracts/admin.contract.ts";
import type { MicroblogPost } from "../../contracts/social.ts";
import { type Command, numberIn, showTable, type Tools, textIn } from "./command.ts";
import { type Placed, readPostsFile } from "./read-posts-file.ts";

/** Small enough that the progress bar moves and that platforms give as many in one page. */
const pageSize = 50;
const barWidth = 30;

/** Requests of one backfill, at most: an account without an end must not keep the console for ever. */
const mostRequests = 200;

export const backfill: Command = {
  command: "backfill <account>",
  description:
    "Fetches posts of a microblog account, newest first, and delivers them to those who track it. The account is an id or an @handle.",
  options: [
    { option: "--since <time>", description: "only posts since then, ISO 8601" },
    { option: "--until <time>", description: "only posts before then" },
    { option: "--limit <n>", description: "how many posts; default 50, with --since or --until 5000" },
    { option: "--cursor <c>", description: "where an earlier backfill left off" },
  ],
  async run(line, tools) {
    const { account = "" } = line.args;
    const range = { since: textIn(line, "since"), until: textIn(line, "until") };
    const isRange = (range.since ?? range.until) !== undefined;
    const wanted = {
      ...(account.startsWith("@") ? { username: account.slice(1) } : { uid: account }),
      ...range,
      limit: numberIn(line, "limit", isRange ? 5000 : 50),
      cursor: textIn(line, "cursor"),
    };
    const { posts, next } = await fetchAll(tools, wanted, isRange);
    showTable(tools, posts, {
      Post: ({ rest_id }) => rest_id,
      Time: ({ legacy }) => legacy.created_at,
      Author: ({ core }) => core.user_results.result.username,
      Text: ({ legacy }) => legacy.full_text,
      Likes: ({ legacy }) => legacy.favorite_count,
    });
    tools.screen.write(`Fetched ${posts.length} ${posts.length === 1 ? "post" : "posts"}.\n`);
    if (next !== undefined) tools.screen.write(`There are older ones: --cursor ${next}\n`);
  },
};

interface Wanted {
  uid?: string;
  username?: string;
  since: string | undefined;
  until: string | undefined;
  limit: number;
  cursor: string | undefined;
}

/** Reads on where a page of a range is empty: what it read was newer than the range. */
async function fetchAll(
  { ask, screen, clui }: Tools,
  { limit, cursor, ...which }: Wanted,
  isRange: boolean,
): Promise<{ posts: MicroblogPost[]; next: string | undefined }> {
  const bar = new clui.Progress(barWidth);
  const posts: MicroblogPost[] = [];
  let next = cursor;
  for (let asked = 1; ; asked += 1) {
    const page = { limit: Math.min(limit - posts.length, pageSize), cursor: next };
    const answer = await ask<MicroblogPost[]>("POST", "/internal/backfill", { ...which, ...page });
    posts.push(...answer.body);
    const before = next;
    next = answer.headers["x-next-cursor"]?.toString();
    const isStuck = next === before || asked >= mostRequests || (!isRange && answer.body.length === 0);
    const isOver = next === undefined || posts.length >= limit || isStuck;
    // The bar is also full when the account has no more posts.
    const line = `${bar.update(posts.length, isOver ? posts.length : limit)} ${posts.length} posts`;
    screen.write(screen.isTTY && !isOver ? `\r${line}` : `${screen.isTTY ? "\r" : ""}${line}\n`);
    if (isOver) return { posts, next };
  }
}

/** Bytes of one request's posts; a body may have 1 MB. */
const portionBytes = 900_000;
const portionPosts = 1000;

export const dispatch: Command = {
  command: "dispatch <file>",
  description:
    "Hands the posts of a JSON file to those who track their authors: one post, a list of posts, JSON Lines, or the body of POST /internal/dispatch. Nothing is handed on unless all of them are posts.",
  options: [{ option: "--dry-run", description: "only says what would become of each post" }],
  async run({ args: { file = "" }, options }, tools) {
    const { ask, screen } = tools;
    const portions = portionsOf(await readPostsFile(file));
    const planned: (PlannedPost & { line: number })[] = [];
    for (const portion of portions) {
      const body = { posts: portion.map(({ value }) => value), dry_run: true };
      const answer = await ask<{ data: PlannedPost[] }>("POST", "/internal/dispatch", body);
      planned.push(...answer.body.data.map((each, at) => ({ ...each, line: portion[at]?.line ?? 0 })));
    }
    const invalid = planned.filter(({ outcome }) => outcome === "invalid");
    if (options.dryRun === true) showPlan(tools, planned);
    else for (const each of invalid.slice(0, mostShownFaults)) screen.write(`${faultOf(each)}\n`);
    if (options.dryRun === true) return;
    if (invalid.length > 0)
      throw new Error(`Nothing was dispatched: ${invalid.length} of ${planned.length} are no posts.`);
    for (const portion of portions) {
      const body = { posts: portion.map(({ value }) => value) };
      const answer = await ask<{ message: string }>("POST", "/internal/dispatch", body);
      screen.write(`${answer.body.message}\n`);
    }
  },
};

const mostShownFaults = 20;

function portionsOf(posts: Placed[]): Placed[][] {
  const portions: Placed[][] = [];
  let bytes = 0;
  for (const each of posts) {
    const size = Buffer.byteLength(JSON.stringify(each.value)) + 1;
    const last = portions.at(-1);
    if (last && last.length < portionPosts && bytes + size <= portionBytes) last.push(each);
    else portions.push([each]);
    bytes = last === portions.at(-1) ? bytes + size : size;
  }
  return portions;
}

const shownKeys = 3;

function showPlan(tools: Tools, planned: (PlannedPost & { line: number })[]): void {
  showTable(tools, planned, {
    Line: ({ line }) => line,
    Post: ({ rest_id }) => rest_id,
    Author: ({ author }) => author,
    Outcome: each => (each.outcome === "invalid" ? faultOf(each) : each.outcome),
    "Would get it": each => someKeys(each, false, each.new_keys),
    "Have it": each => someKeys(each, true, each.known_keys),
  });
  const counted = (wanted: PlannedPost["outcome"]) =>
    planned.filter(({ outcome }) => outcome === wanted).length;
  tools.screen.write(
    `Dry run, nothing was dispatched: ${counted("new")} new, ${counted("known")} known, ${counted("untracked")} untracked, ${counted("invalid")} invalid.\n`,
  );
}

function someKeys({ keys }: PlannedPost, isKnown: boolean, count: number): string {
  const some = keys.filter(({ known }) => known === isKnown).slice(0, shownKeys);
  const more = count > some.length ? ` and ${count - some.length} more` : "";
  return `${some.map(({ key_id }) => key_id).join(" ")}${more}`;
}

/** The line of the file, and the field within the post. */
function faultOf({ line, place, details: [fault] }: PlannedPost & { line: number }): string {
  const message = fault?.message.replace(`\`${place}.`, "`").replace(`\`${place}\``, "the value") ?? "";
  return `line ${line}: ${message}`;
}
