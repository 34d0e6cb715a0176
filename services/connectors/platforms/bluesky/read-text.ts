import type { Mention, PostLink } from "../../../contracts/social.ts";

interface Facet {
  index?: { byteStart?: unknown; byteEnd?: unknown };
  features?: { $type?: string; uri?: unknown; did?: unknown }[];
}

/** The links and mentions of a post's text. Its facets name parts of the text by bytes of UTF-8 (app.bsky.richtext.facet). */
export function readText({ text, facets }: Record<string, unknown>): {
  links: PostLink[];
  mentions: Mention[];
} {
  const bytes = Buffer.from(typeof text === "string" ? text : "");
  const links: PostLink[] = [];
  const mentions: Mention[] = [];
  for (const facet of Array.isArray(facets) ? facets : []) {
    const { index, features } = Object(facet) as Facet;
    const words = bytes.subarray(Number(index?.byteStart), Number(index?.byteEnd)).toString().trim();
    for (const feature of Array.isArray(features) ? features : []) {
      const { $type, uri, did } = Object(feature) as { $type?: string; uri?: unknown; did?: unknown };
      if ($type === "app.bsky.richtext.facet#link" && typeof uri === "string")
        links.push(words === "" ? { url: uri } : { url: uri, text: words });
      if ($type === "app.bsky.richtext.facet#mention" && typeof did === "string")
        mentions.push({
          id: did,
          name: words.replace(/^@/, "") || did,
          url: `https://bsky.app/profile/${did}`,
          type: "account",
        });
    }
  }
  return { links, mentions };
}
