import { action } from "./action.ts";
import type { MicroblogPost } from "./social.ts";

/** Fetches posts of a microblog account, newest first, and lets them flow to those who track it. */
export const backfill = action<{ uid: string; cursor?: string; limit: number }, MicroblogPost[]>(
  "admin.backfill",
  {
    $$strict: true,
    uid: { type: "string", trim: true, min: 1, max: 256, description: "`rest_id` of the account." },
    cursor: {
      type: "string",
      min: 1,
      max: 2048,
      optional: true,
      description: "Where an earlier one left off.",
    },
    limit: {
      type: "number",
      integer: true,
      min: 1,
      max: 1000,
      default: 50,
      description: "Posts to fetch.",
    },
  },
);

/** Hands posts to those who track their authors, all or none; a post that was told already is told no second time. */
export const dispatch = action<{ post?: object; posts?: object[] }, { message: string }>("admin.dispatch", {
  $$strict: true,
  post: { type: "object", optional: true, description: "One microblog post." },
  posts: {
    type: "array",
    max: 1000,
    optional: true,
    items: { type: "object" },
    description: "Microblog posts.",
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
