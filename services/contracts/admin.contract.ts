import { action } from "./action.ts";
import { limit } from "./paging.ts";
import { microblogHistory } from "./platforms.contract.ts";
import type { MicroblogPost } from "./social.ts";

export interface Backfill {
  uid: string;
  cursor?: string;
  limit: number;
}

/**
 * Fetches posts of a microblog account, newest first, and lets them flow to those who track it. The cursor that goes on
 * is in the header `x-next-cursor`.
 */
export const backfill = action<Backfill, MicroblogPost[]>("admin.backfill", {
  ...microblogHistory.params,
  cursor: {
    type: "string",
    min: 1,
    max: 2048,
    optional: true,
    description: "Where to go on: `x-next-cursor` of an answer before.",
  },
  // A body says a number as one.
  limit: { ...limit("Posts to fetch.", { max: 1000, default: 50 }), convert: false },
});

/** Hands posts to those who track their authors; 400 that names each fault when one of them is no post; a post that was told already is told no second time. */
export const dispatch = action<{ post?: unknown; posts?: unknown[] }, { message: string }>("admin.dispatch", {
  $$strict: true,
  post: {
    type: "any",
    optional: true,
    description: "One microblog post, as `GET /microblog/post` gives it.",
  },
  posts: {
    type: "array",
    max: 1000,
    optional: true,
    items: { type: "any" },
    description: "Several, at most 1000. At least one of `post` and `posts` is required.",
  },
});

/** Posts on a simulated platform. 404 where the platform is not the sandbox's. */
export const sandboxPost = action<
  { platform: "microblog" | "chatserver" | "messenger"; username?: string; channelId?: string; text: string },
  { message: string; data: { id: string } }
>("connectors.sandboxPost", {
  $$strict: true,
  platform: { type: "enum", values: ["microblog", "chatserver", "messenger"], description: "Where." },
  username: { type: "string", min: 1, max: 64, optional: true, description: "Who posts on the microblog." },
  channelId: {
    type: "string",
    min: 1,
    max: 64,
    optional: true,
    description: "The channel of a chat server or of the messenger.",
  },
  text: { type: "string", min: 1, max: 4096, description: "What is posted." },
});
