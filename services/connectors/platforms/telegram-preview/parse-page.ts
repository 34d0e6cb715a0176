import { type HTMLElement, type Node, NodeType, parse } from "node-html-parser";
import type { MessengerMessage } from "../../../contracts/social.ts";

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
  const message: MessengerMessage = {
    id,
    text: textAt(element, ".js-message_text"),
    date: Math.floor(date / 1000),
    channelId: channel.username,
    channelTitle: channel.title,
    fromId: null,
    views: viewsOf(textAt(element, ".tgme_widget_message_views")),
    forwards: null,
    hasMedia: mediaType !== null || element.querySelector(otherMedia) !== null,
    mediaType,
  };
  return { id, lastId, message };
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
