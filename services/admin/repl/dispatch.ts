import { readFile } from "node:fs/promises";
import type { Command } from "./command.ts";

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
