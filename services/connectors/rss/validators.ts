import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { FeedState } from "./feed-state.ts";

// A header of this size is no validator but a mistake, and would be sent with every poll.
const maxLength = 1024;

/** What a server gives to ask again with (RFC 9110, 8.8). */
export function validators({ headers }: FetchedDocument): Pick<FeedState, "etag" | "lastModified"> {
  const { etag = "", "last-modified": lastModified = "" } = headers;
  return {
    ...(isSendable(etag) && { etag }),
    ...(isSendable(lastModified) && { lastModified }),
  };
}

/** The headers of a conditional request (RFC 9110, 13.1). */
export function conditions({ etag, lastModified }: Partial<FeedState>): Record<string, string> {
  return {
    ...(etag !== undefined && { "if-none-match": etag }),
    ...(lastModified !== undefined && { "if-modified-since": lastModified }),
  };
}

function isSendable(value: string): boolean {
  return value !== "" && value.length <= maxLength && /^[\x20-\x7e]+$/.test(value);
}
