import { parsePage, viewsOf } from "../../../services/connectors/platforms/telegram-preview/parse-page.ts";
import { parseSid } from "../../../services/connectors/platforms/telegram-preview/sid.ts";

test.each([
  ["magpies", { username: "magpies" }],
  [" @MagPies_1 ", { username: "magpies_1" }],
  ["t.me/magpies", { username: "magpies" }],
  ["https://t.me/magpies", { username: "magpies" }],
  ["http://www.telegram.me/magpies/", { username: "magpies" }],
  ["https://t.me/s/magpies?before=20", { username: "magpies" }],
  ["https://t.me/magpies/123?single", { username: "magpies" }],
  ["+AbC-d_1", { isPrivate: true }],
  ["t.me/+AbC", { isPrivate: true }],
  ["https://t.me/joinchat/AbC", { isPrivate: true }],
  ["https://t.me/c/1234567/89", { isPrivate: true }],
  ["", null],
  ["abc", null],
  ["1magpie", null],
  ["mag pies", null],
  ["magpies?q=1", null],
  ["../magpies", null],
  ["-1001234567890", null],
  ["https://t.me/", null],
  ["https://t.me/s/", null],
  ["https://t.me/joinchat", null],
  ["https://t.me.birds.example/magpies", null],
  ["https://birds.example/magpies", null],
  ["a".repeat(33), null],
])("sid %j", (sid, meant) => {
  expect(parseSid(sid)).toEqual(meant);
});

test.each([
  ["0", 0],
  ["812", 812],
  ["1.2K", 1200],
  ["34K", 34_000],
  ["3.45M", 3_450_000],
  ["1B", 1_000_000_000],
  ["1 200", 1200],
  ["", null],
  ["many", null],
  ["1.2.3K", null],
])("views %j", (text, views) => {
  expect(viewsOf(text)).toBe(views);
});

/** One message of a page, of which `inside` differs. */
function pageWith(inside: string, { kind = "", id = "7" } = {}): string {
  return `<div class="tgme_channel_info_header_title"><span dir="auto">Mag&amp;pies</span></div>
    <div class="tgme_channel_info_header_username"><a href="https://t.me/MagPies">@MagPies</a></div>
    <div class="tgme_widget_message ${kind} js-widget_message" data-post="MagPies/${id}">${inside}
    <a class="tgme_widget_message_date" href="https://t.me/MagPies/${id}"><time datetime="2026-05-31T17:50:14+00:00" class="time">17:50</time></a></div>`;
}

function messageOf(inside: string, options = {}) {
  const [entry] = parsePage(pageWith(inside, options))?.entries ?? [];
  return entry?.message;
}

test("a message", () => {
  const inside = `<div class="tgme_widget_message_text js-message_text" dir="auto">FIRST &amp; <b>FAST</b><br/>line two <a href="https://birds.example">link</a> <i class="emoji" style="x"><b>🐦</b></i></div>
    <span class="tgme_widget_message_views">1.2K</span>`;
  expect(parsePage(pageWith(inside))).toEqual({
    username: "MagPies",
    title: "Mag&pies",
    hasOlder: false,
    hasNewer: false,
    entries: [
      {
        id: 7,
        lastId: 7,
        message: {
          id: 7,
          text: "FIRST & FAST\nline two link 🐦",
          date: Date.UTC(2026, 4, 31, 17, 50, 14) / 1000,
          channelId: "magpies",
          channelTitle: "Mag&pies",
          fromId: null,
          views: 1200,
          forwards: null,
          hasMedia: false,
          mediaType: null,
          url: "https://t.me/magpies/7",
          links: [{ url: "https://birds.example", text: "link" }],
        },
      },
    ],
  });
});

test("what a message is about beside its text", () => {
  const inside = `<a class="tgme_widget_message_forwarded_from_name" href="https://t.me/owls/12"><span>The Owls</span></a>
    <a class="tgme_widget_message_reply" href="https://t.me/MagPies/3"><div class="tgme_widget_message_author"><span class="tgme_widget_message_author_name">Mag&amp;pies</span></div><div class="tgme_widget_message_text js-message_reply_text">before</div></a>
    <div class="tgme_widget_message_text js-message_text">by <a href="https://t.me/ada_bird">@ada_bird</a> <a href="?q=%23birds">#birds</a> <a href="javascript:alert(1)">no</a></div>
    <a class="tgme_widget_message_link_preview" href="https://birds.example/nests"><i class="link_preview_right_image" style="background-image:url('https://cdn.example/n.jpg')"></i><div class="link_preview_title">Nests</div><div class="link_preview_description">Of twigs.</div></a>`;
  const message = messageOf(inside);
  expect(message).toMatchObject({
    mentions: [{ id: "ada_bird", name: "ada_bird", url: "https://t.me/ada_bird", type: "account" }],
    card: {
      url: "https://birds.example/nests",
      title: "Nests",
      description: "Of twigs.",
      image: "https://cdn.example/n.jpg",
    },
    quoted: { id: "12", url: "https://t.me/owls/12", author: "The Owls" },
    in_reply_to: { id: "3", url: "https://t.me/MagPies/3", author: "Mag&pies", text: "before" },
  });
  expect(message).not.toHaveProperty("links");
});

test("a poll, whose question is the text of its message", () => {
  const option = (words: string) =>
    `<div class="tgme_widget_message_poll_option"><div class="tgme_widget_message_poll_option_percent">50%</div><div class="tgme_widget_message_poll_option_text">${words}</div></div>`;
  const inside = `<div class="tgme_widget_message_poll"><div class="tgme_widget_message_poll_question">Twigs or wire?</div>${option("Twigs")}${option("Wire")}</div>`;
  expect(messageOf(inside)).toMatchObject({
    text: "Twigs or wire?",
    poll: { question: "Twigs or wire?", options: [{ text: "Twigs" }, { text: "Wire" }] },
  });
});

const text = '<div class="tgme_widget_message_text js-message_text">caw</div>';
const link = '<a class="tgme_widget_message_link_preview" href="https://birds.example"></a>';

test.each([
  ["text alone", text, false, null],
  ["a photo", '<a class="tgme_widget_message_photo_wrap" style=""></a>', true, "photo"],
  [
    "a video",
    '<a class="tgme_widget_message_video_player"><time class="message_video_duration">0:28</time></a>',
    true,
    "video",
  ],
  ["a round video", '<a class="tgme_widget_message_roundvideo_player"></a>', true, "video"],
  ["a document", '<a class="tgme_widget_message_document_wrap"></a>', true, "document"],
  ["a voice message", '<a class="tgme_widget_message_voice_player"></a>', true, "document"],
  ["a link with a preview", text + link, true, "url"],
  ["a photo with a link", `<a class="tgme_widget_message_photo_wrap"></a>${text}`, true, "photo"],
  ["a poll", '<div class="tgme_widget_message_poll"></div>', true, null],
  ["what previews do not show", '<div class="message_media_not_supported"></div>', true, null],
])("media: %s", (_, inside, hasMedia, mediaType) => {
  expect(messageOf(inside)).toMatchObject({ hasMedia, mediaType, date: expect.any(Number) });
});

test("the words of a reply are its own, not those that it answers", () => {
  const reply =
    '<a class="tgme_widget_message_reply" href="https://t.me/MagPies/3"><div class="tgme_widget_message_text js-message_reply_text">before</div></a>';
  expect(messageOf(reply + text)).toMatchObject({ text: "caw" });
  expect(messageOf(reply)).toMatchObject({ text: "", views: null });
});

test("an album is one message, and the next one comes after its last part", () => {
  const part = (id: number) =>
    `<a class="tgme_widget_message_photo_wrap grouped_media" href="https://t.me/MagPies/${id}?single"></a>`;
  const album = `<div class="tgme_widget_message_grouped_wrap">${part(7)}${part(8)}${part(9)}</div>`;
  expect(parsePage(pageWith(album))?.entries).toMatchObject([
    { id: 7, lastId: 9, message: { mediaType: "photo" } },
  ]);
});

test.each([
  ["a service message", pageWith(text, { kind: "service_message" })],
  ["one without a date", pageWith(text).replace(/datetime="[^"]*"/, "")],
])("%s is no message", (_, html) => {
  expect(parsePage(html)?.entries).toEqual([{ id: 7, lastId: 7, message: null }]);
});

test.each([
  ["no page of a channel", "<html><body>Telegram</body></html>", null],
  ["nothing", "", null],
  ["no messages", pageWith(text, { id: "x" }), []],
])("%s", (_, html, entries) => {
  expect(parsePage(html)?.entries ?? null).toEqual(entries);
});

test("whether there is more", () => {
  const more = (attribute: string) => `<a class="tme_messages_more" ${attribute}="5"></a>`;
  const page = (extra: string) => parsePage(pageWith(text) + extra);
  expect(page(more("data-before"))).toMatchObject({ hasOlder: true, hasNewer: false });
  expect(page(more("data-after"))).toMatchObject({ hasOlder: false, hasNewer: true });
});
