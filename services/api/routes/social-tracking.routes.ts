import * as contract from "../../contracts/social-tracking.contract.ts";
import { datedSourceFields, shape, withMessage } from "../openapi/schemas.ts";
import { accountExample, channelExample, profileExample } from "../openapi/social-examples.ts";
import { microblogProfile, trackJob } from "../openapi/social-schemas.ts";
import type { Route } from "../route.ts";

const common = { auth: "key", tag: "Tracking", status: 200 } as const;

/** A network may want us to wait before it answers. */
const networkMs = 60_000;

const message = { type: "string" };
const jobId = "9b2f7c1e-4a3d-4e8b-b1c2-7d6e5f4a3b2c";
const sourceId = { type: "string", description: "`id` of the source." };
const time = { type: "string", format: "date-time" };

export const socialTrackingRoutes: Route[] = [
  {
    ...common,
    method: "GET",
    path: "/track/{source}/status",
    action: contract.trackStatus,
    summary: "How a request to be let in stands",
    examples: { one: { source: "messenger", id: jobId } },
    description:
      "Of the `jobId` that tracking a gated channel of the messenger answered. It is `waiting` until somebody decides, " +
      "`completed` once the channel is tracked, and `failed` when nobody has let us in for seven days.",
    responses: {
      200: {
        description: "The request.",
        schema: trackJob,
        example: {
          state: "completed",
          id: jobId,
          returnvalue: channelExample,
        },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    method: "POST",
    path: "/track-user",
    action: contract.trackUser,
    timeoutMs: () => networkMs,
    summary: "Track a microblog user",
    description:
      "The same as `POST /track/microblog`, with the account's profile as the answer: the account is followed with " +
      "notifications, and what it posts from now on is delivered.",
    examples: { account: { username: accountExample.username } },
    responses: {
      200: { description: "The key tracks the account already.", schema: withMessage(microblogProfile) },
      201: {
        description: "It is tracked from now on.",
        schema: withMessage(microblogProfile),
        example: { message: "The user is tracked.", data: profileExample },
      },
    },
    errors: ["forbidden", "not_found", "conflict", "connector_unavailable"],
  },
  {
    ...common,
    method: "DELETE",
    path: "/track-user",
    action: contract.untrackUser,
    timeoutMs: () => networkMs,
    summary: "Stop tracking a microblog user",
    description: "The account is unfollowed when no other key tracks it.",
    examples: { account: { username: accountExample.username } },
    responses: {
      200: {
        description: "It is tracked no more.",
        schema: shape({ message }),
        example: { message: "The user is no longer tracked." },
      },
    },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
  {
    ...common,
    method: "GET",
    path: "/tracked-users",
    action: contract.trackedUsers,
    summary: "List the microblog users that the key tracks",
    description: "Newest first.",
    responses: {
      200: {
        description: "All of them.",
        schema: shape({
          tracked_users: {
            type: "array",
            items: shape({
              ...datedSourceFields,
              followedAt: { ...time, description: "When the calling key began to track the user." },
            }),
          },
        }),
        example: {
          tracked_users: [
            {
              ...accountExample,
              createdAt: "2025-03-25T09:30:00.000Z",
              updatedAt: "2025-03-25T09:30:00.000Z",
              followedAt: "2025-03-25T09:30:00.000Z",
            },
          ],
        },
      },
    },
  },
  {
    ...common,
    method: "POST",
    path: "/track-chat",
    action: contract.trackChat,
    timeoutMs: () => networkMs,
    summary: "Track one channel of a chat server",
    description: "New messages of the channel reach the key's webhook and streams.",
    examples: { channel: { channelId: "2011" } },
    responses: {
      200: { description: "The key tracks it already.", schema: withMessage(shape({ id: sourceId })) },
      201: {
        description: "It is tracked from now on.",
        schema: withMessage(shape({ id: sourceId })),
        example: { message: "The channel is tracked.", data: { id: "c1b2a3d4-e5f6-4789-90ab-cdef01234567" } },
      },
    },
    errors: ["forbidden", "not_found", "conflict", "connector_unavailable"],
  },
  {
    ...common,
    method: "DELETE",
    path: "/track-chat",
    action: contract.untrackChat,
    timeoutMs: () => networkMs,
    summary: "Stop tracking a channel of a chat server",
    description: "The channel is let go when no other key tracks it; its server may be tracked on.",
    examples: { channel: { channelId: "2011" } },
    responses: {
      200: {
        description: "It is tracked no more.",
        schema: shape({ message }),
        example: { message: "The channel is no longer tracked." },
      },
    },
    errors: ["not_found"],
  },
];
