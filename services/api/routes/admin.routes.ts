import * as contract from "../../contracts/admin.contract.ts";
import { listActs } from "../../contracts/audit.contract.ts";
import { listAllDeliveries } from "../../contracts/deliveries.contract.ts";
import { exportActs, exportTypes } from "../audit/export.ts";
import { atLeastOne, exactlyOne, given, givenList } from "../openapi/body-rules.ts";
import { accountExample, postExample } from "../openapi/examples.ts";
import { page, type Route } from "./route.ts";
import { attemptExample } from "./webhook.routes.ts";

/** A large backfill may wait for the network more than once. */
const backfillMs = 120_000;
const dispatchMs = 60_000;

const common = { auth: "admin", tag: "Administration", method: "POST", status: 200 } as const;

export const postRoutes: Route[] = [
  {
    ...common,
    name: "backfillPosts",
    path: "/internal/backfill",
    action: contract.backfill,
    bodyRules: exactlyOne("uid", "username"),
    timeoutMs: () => backfillMs,
    summary: "Fetch posts of a microblog account",
    description:
      "Reads backwards from the newest post, or from `cursor`, and delivers the posts to the keys that track the account. " +
      "Posts that were delivered before are not delivered again. With `since` and `until` only posts of that time count; one " +
      "request reads up to 1,000 posts, so an answer may be short, even empty, while `x-next-cursor` leads on.",
    examples: {
      newest: { uid: accountExample.externalId },
      "of a handle and a day": {
        username: accountExample.username,
        since: "2025-03-25T00:00:00Z",
        until: "2025-03-26T00:00:00Z",
        limit: 1000,
      },
      "older ones": { uid: accountExample.externalId, cursor: "1795276205000", limit: 200 },
    },
    responses: {
      200: {
        description: "The posts, newest first.",
        example: [postExample],
        headers: { "x-next-cursor": "The `cursor` of older posts; absent when there are none." },
      },
    },
    errors: ["forbidden", "not_found", "conflict", "connector_unavailable"],
  },
  {
    ...common,
    name: "dispatchPosts",
    path: "/internal/dispatch",
    action: contract.dispatch,
    bodyRules: atLeastOne(given("post"), givenList("posts")),
    timeoutMs: () => dispatchMs,
    summary: "Deliver microblog posts",
    description:
      "Delivers each post to the keys that track its author, as if its network had sent it. Posts that were delivered " +
      "before are not delivered again. All or none: a body with an invalid post is refused, and the error names the field " +
      "(`posts.3.legacy.full_text`). With `dry_run` nothing is delivered, and the answer says what would become of each post.",
    examples: {
      one: { post: postExample },
      several: { posts: [postExample] },
      "dry run": { posts: [postExample], dry_run: true },
    },
    responses: {
      200: {
        description: "How many were dispatched.",
        example: { message: "Dispatched 2 posts." },
      },
    },
  },
  {
    ...common,
    name: "postInSandbox",
    path: "/internal/sandbox/post",
    action: contract.sandboxPost,
    summary: "Post on a simulated platform",
    description: "404 where the platform's driver is not the sandbox.",
    examples: {
      microblog: { platform: "microblog", username: accountExample.username, text: "Hello." },
      "with a picture": {
        platform: "microblog",
        username: accountExample.username,
        text: "Ein Nest.",
        language: "de",
        media: [{ type: "image", url: "https://example.com/nest.jpg", alt: "A nest." }],
      },
      channel: { platform: "messenger", channelId: "3002", text: "Hello." },
    },
    responses: {
      200: {
        description: "The post is published.",
        example: { message: "It was posted.", data: { id: "1050118621198921728" } },
      },
    },
    errors: ["not_found"],
  },
];

/** Whole installations are no thing for clients, so the document leaves it out: `magpie backup` takes it. */
export const backupRoutes: Route[] = [
  {
    ...common,
    name: "takeSnapshot",
    path: "/internal/snapshot",
    action: contract.takeSnapshot,
    hidden: true,
    summary: "Read the data folder as it is at this moment",
    responses: { 200: { description: "A tar archive.", type: "application/x-tar" } },
    errors: ["conflict"],
  },
];

const list = { auth: "admin", tag: "Administration", method: "GET", status: 200 } as const;

const key_id = "01JQ4T5W6X7Y8Z9ABCDEFGHJKM";
const laneExample = {
  key_id,
  webhook_id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  url: "https://example.com/hooks/magpie",
  status: "ACTIVE",
  waiting: 0,
  failures: 0,
  next_attempt_at: null,
  held: null,
};

/** The work of an installation for all keys. The commands of the REPL read it here. */
export const inspectionRoutes: Route[] = [
  {
    ...list,
    name: "listLanes",
    path: "/internal/lanes",
    action: contract.listLanes,
    summary: "List webhook endpoints",
    description: "For all keys, with the state of their deliveries.",
    responses: page("The endpoints.", laneExample),
  },
  {
    ...common,
    name: "reactivateLane",
    path: "/internal/lanes/{webhook_id}/reactivate",
    action: contract.reactivateLane,
    summary: "Start a webhook endpoint of any key again",
    description:
      "A `FAILED` endpoint becomes `ACTIVE`, and what was kept is delivered first. One that its owner has switched off stays " +
      "off, and one of mail whose owner has not agreed is asked once more.",
    responses: {
      200: {
        description: "The endpoint as it is now.",
        example: {
          data: { ...laneExample, waiting: 12 },
          message: "The webhook is active: what was kept is delivered first.",
        },
      },
    },
    errors: ["not_found"],
  },
  {
    ...common,
    name: "replayLane",
    path: "/internal/lanes/{webhook_id}/replay",
    action: contract.replayLane,
    summary: "Deliver events to a webhook endpoint of any key again",
    description: "As `POST /webhooks/{id}/replay` does for a key.",
    examples: {
      since: { since: "2025-03-25T09:00:00Z" },
      "some events": { event_ids: ["evt_01JQ4T5W6X7Y8Z9ABCDEFGHJKM"] },
    },
    responses: {
      200: {
        description: "The events are queued.",
        example: { data: { events: 12 }, message: "These events will be delivered again, in order." },
      },
    },
    errors: ["not_found"],
  },
  {
    ...list,
    name: "listAllDeliveries",
    path: "/internal/deliveries",
    action: listAllDeliveries,
    summary: "List attempts to deliver, of all keys",
    description: "Newest first, as long as they are kept.",
    responses: page("The attempts.", { ...attemptExample, key_id }),
  },
];

const actExample = {
  id: "evt_01JQ4T5W6X7Y8Z9ABCDEFGHJK7",
  type: "audit.updateApiKey",
  timestamp: "2025-03-25T09:30:00.000Z",
  data: {
    actor: { role: "admin", owner: null, key_id: null, signed_in: true },
    operation: "updateApiKey",
    path: { id: key_id },
    fields: ["limits"],
    target: key_id,
    status: 200,
    code: null,
    request_id: "7f9c2d4e-1b3a-4c5d-8e6f-0a1b2c3d4e5f",
    client: "203.0.113.7",
  },
};

/** The audit log. */
export const auditRoutes: Route[] = [
  {
    ...list,
    name: "listAudit",
    path: "/internal/audit",
    aliases: { types: "type", event_types: "type" },
    action: listActs,
    summary: "List the acts of people and keys",
    description:
      "Newest first: every operation that changed something, and refused sign-ins. Of people refused operations are listed, " +
      "too; reading, scrapes and searches are usage and no acts.",
    responses: page("The acts.", actExample),
  },
  {
    ...list,
    name: "exportAudit",
    path: "/internal/audit/export",
    aliases: { types: "type", event_types: "type" },
    action: exportActs,
    summary: "Export the acts of people and keys",
    description:
      "Up to now, oldest first, an event a line; with `as=csv` a table, in which a text that begins like a formula has an " +
      "apostrophe before it.",
    responses: {
      200: {
        description: "The acts.",
        type: exportTypes.jsonl,
        forms: { by: "as", types: { csv: exportTypes.csv } },
        example: `${JSON.stringify(actExample)}\n`,
      },
    },
  },
];
