/** Where Magpie differs from feedparser on purpose, with the reason: docs/lab/2026-11-24-feeds-and-polls.md, 0052. */
export const decided = new Map<string, string>(
  Object.entries({
    "`Content-Location` is no base: RFC 9110 gives it no such meaning, and proxies put internal addresses there":
      [
        "base/http_channel_link_base_content_location",
        "base/http_entry_author_url_base_content_location",
        "base/http_entry_content_base64_base_content_location",
        "base/http_entry_content_base_content_location",
        "base/http_entry_content_inline_base_content_location",
        "base/http_entry_id_base_content_location",
        "base/http_entry_link_base_content_location",
        "base/http_entry_summary_base64_base_content_location",
        "base/http_entry_summary_base_content_location",
        "base/http_entry_summary_inline_base_content_location",
        "base/http_feed_link_base_content_location",
        "base/http_item_body_base_content_location",
        "base/http_item_comments_base_content_location",
        "base/http_item_content_encoded_base_content_location",
        "base/http_item_description_base_content_location",
        "base/http_item_fullitem_base_content_location",
        "base/http_item_link_base_content_location",
        "base/http_item_xhtml_body_base_content_location",
        "http/headers_content_location-relative",
      ],
    "Drawings are not kept in `content_html`": [
      "namespace/atomsvg",
      "namespace/atomsvgdesc",
      "namespace/atomsvgtitle",
      "namespace/atomxlink",
      "namespace/rss2.0svg",
      "namespace/rss2.0svg5",
      "namespace/rss2.0svgtitle",
      "namespace/rss2.0xlink",
    ],
  }).flatMap(([reason, names]) => names.map(name => [`wellformed/${name}.xml`, reason] as const)),
);
