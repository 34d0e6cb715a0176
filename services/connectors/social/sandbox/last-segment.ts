/**
 * What stands last in a profile's or invite's URL, or the text itself where it is no URL. Undefined for a URL without
 * a path. The host is not looked at: the simulated platforms are at home nowhere.
 */
export function lastSegment(sid: string): string | undefined {
  if (!/^https?:\/\//i.test(sid)) return sid;
  return URL.parse(sid)
    ?.pathname.split("/")
    .findLast(segment => segment !== "");
}
