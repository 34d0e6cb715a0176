import { Cookie as SetCookie } from "tough-cookie";
import type { Session } from "../../../mixins/browser/session.ts";
import { invalid } from "../../contracts/errors.ts";
import type { Cookie, JsRenderOptions, RequestOptions } from "../../contracts/page-options.ts";
import { clientHints, devices, languages, userAgent } from "../device.ts";
import type { FetchedPage } from "../fetch/fetch-page.ts";

export interface Presentation {
  request: Pick<RequestOptions, "device" | "locale"> & { userAgent?: string };
  jsRender: JsRenderOptions;
  /** From the request. */
  cookies: PageCookie[];
  /** Something is typed and clicked, whatever the actions of the request. */
  isHandled?: boolean;
  /** Set by the site on the way to the page. */
  siteCookies: PageCookie[];
}

type PageCookie = Cookie & { url: string };

/** The emulation that each session has. It survives navigations, so it is set only when it differs. */
const presented = new WeakMap<Session, string>();

/** Emulates the wanted device and sets the job's cookies. */
export async function preparePage(
  session: Session,
  { request, jsRender, cookies, siteCookies, isHandled = acts(jsRender) }: Presentation,
): Promise<void> {
  const wanted = JSON.stringify([request, jsRender.viewport, jsRender.color_scheme, isHandled]);
  // Wiping ends with scripts disabled.
  const scripts = { value: !jsRender.enabled };
  const work: Promise<unknown>[] = [session.cdp.send("Emulation.setScriptExecutionDisabled", scripts)];
  if (presented.get(session) !== wanted) work.push(emulate(session, request, jsRender, isHandled));
  if (cookies.length > 0) work.push(setCookies(session, cookies));
  work.push(...siteCookies.map(cookie => offerCookie(session, cookie)));
  await Promise.all(work);
  presented.set(session, wanted);
}

async function emulate(
  { cdp }: Session,
  request: Presentation["request"],
  jsRender: JsRenderOptions,
  isHandled: boolean,
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
      userAgent: request.userAgent ?? userAgent(device),
      acceptLanguage: languages(locale).join(),
      platform: device.mobile ? "Linux armv81" : "Linux x86_64",
      ...(request.userAgent === undefined && { userAgentMetadata: clientHints(device) }),
    }),
    cdp.send("Emulation.setLocaleOverride", locale === undefined ? {} : { locale }),
    cdp.send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: jsRender.color_scheme ?? "" }],
    }),
    // Keys go to the page that has the focus, and only one page of a browser would have it.
    cdp.send("Emulation.setFocusEmulationEnabled", { enabled: isHandled }),
  ]);
}

function acts({ actions = [] }: JsRenderOptions): boolean {
  return actions.length > 0;
}

async function setCookies({ cdp }: Session, cookies: PageCookie[]): Promise<void> {
  await cdp.send("Network.setCookies", { cookies }).catch(error => {
    if (!/cookie/i.test(String(error))) throw error;
    throw invalid("request.cookies", "invalid_value", "The browser does not take one of these cookies.");
  });
}

/** Skips a cookie that the browser rejects, as the browser itself would do. */
async function offerCookie({ cdp }: Session, cookie: PageCookie): Promise<void> {
  await cdp.send("Network.setCookie", cookie).catch(error => {
    if (!/cookie/i.test(String(error))) throw error;
  });
}

/** The cookies that the fetch received, for the browser that renders its answer. */
export function responseCookies({
  setCookies,
}: Pick<FetchedPage, "setCookies">): (Cookie & { url: string })[] {
  return setCookies.flatMap(({ url, value }) => {
    const cookie = SetCookie.parse(value);
    if (cookie === undefined) return [];
    const expires = cookie.expiryTime();
    return {
      url,
      name: cookie.key,
      value: cookie.value,
      ...(cookie.domain !== null && { domain: cookie.domain }),
      ...(cookie.path !== null && { path: cookie.path }),
      secure: cookie.secure,
      httpOnly: cookie.httpOnly,
      ...(expires !== undefined && Number.isFinite(expires) && { expires: expires / 1000 }),
    };
  });
}

/**
 * Splits a `Cookie` header (RFC 6265, 5.4) off a request's headers. Chromium writes that header only from its own cookie
 * jar, so its cookies have to be set there. Drops a name that is not a token: the jar does not accept it.
 */
export function splitCookieHeader(given: Record<string, string>): {
  headers: Record<string, string>;
  cookies: Cookie[];
} {
  const isCookie = ([name]: [string, string]) => name.toLowerCase() === "cookie";
  const entries = Object.entries(given);
  return {
    headers: Object.fromEntries(entries.filter(entry => !isCookie(entry))),
    cookies: entries.filter(isCookie).flatMap(([, value]) => value.split(";").flatMap(toCookie)),
  };
}

function toCookie(pair: string): Cookie[] {
  const [, name, value = ""] = /^\s*([!#$%&'*+.^_`|~\w-]+)=(.*?)\s*$/.exec(pair) ?? [];
  return name === undefined ? [] : [{ name, value }];
}
