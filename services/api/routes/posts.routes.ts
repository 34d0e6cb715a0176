import * as contract from "../../contracts/admin.contract.ts";
import { shape, withMessage } from "../openapi/schemas.ts";
import { accountExample, postExample } from "../openapi/social-examples.ts";
import { microblogPost } from "../openapi/social-schemas.ts";
import type { Route } from "../route.ts";

/** A large backfill waits for the network more than once. */
const backfillMs = 120_000;
const dispatchMs = 60_000;

const common = { auth: "admin", tag: "Administration", method: "POST", status: 200 } as const;

export const postRoutes: Route[] = [
  {
    ...common,
    path: "/internal/backfill",
    action: contract.backfill,
    timeoutMs: () => backfillMs,
    summary: "Fetch posts of a microblog account",
    description:
      "From the newest, or from `cursor`, back. They are delivered to those who track the account, but for what they " +
      "were told before.",
    examples: {
      newest: { uid: accountExample.externalId },
      "older ones": { uid: accountExample.externalId, cursor: "1795276205000", limit: 200 },
    },
    responses: {
      200: {
        description: "The posts, newest first.",
        schema: { type: "array", items: microblogPost },
        example: [postExample],
        headers: { "x-next-cursor": "The `cursor` that goes on; absent when there is nothing older." },
      },
    },
    errors: ["forbidden", "not_found", "conflict", "connector_unavailable"],
  },
  {
    ...common,
    path: "/internal/dispatch",
    action: contract.dispatch,
    timeoutMs: () => dispatchMs,
    summary: "Hand on microblog posts",
    description:
      "Each post goes the way of one that its network has told, to those who track its author; what they were told " +
      "before is not delivered again. All or none: a body that holds anything but posts is refused, naming its place " +
      "(`posts[3].legacy.full_text`).",
    examples: { one: { post: postExample }, several: { posts: [postExample] } },
    responses: {
      200: {
        description: "How many were dispatched.",
        schema: shape({ message: { type: "string" } }),
        example: { message: "Dispatched 2 posts." },
      },
    },
  },
  {
    ...common,
    path: "/internal/sandbox/post",
    action: contract.sandboxPost,
    summary: "Post on a simulated platform",
    description: "404 where the platform's driver is not the sandbox.",
    examples: {
      microblog: { platform: "microblog", username: accountExample.username, text: "Hello." },
      channel: { platform: "messenger", channelId: "3002", text: "Hello." },
    },
    responses: {
      200: {
        description: "It is posted.",
        schema: withMessage(shape({ id: { type: "string", description: "Id of the post or message." } })),
        example: { message: "It was posted.", data: { id: "1050118621198921728" } },
      },
    },
    errors: ["not_found"],
  },
];
