import { clip, clipBytes } from "./clip.ts";
import { bodyOf, plainBody, titleOf, worstOf } from "./message-text.ts";
import { type News, newsOf } from "./news.ts";

/** Messages for people that are made by JSONata, as owners of endpoints may write it themselves. */
export type BuiltInFormat = "teams" | "telegram" | "matrix" | "pushover" | "gotify";

interface BuiltIn {
  /** Makes the body of the variables that `variablesOf` has. */
  transform: string;
  /** The longest text, in bytes of UTF-8 where the receiver counts those, else in characters. */
  most: { bytes: number } | { characters: number };
  /** What an address has to be, after "must be"; undefined for one that is. */
  problem(url: URL): string | undefined;
  /** Where it is sent; `id` is that of the delivery. */
  to?(url: URL, id: string): URL;
  method?: "PUT";
}

const withoutQuery = (url: URL): URL => new URL(url.pathname, url);
const has = (url: URL, ...names: string[]) => names.every(name => url.searchParams.get(name));

export const builtIns: Record<BuiltInFormat, BuiltIn> = {
  /** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors: 28 KB. Text runs are not Markdown. */
  teams: {
    transform: `{
  "type": "message",
  "attachments": [{
    "contentType": "application/vnd.microsoft.card.adaptive",
    "content": {
      "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
      "type": "AdaptiveCard",
      "version": "1.4",
      "body": [
        {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": $title, "weight": "Bolder"}]},
        {"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": $text}]}
      ],
      "actions": $link = "" ? [] : [{"type": "Action.OpenUrl", "title": "Open", "url": $link}]
    }
  }]
}`,
    most: { bytes: 12_000 },
    problem: () => undefined,
  },
  /** https://core.telegram.org/bots/api#sendmessage. Without `parse_mode`, nothing in a text is a mark. */
  telegram: {
    transform: `{
  "chat_id": $target.chat_id,
  "message_thread_id": $target.message_thread_id ? $number($target.message_thread_id),
  "text": $whole,
  "link_preview_options": {"is_disabled": true}
}`,
    most: { characters: 4_096 },
    problem: url =>
      /^(\/[^/]+)*\/bot\d+:[\w-]+\/sendMessage$/.test(url.pathname) && has(url, "chat_id")
        ? undefined
        : "https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>",
    to: withoutQuery,
  },
  /** https://spec.matrix.org/v1.11/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid: 64 KB. */
  matrix: {
    transform: `{"msgtype": "m.text", "body": $whole, "m.mentions": {}}`,
    most: { bytes: 40_000 },
    problem: url =>
      /\/_matrix\/client\/v3\/rooms\/[^/]+\/send\/m\.room\.message\/?$/.test(url.pathname)
        ? undefined
        : "https://<server>/_matrix/client/v3/rooms/<room>/send/m.room.message, with an `authorization` of your own in `headers`",
    // A transaction that is repeated makes no second message.
    to: (url, id) =>
      new URL(`${url.pathname.replace(/\/$/, "")}/${encodeURIComponent(id)}${url.search}`, url),
    method: "PUT",
  },
  /** https://pushover.net/api: a message of 1,024 characters, a title of 250, an address of 512. */
  pushover: {
    transform: `{
  "token": $target.token,
  "user": $target.user,
  "device": $target.device,
  "title": $title,
  "message": $text,
  "url": $link != "" and $length($link) <= 512 ? $link,
  "priority": $mood = "failure" ? 1 : 0
}`,
    most: { characters: 1_024 },
    problem: url =>
      url.pathname.endsWith("/messages.json") && has(url, "token", "user")
        ? undefined
        : "https://api.pushover.net/1/messages.json?token=<application>&user=<user>",
    to: withoutQuery,
  },
  /** https://gotify.net/api-docs#/message/createMessage. */
  gotify: {
    transform: `{
  "title": $title,
  "message": $text,
  "priority": $mood = "failure" ? 8 : $mood = "warning" ? 6 : 4,
  "extras": $link != "" ? {"client::notification": {"click": {"url": $link}}}
}`,
    most: { bytes: 30_000 },
    problem: url =>
      url.pathname.endsWith("/message")
        ? undefined
        : "https://<server>/message?token=<application>, or without the token and with `x-gotify-key` in `headers`",
  },
};

export function isBuiltIn(format: string): format is BuiltInFormat {
  return Object.hasOwn(builtIns, format);
}

const titleLength = 250;

/** The variables of the built-in messages. Texts keep the limits of the receiver; `events` are JSON. */
export function variablesOf(
  format: BuiltInFormat,
  url: URL,
  template: string | null,
  events: readonly string[],
): Record<string, unknown> {
  const { most } = builtIns[format];
  const news = events.map(newsOf);
  const cut = (text: string) => ("bytes" in most ? clipBytes(text, most.bytes) : clip(text, most.characters));
  const longest = "bytes" in most ? most.bytes : most.characters;
  const title = clip(titleOf(news), titleLength);
  const text = cut(bodyOf(news, template, longest)) || title;
  return {
    title,
    text,
    whole: template === null ? cut(wholeOf(news, longest)) : text,
    link: news.length === 1 ? (news[0]?.url ?? "") : "",
    mood: worstOf(news),
    target: Object.fromEntries(url.searchParams),
  };
}

function wholeOf(news: readonly News[], longest: number): string {
  return news.length === 1 ? plainBody(news, null).trim() : bodyOf(news, null, longest);
}
