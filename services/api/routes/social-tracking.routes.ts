import * as contract from "../../contracts/tracker.contract.ts";
import { accountExample, channelExample, profileExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

const common = { auth: "key", tag: "Tracking", status: 200 } as const;

/** A network may make us wait before it answers. */
const networkMs = 60_000;

const jobId = "9b2f7c1e-4a3d-4e8b-b1c2-7d6e5f4a3b2c";

/** What only the social platforms have: requests to join, accounts by their names, single channels. */
export const socialTrackingRoutes: Route[] = [
  {
    ...common,
    name: "getJoin",
    scopes: ["read", "track"],
    method: "GET",
    path: "/track/{source}/status",
    action: contract.trackStatus,
    summary: "Get the state of a join request",
    examples: { one: { source: "messenger", id: jobId } },
    description:
      "Takes the `jobId` from the answer to tracking a gated channel. The request is `waiting` until somebody decides, " +
      "`completed` once the channel is tracked, and `failed` when nobody has approved it for seven days.",
    responses: {
      200: {
        description: "The request.",
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
    name: "trackUser",
    scopes: ["track"],
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
      200: {
        description: "The key tracks the account already.",
        example: { message: "The user was tracked already.", data: profileExample },
      },
      201: {
        description: "It is tracked from now on.",
        example: { message: "The user is tracked.", data: profileExample },
      },
    },
    errors: ["forbidden", "not_found", "conflict", "connector_unavailable"],
  },
  {
    ...common,
    name: "untrackUser",
    scopes: ["track"],
    method: "DELETE",
    path: "/track-user",
    action: contract.untrackUser,
    alsoInQuery: true,
    timeoutMs: () => networkMs,
    summary: "Stop tracking a microblog user",
    description: "The account is unfollowed when no other key tracks it.",
    examples: { account: { username: accountExample.username } },
    responses: {
      200: {
        description: "It is no longer tracked.",
        example: { message: "The user is no longer tracked." },
      },
    },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
  {
    ...common,
    name: "listTrackedUsers",
    scopes: ["read", "track"],
    method: "GET",
    path: "/tracked-users",
    action: contract.trackedUsers,
    summary: "List the microblog users that the key tracks",
    description: "Newest first.",
    responses: {
      200: {
        description: "All of them.",
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
    name: "trackChat",
    scopes: ["track"],
    method: "POST",
    path: "/track-chat",
    action: contract.trackChat,
    timeoutMs: () => networkMs,
    summary: "Track one channel of a chat server",
    description: "New messages of the channel reach the key's webhook and streams.",
    examples: { channel: { channelId: "2011" } },
    responses: {
      200: {
        description: "The key tracks it already.",
        example: {
          message: "The channel was tracked already.",
          data: { id: "c1b2a3d4-e5f6-4789-90ab-cdef01234567" },
        },
      },
      201: {
        description: "It is tracked from now on.",
        example: { message: "The channel is tracked.", data: { id: "c1b2a3d4-e5f6-4789-90ab-cdef01234567" } },
      },
    },
    errors: ["forbidden", "not_found", "conflict", "connector_unavailable"],
  },
  {
    ...common,
    name: "untrackChat",
    scopes: ["track"],
    method: "DELETE",
    path: "/track-chat",
    action: contract.untrackChat,
    alsoInQuery: true,
    timeoutMs: () => networkMs,
    summary: "Stop tracking a channel of a chat server",
    description: "The channel is unfollowed when no other key tracks it; tracking of its server continues.",
    examples: { channel: { channelId: "2011" } },
    responses: {
      200: {
        description: "It is no longer tracked.",
        example: { message: "The channel is no longer tracked." },
      },
    },
    errors: ["not_found"],
  },
];
