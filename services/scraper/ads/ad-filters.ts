import { FiltersEngine, Request } from "@ghostery/adblocker";

/** Tells ads and trackers by their address, as a content blocker's filter lists do. */
export interface AdFilters {
  /** `type` is a CDP resource type, `Script` for example. */
  blocks(url: string, pageUrl: string, type: string): boolean;
}

/** Blocks nothing; used until the lists are compiled and where the request does not want blocking. */
export const noAdFilters: AdFilters = { blocks: () => false };

const typeNames: Record<
  string,
  "script" | "image" | "stylesheet" | "xhr" | "sub_frame" | "media" | "font" | "websocket" | "ping" | "other"
> = {
  Script: "script",
  Image: "image",
  Stylesheet: "stylesheet",
  XHR: "xhr",
  Fetch: "xhr",
  Document: "sub_frame",
  Media: "media",
  Font: "font",
  WebSocket: "websocket",
  Ping: "ping",
};

/** `compiled` is what `buildAdFilters` made. */
export function adFilters(compiled: Uint8Array): AdFilters {
  const engine = FiltersEngine.deserialize(compiled);
  return {
    blocks: (url, pageUrl, type) =>
      engine.match(Request.fromRawDetails({ url, sourceUrl: pageUrl, type: typeNames[type] ?? "other" }))
        .match,
  };
}
