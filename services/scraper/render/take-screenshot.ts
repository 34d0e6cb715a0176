import type { Session } from "../../../mixins/browser/session.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";

/** The largest side of an image that Chromium's compositor draws. */
const maxPixels = 16_384;

/** A PNG of the viewport, or of the whole page down to the largest height that can be drawn. */
export async function takeScreenshot(
  { cdp }: Session,
  extent: OutputOptions["screenshot"],
): Promise<Uint8Array> {
  const { cssContentSize, cssVisualViewport } = await cdp.send("Page.getLayoutMetrics");
  const scale = Math.max(1, cssVisualViewport.scale);
  const whole = {
    x: 0,
    y: 0,
    width: Math.min(cssContentSize.width, maxPixels / 2),
    height: Math.min(cssContentSize.height, maxPixels / 2),
    scale: 1 / scale,
  };
  const { data } = await cdp.send("Page.captureScreenshot", {
    format: "png",
    ...(extent === "full_page" && { captureBeyondViewport: true, clip: whole }),
  });
  return Buffer.from(data, "base64");
}
