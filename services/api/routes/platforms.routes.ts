import * as contract from "../../contracts/connectors.contract.ts";
import { searchMessagesTool } from "../mcp/tools.ts";
import { aboutExample, messengerMessageExample, postExample } from "../openapi/examples.ts";
import type { Route } from "./route.ts";

/** A network may make us wait before it answers. */
const networkMs = 60_000;

const common = { method: "GET", status: 200, timeoutMs: () => networkMs } as const;
const microblog = { ...common, tag: "Microblog" } as const;
const messenger = { ...common, auth: "key", tag: "Messenger" } as const;

const found = {
  description: "Messages, newest first.",
  example: { total: 1, messages: [messengerMessageExample] },
};

export const platformRoutes: Route[] = [
  {
    ...microblog,
    name: "getMicroblogPost",
    scopes: ["track"],
    path: "/microblog/post",
    action: contract.readMicroblogPost,
    auth: "either",
    summary: "One microblog post",
    examples: { one: { postId: postExample.rest_id } },
    description: "With the admin key there is no rate limit.",
    responses: { 200: { description: "The post.", example: postExample } },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
  {
    ...microblog,
    name: "aboutMicroblogUser",
    scopes: ["track"],
    path: "/microblog/about-user",
    action: contract.aboutUser,
    auth: "key",
    summary: "About a microblog account",
    examples: { one: { username: aboutExample.username } },
    description: "Fields that its network does not give are null.",
    responses: { 200: { description: "The account.", example: aboutExample } },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
  {
    ...messenger,
    name: "searchMessages",
    scopes: ["track"],
    path: "/messenger/search",
    action: contract.searchMessenger,
    tool: searchMessagesTool,
    aliases: { query: "q" },
    summary: "Search messages everywhere",
    examples: { one: { q: "magpie", limit: 20 } },
    description: "Searches everything that the messenger lets this installation search.",
    responses: { 200: found },
    errors: ["connector_unavailable"],
  },
  {
    ...messenger,
    name: "searchChannel",
    scopes: ["track"],
    path: "/messenger/channel/{channelId}/search",
    action: contract.searchChannel,
    aliases: { query: "q" },
    summary: "Search messages of a channel",
    examples: { one: { channelId: "@bird_radio", q: "magpie", limit: 20 } },
    description: "Without a text, returns the newest messages of the channel.",
    responses: { 200: found },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
];
