import type { Session } from "../../../mixins/browser/session.ts";
import type { Cookie, JsRenderOptions, RequestOptions } from "../../contracts/scraper.contract.ts";
import { clientHints, devices, languages } from "../device.ts";

export interface Presentation {
  url: string;
  request: Pick<RequestOptions, "device" | "locale">;
  jsRender: JsRenderOptions;
  /** Those without a URL of their own are for the page's. */
  cookies: (Cookie & { url?: string })[];
}

/** What each session was last made to look like; emulation outlives navigations, so it is set again only when it differs. */
const presented = new WeakMap<Session, string>();

/** Makes the page look like the wanted device, and gives it the job's cookies. */
export async function preparePage(
  session: Session,
  { url, request, jsRender, cookies }: Presentation,
): Promise<void> {
  const wanted = JSON.stringify([request, jsRender.enabled, jsRender.viewport]);
  const work: Promise<unknown>[] = [];
  if (presented.get(session) !== wanted) work.push(emulate(session, request, jsRender));
  if (cookies.length > 0) work.push(setCookies(session, url, cookies));
  await Promise.all(work);
  presented.set(session, wanted);
}

async function emulate(
  { cdp }: Session,
  request: Presentation["request"],
  jsRender: JsRenderOptions,
): Promise<void> {
  const device = devices[request.device];
  const locale = request.locale?.replaceAll("_", "-");
  await Promise.all([
    cdp.send("Emulation.setDeviceMetricsOverride", {
      ...(jsRender.viewport ?? device.viewport),
      deviceScaleFactor: device.scale,
      mobile: device.mobile,
    }),
    cdp.send("Emulation.setTouchEmulationEnabled", { enabled: device.mobile }),
    cdp.send("Emulation.setUserAgentOverride", {
      userAgent: device.userAgent,
      acceptLanguage: languages(locale).join(),
      platform: device.mobile ? "Linux armv81" : "Linux x86_64",
      userAgentMetadata: clientHints(device),
    }),
    cdp.send("Emulation.setLocaleOverride", locale === undefined ? {} : { locale }),
    cdp.send("Emulation.setScriptExecutionDisabled", { value: !jsRender.enabled }),
  ]);
}

async function setCookies({ cdp }: Session, url: string, cookies: Presentation["cookies"]): Promise<void> {
  await cdp.send("Network.setCookies", {
    cookies: cookies.map(cookie => ({ url, ...cookie })),
  });
}
