/** What the stand-in holds. */
export interface ChannelEntity {
  username: string;
  title: string;
  messages: MessageEntity[];
}

export interface MessageEntity {
  id: number;
  /** ISO 8601. */
  date: string;
  text: string;
  views: string | null;
  /** HTML of what the message shows beside its text. */
  media: string;
  isService: boolean;
}

export interface ShownPart {
  messages: MessageEntity[];
  older: number | undefined;
  newer: number | undefined;
}

/** A page as the public preview has it, reduced to what carries meaning. */
export function renderPage(
  { username, title }: ChannelEntity,
  { messages, older, newer }: ShownPart,
): string {
  const more = (attribute: "before" | "after", id: number | undefined) =>
    id === undefined
      ? ""
      : `<a href="/s/${username}?${attribute}=${id}" class="tme_messages_more js-messages_more" data-${attribute}="${id}"></a>`;
  const empty = '<div class="tme_no_messages_found">No posts found</div>';
  return `<!DOCTYPE html><html><head><title>${escapeHtml(title)} – Telegram</title></head><body>
<section class="tgme_right_column"><div class="tgme_channel_info"><div class="tgme_channel_info_header">
<div class="tgme_channel_info_header_title"><span dir="auto">${escapeHtml(title)}</span></div>
<div class="tgme_channel_info_header_username"><a href="https://t.me/${username}">@${username}</a></div>
</div></div></section>
<section class="tgme_channel_history js-message_history">${more("before", older)}
${messages.map(message => renderMessage(username, title, message)).join("\n") || empty}
${more("after", newer)}</section></body></html>`;
}

function renderMessage(username: string, title: string, message: MessageEntity): string {
  const { id, date, text, views, media, isService } = message;
  const kind = isService ? "service_message " : "";
  return `<div class="tgme_widget_message_wrap js-widget_message_wrap">
<div class="tgme_widget_message ${kind}js-widget_message" data-post="${username}/${id}"><div class="tgme_widget_message_bubble">
<div class="tgme_widget_message_author"><a class="tgme_widget_message_owner_name" href="https://t.me/${username}"><span dir="auto">${escapeHtml(title)}</span></a></div>
${media}${text === "" ? "" : `<div class="tgme_widget_message_text js-message_text" dir="auto">${escapeHtml(text).replaceAll("\n", "<br/>")}</div>`}
<div class="tgme_widget_message_footer"><div class="tgme_widget_message_info">
${views === null ? "" : `<span class="tgme_widget_message_views">${views}</span>`}
<span class="tgme_widget_message_meta"><a class="tgme_widget_message_date" href="https://t.me/${username}/${id}"><time datetime="${date}" class="time">12:00</time></a></span>
</div></div></div></div></div>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
