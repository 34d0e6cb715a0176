import { type HTMLElement, type Node, NodeType, parse } from "node-html-parser";
import type {
  Mention,
  MessengerMessage,
  OtherPost,
  PostDetails,
  PostLink,
} from "../../../contracts/social.ts";
import { detailsOf, known } from "../post-details.ts";

/** A page of a channel's public preview. */
export interface PreviewPage {
  /** Without the @, as the channel writes it. */
  username: string;
  title: string;
  /** Oldest first; service notes are among them, with no message. */
  entries: Entry[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export interface Entry {
  id: number;
  /** The id of the last part of an album, which is one entry with the id of its first part. */
  lastId: number;
  message: MessengerMessage | null;
}

/** Parses the HTML of `https://t.me/s/<name>`. Null when it is not the preview of a channel. */
export function parsePage(html: string): PreviewPage | null {
  const root = parse(html);
  const username = textAt(root, ".tgme_channel_info_header_username").replace(/^@/, "");
  const title = textAt(root, ".tgme_channel_info_header_title span");
  if (username === "") return null;
  const channel = { username: username.toLowerCase(), title };
  const entries = root
    .querySelectorAll(".tgme_widget_message[data-post]")
    .flatMap(element => toEntry(element, channel) ?? [])
    .sort((a, b) => a.id - b.id);
  const hasMore = (attribute: string) => root.querySelector(`.tme_messages_more[${attribute}]`) !== null;
  return { username, title, entries, hasOlder: hasMore("data-before"), hasNewer: hasMore("data-after") };
}

function toEntry(element: HTMLElement, channel: { username: string; title: string }): Entry | null {
  const id = Number(/\/(\d+)$/.exec(element.getAttribute("data-post") ?? "")?.[1]);
  const date = Date.parse(element.querySelector("time[datetime]")?.getAttribute("datetime") ?? "");
  if (!Number.isSafeInteger(id)) return null;
  const parts = element
    .querySelectorAll(".tgme_widget_message_grouped_wrap a[href]")
    .map(part => Number(/\/(\d+)\?single$/.exec(part.getAttribute("href") ?? "")?.[1] ?? id));
  const isService = element.classList.contains("service_message") || Number.isNaN(date);
  const lastId = Math.max(id, ...parts);
  if (isService) return { id, lastId, message: null };
  const mediaType = mediaTypeOf(element);
  const details = detailsIn(element, `https://t.me/${channel.username}/${id}`);
  const message: MessengerMessage = {
    id,
    text: textAt(element, ".js-message_text") || (details.poll?.question ?? ""),
    date: Math.floor(date / 1000),
    channelId: channel.username,
    channelTitle: channel.title,
    fromId: null,
    views: viewsOf(textAt(element, ".tgme_widget_message_views")),
    forwards: null,
    hasMedia: mediaType !== null || element.querySelector(otherMedia) !== null,
    mediaType,
    ...details,
  };
  return { id, lastId, message };
}

function detailsIn(element: HTMLElement, url: string): PostDetails {
  const preview = element.querySelector("a.tgme_widget_message_link_preview[href]");
  return detailsOf({
    url,
    ...readLinks(element.querySelector(".js-message_text")),
    card: preview && {
      url: preview.getAttribute("href") ?? "",
      ...known({
        title: textAt(preview, ".link_preview_title"),
        description: textAt(preview, ".link_preview_description"),
        image: imageAt(preview, ".link_preview_image, .link_preview_right_image"),
      }),
    },
    quoted: otherPost(element.querySelector("a.tgme_widget_message_forwarded_from_name[href]")),
    in_reply_to: otherPost(element.querySelector("a.tgme_widget_message_reply[href]")),
    poll: pollIn(element),
  });
}

/** Links of a text, but for hashtags, which lead back to the page. A mention is a link to a name with its @. */
function readLinks(text: HTMLElement | null): { links: PostLink[]; mentions: Mention[] } {
  const links: PostLink[] = [];
  const mentions: Mention[] = [];
  for (const anchor of text?.querySelectorAll("a[href]") ?? []) {
    const [url = "", words] = [anchor.getAttribute("href"), textOf(anchor).trim()];
    if (/^@\w+$/.test(words))
      mentions.push({ id: words.slice(1), name: words.slice(1), url, type: "account" });
    else if (!url.startsWith("?")) links.push({ url, text: words });
  }
  return { links, mentions };
}

/** Another message by its link, `https://t.me/<name>/<id>`. */
function otherPost(anchor: HTMLElement | null): OtherPost | undefined {
  const url = anchor?.getAttribute("href");
  const id = /\/(\d+)(?:\?.*)?$/.exec(url ?? "")?.[1];
  if (!anchor || id === undefined) return undefined;
  const isReply = anchor.classList.contains("tgme_widget_message_reply");
  return known<OtherPost>({
    id,
    url,
    author: isReply ? textAt(anchor, ".tgme_widget_message_author_name") : textOf(anchor).trim(),
    text: isReply ? textAt(anchor, ".tgme_widget_message_text, .tgme_widget_message_metatext") : undefined,
  });
}

/** The preview shows percentages, and no votes. */
function pollIn(element: HTMLElement): PostDetails["poll"] {
  const question = textAt(element, ".tgme_widget_message_poll_question");
  const options = element.querySelectorAll(".tgme_widget_message_poll_option_text");
  if (question === "") return undefined;
  return { question, options: options.map(option => ({ text: textOf(option).trim() })) };
}

function imageAt(element: HTMLElement, selector: string): string | undefined {
  const style = element.querySelector(selector)?.getAttribute("style") ?? "";
  return /background-image:\s*url\(['"]?(https?:[^'")]+)/.exec(style)?.[1];
}

/** Media types by their CSS classes; the first match counts. */
const media: [MessengerMessage["mediaType"], string][] = [
  ["video", ".tgme_widget_message_video_player, .tgme_widget_message_roundvideo_player"],
  ["photo", ".tgme_widget_message_photo_wrap"],
  [
    "document",
    ".tgme_widget_message_document_wrap, .tgme_widget_message_voice_player, .tgme_widget_message_sticker_wrap",
  ],
  ["url", ".tgme_widget_message_link_preview"],
];
const otherMedia =
  ".tgme_widget_message_poll, .tgme_widget_message_location, .tgme_widget_message_contact, .message_media_not_supported";

function mediaTypeOf(element: HTMLElement): MessengerMessage["mediaType"] {
  return media.find(([, selector]) => element.querySelector(selector))?.[0] ?? null;
}

/** `812`, `1.2K`, `3.45M`. Null for anything else. */
export function viewsOf(text: string): number | null {
  const [, digits, unit = ""] = /^([\d.]+)([KMB]?)$/.exec(text.replace(/[\s,]/g, "")) ?? [];
  if (digits === undefined) return null;
  const views = Math.round(Number(digits) * ({ K: 1e3, M: 1e6, B: 1e9 }[unit] ?? 1));
  return Number.isSafeInteger(views) ? views : null;
}

function textAt(element: HTMLElement, selector: string): string {
  const found = element.querySelector(selector);
  return found ? textOf(found).trim() : "";
}

function textOf(node: Node): string {
  if (node.nodeType === NodeType.TEXT_NODE) return node.text;
  if (node.rawTagName?.toLowerCase() === "br") return "\n";
  return node.childNodes.map(textOf).join("");
}
