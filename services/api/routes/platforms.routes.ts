import * as contract from "../../contracts/platforms.contract.ts";
import { aboutExample, messengerMessageExample, postExample } from "../openapi/social-examples.ts";
import { messengerMessages, microblogAbout, microblogPost } from "../openapi/social-schemas.ts";
import type { Route } from "../route.ts";

/** A network may want us to wait before it answers. */
const networkMs = 60_000;

const common = { method: "GET", status: 200, timeoutMs: () => networkMs } as const;
const microblog = { ...common, tag: "Microblog" } as const;
const messenger = { ...common, auth: "key", tag: "Messenger" } as const;

const found = {
  description: "Messages, newest first.",
  schema: messengerMessages,
  example: { total: 1, messages: [messengerMessageExample] },
};

export const platformRoutes: Route[] = [
  {
    ...microblog,
    path: "/microblog/post",
    action: contract.microblogPost,
    auth: "either",
    summary: "One microblog post",
    examples: { one: { postId: postExample.rest_id } },
    description: "With the admin key there is no rate limit.",
    responses: { 200: { description: "The post.", schema: microblogPost, example: postExample } },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
  {
    ...microblog,
    path: "/microblog/about-user",
    action: contract.aboutUser,
    auth: "key",
    summary: "What the microblog tells of an account",
    examples: { one: { username: aboutExample.username } },
    description: "What its network does not tell is null.",
    responses: { 200: { description: "The account.", schema: microblogAbout, example: aboutExample } },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
  {
    ...messenger,
    path: "/messenger/search",
    action: contract.searchMessenger,
    aliases: { query: "q" },
    summary: "Search messages everywhere",
    examples: { one: { q: "magpie", limit: 20 } },
    description: "Wherever the messenger lets this installation look.",
    responses: { 200: found },
    errors: ["connector_unavailable"],
  },
  {
    ...messenger,
    path: "/messenger/channel/{channelId}/search",
    action: contract.searchChannel,
    aliases: { query: "q" },
    summary: "Search messages of a channel",
    examples: { one: { channelId: "@bird_radio", q: "magpie", limit: 20 } },
    description: "Without a text to look for, the newest messages of the channel.",
    responses: { 200: found },
    errors: ["forbidden", "not_found", "connector_unavailable"],
  },
];
