import { type ElementNode, newElement, type PageNode } from "../html/tree.ts";
import type { ResolveUrl } from "../page/page-links.ts";
import { player } from "./clean-link.ts";
import { mendImage } from "./lazy-image.ts";

/** Elements of AMP that are no content: advertisements, counters, and what opens beside the page. */
const beside =
  /^amp-(?:ad|auto-ads|sticky-ad|embed|analytics|pixel|sidebar|consent|user-notification|social-share|lightbox-gallery|app-banner)$/;
const videos: Record<string, readonly [attribute: string, before: string]> = {
  "amp-youtube": ["data-videoid", "https://www.youtube.com/watch?v="],
  "amp-vimeo": ["data-videoid", "https://vimeo.com/"],
  "amp-dailymotion": ["data-videoid", "https://www.dailymotion.com/video/"],
  "amp-twitter": ["data-tweetid", "https://twitter.com/i/status/"],
};

/** The picture, player or frame that an element of AMP is; undefined for one whose content counts. */
export function ampContent(element: ElementNode, resolve: ResolveUrl): PageNode[] | undefined {
  const { name, attributes } = element;
  if (name === "amp-img" || name === "amp-anim") {
    const image = newElement("img", Object.fromEntries(attributes), []);
    return mendImage(image, resolve) ? [image] : [];
  }
  if (beside.test(name)) return [];
  const [attribute, before] = videos[name] ?? [];
  if (attribute !== undefined) {
    const id = element.getAttribute(attribute);
    if (!/^[\w-]{1,40}$/.test(id)) return undefined;
    return player(
      newElement(name, { src: `${before}${id}`, title: element.getAttribute("title") }, []),
      resolve,
    );
  }
  const isPlayer = /^amp-(?:video|audio|iframe|video-iframe)$/.test(name);
  return isPlayer ? player(element, resolve) : undefined;
}
