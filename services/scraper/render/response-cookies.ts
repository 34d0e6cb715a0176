import { Cookie } from "tough-cookie";
import type { Cookie as PageCookie } from "../../contracts/page-options.ts";
import type { FetchedPage } from "../fetch/fetch-page.ts";

/** What the plain fetch was given on its way, for the browser that goes on from its answer. */
export function responseCookies({
  setCookies,
}: Pick<FetchedPage, "setCookies">): (PageCookie & { url: string })[] {
  return setCookies.flatMap(({ url, value }) => {
    const cookie = Cookie.parse(value);
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
