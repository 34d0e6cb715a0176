import { isTrackingParameter } from "../url/canonical-url.ts";

const url = /(!\[[^\]]{0,300}\]\()?((?:https?:\/\/|(?<=\]\()\/)[^\s<>)\]"]+)/gi;

/**
 * A line of Markdown or plain text whose URLs lack the parts that do not change where they lead: tracking parameters,
 * session ids, CSRF tokens, and, in the address of a picture, script or style, cache keys.
 */
export function withPlainUrls(line: string): string {
  if (!/https?:|\]\(\//i.test(line)) return line;
  return line.replace(url, (_, image = "", address: string) => image + plainUrl(address, image !== ""));
}

const assetFile = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|css|m?js|woff2?|ttf)$/i;
const sessionInPath = /;(?:jsessionid|phpsessid|sid)=[^/;?#]*/gi;

function plainUrl(address: string, isImage: boolean): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(address) ?? [];
  const path = before.replace(sessionInPath, "");
  if (query === undefined) return path + fragment;
  const isFile = assetFile.test(path);
  const kept = query
    .split("&")
    .filter(pair => !isMeaningless(pair, { isAsset: isImage || isFile, isFile }))
    .join("&");
  return path + (kept === "" ? "" : `?${kept}`) + fragment;
}

const session =
  /^(?:sess(?:ion)?_?id|sesskey|x?_?[cx]srf[\w-]*|(?:_?wp)?_?nonce|authenticity_token|__requestverificationtoken|cache_?bust(?:er|ing)?|no_?cache)$/i;
/** A session may also be a part of a conference: its id is long and has a digit. */
const token = /^sess(?:ion)?=(?=[^&]*\d)[\w.~%-]{10,}$/i;
const cacheKey =
  /^(?:v|ver|version|t|ts|time|timestamp|_|cb|rnd|rand|random|rev|build|cache\w*|expires|exp|policy|sig|signature|key-pair-id|x-amz-.*|x-goog-.*)$/i;

/** `isFile`: the address of a picture, script or style file, whose query without a name is its revision. */
function isMeaningless(pair: string, { isAsset, isFile }: { isAsset: boolean; isFile: boolean }): boolean {
  const [name = "", value] = pair.split("=", 2);
  if (isTrackingParameter(name) || session.test(name) || token.test(pair)) return true;
  if (isAsset && cacheKey.test(name)) return true;
  return isFile && (value === undefined || /^(?:h|hash)$/i.test(name));
}
