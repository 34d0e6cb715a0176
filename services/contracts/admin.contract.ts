import type { Readable } from "node:stream";
import { action, type ParamsOf, repeatable } from "./action.ts";
import { historyParams } from "./connectors.contract.ts";
import { endpointId, webhookStatus } from "./endpoint-options.ts";
import { keyId, nullableTime, ofKey, pageOf, pageWith } from "./paging.ts";
import { heldForQuota } from "./quotas.contract.ts";
import {
  count,
  type Infer,
  limit,
  list,
  named,
  nullableText,
  object,
  rule,
  text,
  unchecked,
  withMessage,
} from "./schema.ts";
import { microblogMedia, microblogPost } from "./social.ts";
import { microblogNetworks } from "./source.ts";
import { replayChoice, replayed } from "./webhook-dispatcher.contract.ts";

const moment = rule({ type: "string", min: 1, max: 40, optional: true });

/**
 * Fetches posts of a microblog account, newest first, and delivers them to the keys that track it. The cursor of older
 * posts is in the header `x-next-cursor`.
 */
export const backfill = action("admin.backfill", {
  params: {
    uid: {
      ...historyParams.uid,
      optional: true,
      description:
        "`externalId` or `rest_id` of the account. Exactly one of `uid` and `username` is required.",
    },
    username: {
      type: "string",
      trim: true,
      min: 1,
      max: 256,
      optional: true,
      description:
        "User name of the account, with or without the @; of another network as `bluesky:ada.example`, `user@server`, or by its address.",
    },
    since: { ...moment, description: "Only posts since this time, ISO 8601." },
    until: { ...moment, description: "Only posts before this time, ISO 8601." },
    cursor: {
      type: "string",
      min: 1,
      max: 2048,
      optional: true,
      description: "Where to continue: `x-next-cursor` of the previous answer.",
    },
    // A body has numbers of its own.
    limit: { ...limit("Posts to fetch.", { max: 1000, default: 50 }), convert: false },
  },
  result: list(microblogPost),
});
export type Backfill = ParamsOf<typeof backfill>;

/** What would become of one post. */
const plannedPost = named("PlannedPost", {
  place: { ...text, description: "Where it is in the body, such as `posts.3`." },
  rest_id: { ...nullableText, description: "Null where the post has none." },
  author: { ...nullableText, description: "`rest_id` of its author." },
  outcome: {
    type: "enum",
    values: ["new", "known", "untracked", "invalid"],
    description:
      "`new`: at least one key would get it. `known`: each key that tracks the author has it. `untracked`: no key tracks " +
      "the author. `invalid`: it is no post, and `details` says why; nothing of the body would be dispatched.",
  },
  new_keys: { ...count, description: "Keys that would get it." },
  known_keys: { ...count, description: "Keys that have it and would not get it again." },
  keys: {
    ...list(object({ key_id: keyId, known: { type: "boolean" } })),
    description: "These keys, at most 100; those that would get it come first.",
  },
  details: list(object({ field: text, code: text, message: text })),
});
export type PlannedPost = Infer<typeof plannedPost>;

/**
 * Delivers posts to the keys that track their authors. 400 that names each mistake when one of them is no post. A post
 * that was delivered before is not delivered again.
 */
export const dispatch = action("admin.dispatch", {
  params: {
    post: {
      type: "any",
      shape: microblogPost,
      optional: true,
      description: "One microblog post, as `GET /microblog/post` gives it.",
    },
    posts: {
      type: "array",
      max: 1000,
      optional: true,
      items: { type: "any", shape: microblogPost },
      description: "Several, at most 1000. At least one of `post` and `posts` is required.",
    },
    network: {
      type: "enum",
      values: microblogNetworks,
      optional: true,
      description: "The network of the authors, where it is not the default.",
    },
    dry_run: {
      type: "boolean",
      optional: true,
      description: "Says what would become of each post, and delivers none.",
    },
  },
  result: object({
    message: text,
    data: { ...list(plannedPost), optional: true, description: "Of a dry run: each post, in their order." },
  }),
});

/**
 * What the data folder holds at one moment, without its secrets, as a tar archive. `conflict` in a cluster, and while another
 * one is made.
 */
export const takeSnapshot = action("admin.takeSnapshot", { params: {}, result: unchecked<Readable>() });

const line = rule({ type: "string", min: 1, max: 2048, optional: true });

/** Posts on a simulated platform. 404 where the platform is not the sandbox's. */
export const sandboxPost = action("connectors.sandboxPost", {
  params: {
    platform: {
      type: "enum",
      values: ["microblog", "chatserver", "messenger"],
      description: "The simulated platform.",
    },
    username: {
      type: "string",
      min: 1,
      max: 64,
      optional: true,
      description: "The author on the microblog.",
    },
    channelId: {
      type: "string",
      min: 1,
      max: 64,
      optional: true,
      description: "The channel of a chat server or of the messenger.",
    },
    text: { type: "string", min: 1, max: 4096, description: "The text of the post." },
    language: {
      type: "string",
      min: 2,
      max: 35,
      optional: true,
      description: "BCP 47: the language of a post of the microblog, as its author says.",
    },
    media: {
      type: "array",
      max: 4,
      items: {
        type: "object",
        strict: true,
        props: { type: microblogMedia.props.type, url: line, preview_url: line, alt: line },
      },
      optional: true,
      description: "What is attached to a post of the microblog.",
    },
  },
  result: withMessage(object({ id: { ...text, description: "Id of the post or message." } })),
});

/*
 * The work of an installation, of all keys, a page at a time, as administrators see it.
 */

/** How far the deliveries to an endpoint have come. */
const laneSummary = named("Lane", {
  key_id: keyId,
  webhook_id: { ...text, description: "`id` of the webhook." },
  url: text,
  status: webhookStatus,
  waiting: { ...count, description: "Events that wait for delivery." },
  failures: { ...count, description: "In a row." },
  /** Null where deliveries flow, and where they have stopped. */
  next_attempt_at: { ...nullableTime, description: "Of a failing endpoint." },
  held: heldForQuota,
});
export type LaneSummary = Infer<typeof laneSummary>;

/** Webhook endpoints of all keys or one, with one status or any, in the order of their keys, newest first. */
export const listLanes = repeatable("webhook-dispatcher.listLanes", {
  params: {
    ...pageOf,
    key_id: ofKey,
    status: { ...webhookStatus, optional: true, description: "Only endpoints with this status." },
  },
  result: pageWith(laneSummary),
});

/** Starts an endpoint of any key again. One that its owner has switched off stays off. */
export const reactivateLane = repeatable("webhook-dispatcher.reactivateLane", {
  params: { webhook_id: endpointId },
  result: withMessage(laneSummary),
});

/** Delivers events again to an endpoint of any key, of those that it wants. */
export const replayLane = action("webhook-dispatcher.replayLane", {
  params: { webhook_id: endpointId, ...replayChoice },
  result: replayed,
});
