import { readFile } from "node:fs/promises";
import type { MicroblogPost } from "../../contracts/social.ts";
import { type Command, numberIn, showTable, type Tools, textIn } from "./command.ts";

/** Small enough that the progress bar moves and that platforms give as many in one page. */
const pageSize = 50;
const barWidth = 30;

export const backfill: Command = {
  command: "backfill <uid>",
  description: "Fetches posts of a microblog account, newest first, and delivers them to those who track it.",
  options: [
    { option: "--limit <n>", description: "how many posts; default 50" },
    { option: "--cursor <c>", description: "where an earlier backfill left off" },
  ],
  async run(line, tools) {
    const wanted = { uid: line.args.uid, limit: numberIn(line, "limit", 50), cursor: textIn(line, "cursor") };
    const { posts, next } = await fetchAll(tools, wanted);
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

async function fetchAll(
  { ask, screen, clui }: Tools,
  { uid, limit, cursor }: { uid?: string; limit: number; cursor?: string },
): Promise<{ posts: MicroblogPost[]; next: string | undefined }> {
  const bar = new clui.Progress(barWidth);
  const posts: MicroblogPost[] = [];
  let next = cursor;
  for (;;) {
    const wanted = { uid, limit: Math.min(limit - posts.length, pageSize), cursor: next };
    const { body, headers } = await ask<MicroblogPost[]>("POST", "/internal/backfill", wanted);
    posts.push(...body);
    next = headers["x-next-cursor"]?.toString();
    const isOver = next === undefined || posts.length >= limit || body.length === 0;
    // The bar is also full when the account has no more posts.
    const line = `${bar.update(posts.length, isOver ? posts.length : limit)} ${posts.length} posts`;
    screen.write(screen.isTTY && !isOver ? `\r${line}` : `${screen.isTTY ? "\r" : ""}${line}\n`);
    if (isOver) return { posts, next };
  }
}

export const dispatch: Command = {
  command: "dispatch <file>",
  description:
    "Hands the posts of a JSON file to those who track their authors: one post, a list of posts, or the body of POST /internal/dispatch.",
  async run({ args: { file = "" } }, { ask, screen }) {
    const { body } = await ask<{ message: string }>(
      "POST",
      "/internal/dispatch",
      bodyOf(await readJson(file)),
    );
    screen.write(`${body.message}\n`);
  },
};

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON (${(cause as Error).message}).`, { cause });
  }
}

function bodyOf(content: unknown): unknown {
  if (Array.isArray(content)) return { posts: content };
  const isBody = typeof content === "object" && content !== null && ("post" in content || "posts" in content);
  return isBody ? content : { post: content };
}
