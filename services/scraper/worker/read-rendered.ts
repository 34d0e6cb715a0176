import { detectWall } from "../../domain/extract/detect-wall.ts";
import { type Digest, digestHtml, type Wanted } from "./digest-html.ts";

export interface RenderedInput {
  html: string;
  status: number;
  url: string;
  /** What the user named: whoever asks for a login page shall have it. */
  requestedUrl: string;
  wanted: Wanted;
}

/** Reads what the browser showed. */
export function readRendered({ html, status, url, requestedUrl, wanted }: RenderedInput): Digest {
  return digestHtml({ html, url, wall: detectWall({ html, status, url: requestedUrl }) }, wanted);
}
