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
        url: "https://discord.com/channels/290926798626357999/290926798999357250/334385199974967042",
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

const toldOf = (fields: object, names?: Map<string, string>) =>
  toPost({ ...message, content: "", attachments: [], ...fields } as APIMessage, {
    guildId: "290926798626357999",
    mayReadContent: true,
    ...(names && { names }),
  }).data.message;
const release = {
  type: "rich",
  title: "v2.0 released",
  url: "https://example.com/v2",
  description: "See the [notes](https://example.com/notes).",
  author: { name: "Builder" },
  fields: [{ name: "Size", value: "3 MB" }],
  footer: { text: "CI" },
  thumbnail: { url: "https://example.com/v2.png" },
};

test("a message that is an embed says what the embed says", () => {
  expect(toldOf({ embeds: [release] })).toMatchObject({
    content: "v2.0 released\nSee the [notes](https://example.com/notes).\nSize: 3 MB",
    embeds: [
      {
        title: "v2.0 released",
        url: "https://example.com/v2",
        description: "See the [notes](https://example.com/notes).",
        author: "Builder",
        fields: [{ name: "Size", value: "3 MB" }],
        image: "https://example.com/v2.png",
        footer: "CI",
      },
    ],
    links: [{ url: "https://example.com/notes", text: "notes" }, { url: "https://example.com/v2" }],
  });
  expect(toldOf({ content: "Look:", embeds: [release] })).toMatchObject({ content: "Look:" });
});

test("a preview of a link is its card", () => {
  const preview = { ...release, type: "link" };
  expect(toldOf({ content: "https://example.com/v2.", embeds: [preview] })).toMatchObject({
    content: "https://example.com/v2.",
    card: { url: "https://example.com/v2", title: "v2.0 released", image: "https://example.com/v2.png" },
  });
});

test("a forwarded message says what was forwarded, and where it is", () => {
  const snapshot = {
    content: "Supa Cold",
    timestamp: "2017-07-10T17:27:07.299000+00:00",
    attachments: [{ id: "1", filename: "a.png", url: "https://cdn.example/a.png", size: 9 }],
    embeds: [],
  };
  const message_reference = { type: 1, guild_id: "1", channel_id: "2", message_id: "3" };
  expect(toldOf({ message_reference, message_snapshots: [{ message: snapshot }] })).toMatchObject({
    content: "Supa Cold",
    forwarded: {
      content: "Supa Cold",
      createdAt: "2017-07-10T17:27:07.299Z",
      url: "https://discord.com/channels/1/2/3",
      attachments: [{ filename: "a.png" }],
    },
  });
});

test("an answer says what it answers", () => {
  const message_reference = { guild_id: "1", channel_id: "2", message_id: "3" };
  const referenced_message = { ...message, content: "Who?" };
  const told = toldOf({ type: 19, content: "Me.", message_reference, referenced_message });
  const url = "https://discord.com/channels/1/2/3";
  expect(told).toMatchObject({ in_reply_to: { id: "3", url, author: "Mason", text: "Who?" } });
});

test("names are told of those whom a text has by their ids", () => {
  const [channel, role, unknown] = ["290926798999357251", "290926798999357252", "290926798999357253"];
  const names = new Map([
    [channel, "general"],
    [role, "keepers"],
  ] as [string, string][]);
  const content = `<@53908099506183680> see <#${channel}> <@&${role}> <#${unknown}>`;
  const url = `https://discord.com/channels/290926798626357999/${channel}`;
  expect(toldOf({ content, mentions: [message.author] }, names)).toMatchObject({
    content,
    mentions: [
      { id: "53908099506183680", name: "Mason", type: "account" },
      { id: channel, name: "general", type: "channel", url },
      { id: role, name: "keepers", type: "role" },
    ],
  });
});

test("words that hide an address, and addresses in brackets", () => {
  const content = "[here](https://example.com/a), (https://example.com/b) <https://example.com/c>";
  const links = [
    { url: "https://example.com/a", text: "here" },
    { url: "https://example.com/b" },
    { url: "https://example.com/c" },
  ];
  expect(toldOf({ content })).toMatchObject({ links });
});

test("a poll", () => {
  const poll = {
    question: { text: "Twigs or wire?" },
    answers: [
      { answer_id: 1, poll_media: { text: "Twigs" } },
      { answer_id: 2, poll_media: { text: "Wire" } },
    ],
    expiry: "2024-05-02T12:00:00.000000+00:00",
    allow_multiselect: false,
    results: { is_finalized: false, answer_counts: [{ id: 1, count: 4, me_voted: false }] },
  };
  expect(toldOf({ poll })).toMatchObject({
    content: "Twigs or wire?",
    poll: {
      question: "Twigs or wire?",
      options: [{ text: "Twigs", votes: 4 }, { text: "Wire" }],
      multiple: false,
      ends_at: "2024-05-02T12:00:00.000Z",
    },
  });
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
