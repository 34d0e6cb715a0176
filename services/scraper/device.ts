import { engineMajor } from "../../mixins/browser/engine.ts";
import { programAgent } from "../../mixins/egress/identity.ts";
import type { RequestOptions } from "../contracts/page-options.ts";

/** How a kind of device presents itself. */
export interface Device {
  /** The system, as browsers name it. */
  system: string;
  platform: string;
  mobile: boolean;
  viewport: { width: number; height: number };
  scale: number;
}

const desktop: Device = {
  system: "X11; Linux x86_64",
  platform: "Linux",
  mobile: false,
  viewport: { width: 1280, height: 800 },
  scale: 1,
};

const mobile: Device = {
  system: "Linux; Android 10; K",
  platform: "Android",
  mobile: true,
  viewport: { width: 412, height: 915 },
  scale: 2,
};

export const devices = { desktop, mobile };

/** How the browser of a device names itself: with its true version, in the short form of all Chromiums (UA reduction). */
export function userAgent({ system, mobile }: Device): string {
  const what = `Chrome/${engineMajor()}.0.0.0${mobile ? " Mobile" : ""} Safari/537.36`;
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${what}`;
}

/** A request that names Magpie, unless the user names another program or asks for what a phone gets. */
export function declared<Request extends { request: RequestOptions }>(request: Request): Request {
  const { headers = {}, device } = request.request;
  if (device === "mobile" || Object.keys(headers).some(name => name.toLowerCase() === "user-agent"))
    return request;
  return { ...request, request: { ...request.request, headers: { ...headers, "user-agent": programAgent } } };
}

/** User-agent client hints that agree with the user-agent string (W3C UA Client Hints). */
export function clientHints(device: Device) {
  const brands = [
    { brand: "Chromium", version: engineMajor() },
    { brand: "Not)A;Brand", version: "24" },
  ];
  return {
    brands,
    platform: device.platform,
    platformVersion: "",
    architecture: "",
    model: "",
    mobile: device.mobile,
  };
}

/** The languages that a locale asks for, best first: itself, its language, English. */
export function languages(locale = "en-US"): string[] {
  const tag = locale.replaceAll("_", "-");
  return [...new Set([tag, tag.split("-")[0] ?? tag, "en"])];
}

function acceptLanguage(locale?: string): string {
  return languages(locale)
    .map((tag, index) => (index === 0 ? tag : `${tag};q=${(1 - index / 10).toFixed(1)}`))
    .join(",");
}

/** The headers with which a browser asks for a page, the user's own on top. */
export function pageHeaders(
  request: Pick<RequestOptions, "device" | "locale" | "headers">,
): Record<string, string> {
  const own = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    "user-agent": userAgent(devices[request.device]),
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": acceptLanguage(request.locale),
    "upgrade-insecure-requests": "1",
    ...Object.fromEntries(own),
  };
}
