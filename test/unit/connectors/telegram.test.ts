import { Long, type tl } from "@mtcute/core";
import { dialWithin } from "../../../services/connectors/platforms/telegram/connection.ts";
import { floodSeconds, toConnectorError } from "../../../services/connectors/platforms/telegram/errors.ts";
import { readUpdates } from "../../../services/connectors/platforms/telegram/listen.ts";
import { toMessage, toPost } from "../../../services/connectors/platforms/telegram/map-post.ts";
import { parseSid } from "../../../services/connectors/platforms/telegram/sid.ts";
import { codeOf, fail } from "../../../services/contracts/errors.ts";

describe("parseSid", () => {
  const news = { username: "magpie_news" };
  const channel = { id: -1_001_234_567_890 };
  const invite = { invite: "AbC-_12345" };

  test.each([
    ["magpie_news", news],
    [" @Magpie_News ", news],
    ["https://t.me/magpie_news", news],
    ["http://www.telegram.me/magpie_news/", news],
    ["T.ME/magpie_news?boost#top", news],
    ["telegram.dog/s/magpie_news/15", news],
    ["https://t.me/magpie_news/15?comment=3", news],
    ["tg://resolve?domain=magpie_news&post=3", news],
    ["tg:resolve?domain=magpie_news", news],
    ["-1001234567890", channel],
    ["1234567890", channel],
    ["https://t.me/c/1234567890/17", channel],
    ["-4321", { id: -4321 }],
    ["-100", { id: -100 }],
    ["+AbC-_12345", invite],
    ["https://t.me/+AbC-_12345", invite],
    ["t.me/joinchat/AbC-_12345", invite],
    ["tg://join?invite=AbC-_12345", invite],
  ])("%s", (sid, expected) => {
    expect(parseSid(sid)).toEqual(expected);
  });

  test.each([
    ..."|@|abc|1abcd|a-name|two words|+short|+4930123456789|t.me/|t.me/+493012345678|t.me/joinchat/".split(
      "|",
    ),
    ..."https://example.com/magpie_news|https://t.me.example.com/magpie_news|t.me/c/name|t.me/a%2Fb".split(
      "|",
    ),
    ..."0|-0|-1000|9999999999999999|tg://msg?text=hi|x".split("|"),
    "a".repeat(33),
  ])("refuses %j, naming the field", sid => {
    const details = [{ field: "channelId", code: "malformed", message: expect.any(String) }];
    expect(failureOf(() => parseSid(sid, "channelId"))).toMatchObject({ data: { details } });
  });
});

const peerId: tl.TypePeer = { _: "peerChannel", channelId: 12 };
const plain: tl.RawMessage = { _: "message", id: 5, peerId, date: 1_700_000_000, message: "Silver!" };
const chat: tl.TypeChat = {
  _: "channel",
  id: 12,
  accessHash: Long.ONE,
  title: "Magpies",
  photo: { _: "chatPhotoEmpty" },
  date: 0,
};

describe("toMessage", () => {
  const told = {
    id: 5,
    text: "Silver!",
    date: 1_700_000_000,
    channelId: "-1000000000012",
    channelTitle: "Magpies",
    fromId: null,
    views: null,
    forwards: null,
    hasMedia: false,
    mediaType: null,
    url: "https://t.me/c/12/5",
  };
  const document = (...attributes: tl.TypeDocumentAttribute[]): tl.TypeDocument => {
    const file = {
      id: Long.ONE,
      accessHash: Long.ONE,
      fileReference: new Uint8Array(),
      date: 0,
      size: 1,
      dcId: 2,
    };
    return { _: "document", mimeType: "video/mp4", attributes, ...file };
  };
  const video: tl.TypeDocumentAttribute = { _: "documentAttributeVideo", duration: 1, w: 1, h: 1 };
  const webpage: tl.TypeWebPage = { _: "webPageEmpty", id: Long.ONE };

  test.each<[string, Partial<tl.RawMessage>, object]>([
    ["of a group", { fromId: { _: "peerUser", userId: 77 } }, { fromId: "77" }],
    ["of a channel", { views: 12, forwards: 0 }, { views: 12, forwards: 0 }],
    ["in a channel's name", { fromId: { _: "peerChannel", channelId: 13 } }, { fromId: "-1000000000013" }],
    [
      "of a basic group",
      { peerId: { _: "peerChat", chatId: 9 } },
      { channelId: "-9", channelTitle: null, url: undefined },
    ],
    ["with a photo", { media: { _: "messageMediaPhoto" } }, { hasMedia: true, mediaType: "photo" }],
    ["with a file", { media: { _: "messageMediaDocument", document: document() } }, file("document")],
    ["with a film", { media: { _: "messageMediaDocument", document: document(video) } }, file("video")],
    ["with a round film", { media: { _: "messageMediaDocument", round: true } }, file("video")],
    [
      "with a film that is said to be one",
      { media: { _: "messageMediaDocument", video: true } },
      file("video"),
    ],
    ["with a file that is gone", { media: { _: "messageMediaDocument" } }, file("document")],
    ["with a link's preview", { media: { _: "messageMediaWebPage", webpage } }, file("url")],
    [
      "with a throw of dice",
      { media: { _: "messageMediaDice", value: 6, emoticon: "🎲" } },
      { hasMedia: true },
    ],
    ["with no media after all", { media: { _: "messageMediaEmpty" } }, {}],
  ])("%s", (_, fields, expected) => {
    expect(toMessage({ ...plain, ...fields }, [chat])).toEqual({ ...told, ...expected });
  });

  const named = { ...chat, username: "magpies" } as tl.TypeChat;
  const textWithEntities = (text: string): tl.RawTextWithEntities => ({
    _: "textWithEntities",
    text,
    entities: [],
  });

  test("links behind words, addresses without a scheme, and whom it names", () => {
    const text = "🐦 Read more here, on example.com, @ada_bird or Ada";
    const at = (part: string) => ({ offset: text.indexOf(part), length: part.length });
    const entities: tl.TypeMessageEntity[] = [
      { _: "messageEntityTextUrl", ...at("here"), url: "https://example.com/nests" },
      { _: "messageEntityUrl", ...at("example.com") },
      { _: "messageEntityMention", ...at("@ada_bird") },
      { _: "messageEntityMentionName", offset: text.length - 3, length: 3, userId: 77 },
      { _: "messageEntityTextUrl", ...at("more"), url: "javascript:alert(1)" },
    ];
    expect(toMessage({ ...plain, message: text, entities }, [named])).toMatchObject({
      text,
      url: "https://t.me/magpies/5",
      links: [
        { url: "https://example.com/nests", text: "here" },
        { url: "https://example.com", text: "example.com" },
      ],
      mentions: [
        { id: "ada_bird", name: "ada_bird", url: "https://t.me/ada_bird", type: "account" },
        { id: "77", name: "Ada", type: "account" },
      ],
    });
  });

  test("the preview of a link, what is answered and what is forwarded", () => {
    const webpage: tl.RawWebPage = {
      _: "webPage",
      id: Long.ONE,
      url: "https://example.com/nests",
      displayUrl: "example.com/nests",
      hash: 0,
      title: "Nests",
      description: "Of twigs.",
    };
    const told = toMessage(
      {
        ...plain,
        media: { _: "messageMediaWebPage", webpage },
        replyTo: { _: "messageReplyHeader", replyToMsgId: 3, quoteText: "Silver?" },
        fwdFrom: {
          _: "messageFwdHeader",
          date: 0,
          fromId: { _: "peerChannel", channelId: 12 },
          channelPost: 4,
        },
      },
      [named],
    );
    expect(told).toMatchObject({
      card: { url: "https://example.com/nests", title: "Nests", description: "Of twigs." },
      in_reply_to: { id: "3", url: "https://t.me/magpies/3", text: "Silver?" },
      quoted: { id: "4", url: "https://t.me/magpies/4", author: "Magpies" },
    });
  });

  test("a poll, whose question is the text of its message", () => {
    const [one, two] = [new Uint8Array([1]), new Uint8Array([2])];
    const media: tl.RawMessageMediaPoll = {
      _: "messageMediaPoll",
      poll: {
        _: "poll",
        id: Long.ONE,
        hash: Long.ZERO,
        question: textWithEntities("Twigs or wire?"),
        answers: [
          { _: "pollAnswer", text: textWithEntities("Twigs"), option: one },
          { _: "pollAnswer", text: textWithEntities("Wire"), option: two },
        ],
        closeDate: 1_700_000_060,
      },
      results: { _: "pollResults", results: [{ _: "pollAnswerVoters", option: two, voters: 3 }] },
    };
    expect(toMessage({ ...plain, message: "", media }, [chat])).toMatchObject({
      text: "Twigs or wire?",
      poll: {
        options: [{ text: "Twigs" }, { text: "Wire", votes: 3 }],
        multiple: false,
        ends_at: "2023-11-14T22:14:20.000Z",
      },
    });
  });

  test("a channel without a description has no title", () => {
    expect(toMessage(plain, [])).toEqual({ ...told, channelTitle: null });
  });

  test("as a post it is known by its id", () => {
    const post = { postId: "5", revision: "1", type: "messenger.message.created", data: { message: told } };
    expect(toPost(plain, [chat])).toEqual(post);
  });
});

describe("readUpdates", () => {
  const at = { pts: 8, ptsCount: 1 };
  const step = { pts: 8, count: 1 };
  const id = -1_000_000_000_012;
  const service: tl.TypeMessage = { ...plain, _: "messageService", action: { _: "messageActionPinMessage" } };
  const inPrivate: tl.TypeMessage = { ...plain, peerId: { _: "peerUser", userId: 7 } };
  const edited: tl.TypeMessage = { ...plain, editDate: 1_700_000_100 };
  const reacted: tl.TypeMessage = { ...edited, editHide: true };
  const inGroup: tl.TypeMessage = { ...plain, peerId: { _: "peerChat", chatId: 9 } };

  test.each<[string, tl.TypeUpdate, object[]]>([
    ["a message", { _: "updateNewChannelMessage", message: plain, ...at }, [{ id, step, message: plain }]],
    ["a note", { _: "updateNewChannelMessage", message: service, ...at }, [{ id, step }]],
    ["an edit", { _: "updateEditChannelMessage", message: plain, ...at }, [{ id, step }]],
    [
      "an edit that is shown",
      { _: "updateEditChannelMessage", message: edited, ...at },
      [{ id, step, edited }],
    ],
    ["a reaction", { _: "updateEditChannelMessage", message: reacted, ...at }, [{ id, step }]],
    [
      "a deletion",
      { _: "updateDeleteChannelMessages", channelId: 12, messages: [1], ...at },
      [{ id, step, deleted: [1] }],
    ],
    ["too much", { _: "updateChannelTooLong", channelId: 12 }, [{ id, isBehind: true }]],
    ["a group's message", { _: "updateNewMessage", message: inGroup, ...at }, [{ id: -9, message: inGroup }]],
    ["a private message", { _: "updateNewMessage", message: inPrivate, ...at }, []],
    ["somebody's name", { _: "updateUserName", userId: 7, firstName: "", lastName: "", usernames: [] }, []],
  ])("%s", (_, update, expected) => {
    const several = { updates: [update], users: [], chats: [], date: 0, seq: 0 };
    expect(readUpdates({ _: "updates", ...several })).toEqual(expected);
    expect(readUpdates({ _: "updatesCombined", seqStart: 0, ...several })).toEqual(expected);
    expect(readUpdates({ _: "updateShort", update, date: 0 })).toEqual(expected);
  });

  test("the short forms: of a group's message as the long one, of a private one nothing", () => {
    const short = { id: 5, date: 3, message: "Hm.", pts: 1, ptsCount: 1 };
    const fromId = { _: "peerUser", userId: 7 };
    const peerId = { _: "peerChat", chatId: 9 };
    const message = { _: "message", id: 5, date: 3, message: "Hm.", fromId, peerId };
    expect(readUpdates({ _: "updateShortChatMessage", fromId: 7, chatId: 9, ...short })).toEqual([
      { id: -9, message: expect.objectContaining(message) },
    ]);
    expect(readUpdates({ _: "updateShortMessage", userId: 7, ...short })).toEqual([]);
  });

  test("an answer that it was too much altogether means that anything may be lost", () => {
    expect(readUpdates({ _: "updatesTooLong" })).toBeNull();
  });
});

describe("toConnectorError", () => {
  test.each([
    ["USERNAME_NOT_OCCUPIED", { code: 400 }, "not_found", undefined],
    ["CHANNEL_PRIVATE", { code: 406 }, "not_found", undefined],
    ["AUTH_KEY_UNREGISTERED", { code: 401 }, "connector_unavailable", undefined],
    ["AUTH_KEY_DUPLICATED", { code: 406 }, "connector_unavailable", undefined],
    ["FLOOD_WAIT_%d", { code: 420, seconds: 31 }, "connector_unavailable", 31],
    ["FLOOD_PREMIUM_WAIT_9", { code: 420 }, "connector_unavailable", 9],
    ["FROZEN_METHOD_INVALID", { code: 420 }, "connector_unavailable", 60],
    ["INTERNAL", { code: 500 }, "connector_unavailable", 10],
    ["an error that is none of the network's", {}, "connector_unavailable", 10],
  ])("%s", (text, fields, code, retryAfter) => {
    const error = Object.assign(new Error(text), fields, "code" in fields && { text });
    const told = toConnectorError(error) as Error & { data: { retry_after?: number } };
    expect([codeOf(told), told.data.retry_after, told.cause]).toEqual([code, retryAfter, error]);
  });

  test("what the client may read already stays", () => {
    const error = fail("forbidden", "No.");
    expect(toConnectorError(error)).toBe(error);
    expect(floodSeconds(error)).toBeUndefined();
  });
});

describe("dialWithin", () => {
  type Transport = Parameters<typeof dialWithin>[0];
  type Connection = Awaited<ReturnType<Transport["connect"]>>;
  const dc = { id: 2, ipAddress: "127.0.0.1", port: 1 };

  function transport() {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    let closed = 0;
    const connection = { close: () => (closed += 1) } as unknown as Connection;
    const made = { connect: () => promise, packetCodec: () => undefined } as unknown as Transport;
    return { made, answer: () => resolve(connection), reject, connection, closed: () => closed };
  }

  test("gives what the address gives", async () => {
    const { made, answer, connection, closed } = transport();
    answer();
    expect(await dialWithin(made, 60_000, new AbortController().signal).connect(dc)).toBe(connection);
    expect(closed()).toBe(0);
  });

  test("gives up in time, and closes what comes later", async () => {
    const { made, answer, closed } = transport();
    await expect(dialWithin(made, 1, new AbortController().signal).connect(dc)).rejects.toThrow("1 ms");
    answer();
    await new Promise(setImmediate);
    expect(closed()).toBe(1);
  });

  test.each(["before", "meanwhile"])("gives up with its signal, fired %s", async when => {
    const { made, reject } = transport();
    const closing = new AbortController();
    if (when === "before") closing.abort();
    const dialling = dialWithin(made, 60_000, closing.signal).connect(dc);
    closing.abort();
    await expect(dialling).rejects.toThrow("no connection");
    reject(new Error("refused after all"));
  });
});

function file(mediaType: string): object {
  return { hasMedia: true, mediaType };
}

function failureOf(run: () => unknown): unknown {
  try {
    return { answered: run() };
  } catch (error) {
    return error;
  }
}
