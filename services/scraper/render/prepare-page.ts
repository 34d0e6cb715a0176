import type { Session } from "../../../mixins/browser/session.ts";
import { invalid } from "../../contracts/errors.ts";
import type { Cookie, JsRenderOptions, RequestOptions } from "../../contracts/page-options.ts";
import { clientHints, devices, languages } from "../device.ts";

export interface Presentation {
  request: Pick<RequestOptions, "device" | "locale"> & { userAgent?: string };
  jsRender: JsRenderOptions;
  /** The user's own. */
  cookies: PageCookie[];
  /** Those that the site has set on the way to the page. */
  siteCookies: PageCookie[];
}

type PageCookie = Cookie & { url: string };

/** What each session was last made to look like; emulation outlives navigations, so it is set again only when it differs. */
const presented = new WeakMap<Session, string>();

/** Makes the page look like the wanted device, and gives it the job's cookies. */
export async function preparePage(
  session: Session,
  { request, jsRender, cookies, siteCookies }: Presentation,
): Promise<void> {
  const wanted = JSON.stringify([request, jsRender.enabled, jsRender.viewport]);
  const work: Promise<unknown>[] = [];
  if (presented.get(session) !== wanted) work.push(emulate(session, request, jsRender));
  if (cookies.length > 0) work.push(setCookies(session, cookies));
  work.push(...siteCookies.map(cookie => offerCookie(session, cookie)));
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
      userAgent: request.userAgent ?? device.userAgent,
      acceptLanguage: languages(locale).join(),
      platform: device.mobile ? "Linux armv81" : "Linux x86_64",
      ...(request.userAgent === undefined && { userAgentMetadata: clientHints(device) }),
    }),
    cdp.send("Emulation.setLocaleOverride", locale === undefined ? {} : { locale }),
    cdp.send("Emulation.setScriptExecutionDisabled", { value: !jsRender.enabled }),
  ]);
}

async function setCookies({ cdp }: Session, cookies: PageCookie[]): Promise<void> {
  await cdp.send("Network.setCookies", { cookies }).catch(error => {
    if (!/cookie/i.test(String(error))) throw error;
    throw invalid("request.cookies", "invalid_value", "The browser does not take one of these cookies.");
  });
}

/** A site may set what the browser does not take; then it is left out, as the browser itself would do. */
async function offerCookie({ cdp }: Session, cookie: PageCookie): Promise<void> {
  await cdp.send("Network.setCookie", cookie).catch(error => {
    if (!/cookie/i.test(String(error))) throw error;
  });
}
