import type { MicroblogPost } from "../../contracts/social.ts";
import { type Command, numberIn, type Tools, textIn } from "./command.ts";
import { showTable } from "./show-table.ts";

/** Few enough that the bar moves, and that networks give as many at a time. */
const pageSize = 50;
const barWidth = 30;

export const backfill: Command = {
  command: "backfill <uid>",
  description: "Fetches posts of a microblog account, newest first, and delivers them to those who track it.",
  options: [
    { option: "--limit <n>", description: "how many posts; 50 unless told" },
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
    // Where the account has no more posts, the bar is full as well.
    const line = `${bar.update(posts.length, isOver ? posts.length : limit)} ${posts.length} posts`;
    screen.write(screen.isTTY && !isOver ? `\r${line}` : `${screen.isTTY ? "\r" : ""}${line}\n`);
    if (isOver) return { posts, next };
  }
}
