import type { APIMessage } from "@discordjs/core/http-only";
import { authorizeUrl } from "../../../services/connectors/platforms/discord/api.ts";
import { sessionSpacingMs } from "../../../services/connectors/platforms/discord/gateway.ts";
import { isWritten, toPost } from "../../../services/connectors/platforms/discord/map-post.ts";
import { compareIds, idAt, newestOf, parseSid } from "../../../services/connectors/platforms/discord/sid.ts";

const id = "175928847299117063";

test.each([
  ["corvids", { invite: "corvids" }],
  [" aBc-123 ", { invite: "aBc-123" }],
  ["discord.gg/aBc", { invite: "aBc" }],
  ["https://discord.gg/aBc/", { invite: "aBc" }],
  ["http://www.discord.gg/invite/aBc", { invite: "aBc" }],
  ["https://discord.com/invite/aBc?event=1#x", { invite: "aBc" }],
  ["HTTPS://Discord.COM/invite/aBc", { invite: "aBc" }],
  ["ptb.discord.com/invite/aBc", { invite: "aBc" }],
  ["https://discordapp.com/invite/aBc", { invite: "aBc" }],
  [`https://discord.com/channels/${id}`, { guildId: id }],
  [`https://discord.com/channels/${id}/1234`, { guildId: id }],
  [id, { guildId: id }],
  [`channel:${id}`, { channelId: id }],
  ["", null],
  ["a", null],
  ["no spaces", null],
  ["../users/@me", null],
  ["corvids?with_counts=true", null],
  ["channel:general", null],
  [`channel:${id}/messages`, null],
  ["channel:", null],
  ["https://discord.gg/", null],
  ["https://discord.gg/a%2Fb", null],
  ["https://discord.gg/abc/def", null],
  ["https://discord.gg.birds.example/abc", null],
  ["https://discord.com/invite/", null],
  ["https://discord.com/channels/@me/1", null],
  ["https://birds.example/invite/abc", null],
])("sid %j", (sid, meant) => {
  expect(parseSid(sid)).toEqual(meant);
});

test("ids order by time, also across lengths", () => {
  const ids = ["99999999999999999", "100000000000000000", "0", "1099511627776000000"];
  expect(ids.toSorted(compareIds)).toEqual(["0", ...ids.slice(0, 2), "1099511627776000000"]);
  expect([newestOf(ids), newestOf([])]).toEqual(["1099511627776000000", "0"]);
  // The example of Discord's documentation: 175928847299117063 was made at this moment.
  const moment = Date.parse("2016-04-30T11:18:25.796Z");
  expect(compareIds(idAt(moment), id)).toBeLessThan(0);
  expect(compareIds(idAt(moment + 1), id)).toBeGreaterThan(0);
  expect(idAt(0)).toBe("0");
});

const message = {
  id: "334385199974967042",
  channel_id: "290926798999357250",
  type: 0,
  author: { id: "53908099506183680", username: "mason", global_name: "Mason" },
  content: "Supa Hot",
  timestamp: "2017-07-11T17:27:07.299000+00:00",
  attachments: [
    {
      id: "1",
      filename: "a.png",
      url: "https://cdn.example/a.png",
      content_type: "image/png",
      size: 9,
      description: "A nest.",
    },
    { id: "2", filename: "b", url: "https://cdn.example/b", size: 0 },
  ],
} as unknown as APIMessage;

test("a message", () => {
  expect(toPost(message, { guildId: "290926798626357999", mayReadContent: true })).toEqual({
    postId: "334385199974967042",
    revision: "1",
    type: "chatserver.message.created",
    data: {
      message: {
        id: "334385199974967042",
        channelId: "290926798999357250",
        guildId: "290926798626357999",
        authorId: "53908099506183680",
        authorName: "Mason",
        content: "Supa Hot",
        createdAt: "2017-07-11T17:27:07.299Z",
        attachments: [
          {
            id: "1",
            filename: "a.png",
            url: "https://cdn.example/a.png",
            contentType: "image/png",
            size: 9,
            alt: "A nest.",
          },
          { id: "2", filename: "b", url: "https://cdn.example/b", contentType: null, size: 0, alt: null },
        ],
      },
    },
  });
});

test.each([
  ["", true, ""],
  ["", false, null],
  ["@magpie hello", false, "@magpie hello"],
])("content %j, may be read: %j", (content, mayReadContent, told) => {
  const post = toPost({ ...message, content }, { guildId: null, mayReadContent });
  expect(post.data.message).toMatchObject({ content: told, guildId: null });
});

test("an author without a display name", () => {
  const author = { ...message.author, global_name: null };
  const post = toPost({ ...message, author }, { guildId: null, mayReadContent: true });
  expect(post.data.message).toMatchObject({ authorName: "mason" });
});

test.each([
  [0, true],
  [19, true],
  [20, true],
  [23, true],
  [6, false],
  [7, false],
  [18, false],
  [21, false],
])("a message of type %i was written by somebody: %j", (type, written) => {
  expect(isWritten({ ...message, type })).toBe(written);
});

test("where the bot is added", () => {
  const url = new URL(authorizeUrl({ applicationId: "1", mayReadContent: true }, id));
  expect(`${url.origin}${url.pathname}`).toBe("https://discord.com/oauth2/authorize");
  // View Channels is bit 10, Read Message History bit 16.
  expect(Number(url.searchParams.get("permissions"))).toBe(2 ** 10 + 2 ** 16);
});

test.each([
  [{ remaining: 1000, reset_after: 86_400_000 }, 1, 86_400],
  [{ remaining: 1000, reset_after: 86_400_000 }, 4, 345_600],
  [{ remaining: 100, reset_after: 86_400_000 }, 1, 864_000],
  [{ remaining: 999, reset_after: 0 }, 1, 0],
  [{ remaining: 0, reset_after: 3600 }, 1, 3600],
  [{ remaining: 1, reset_after: 86_400_000 }, 100, 2 ** 31 - 1],
])("with %j and %i shards one begins sessions every %i ms", (left, shards, expected) => {
  expect(sessionSpacingMs(left, shards)).toBe(expected);
});
