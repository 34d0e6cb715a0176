import type { Session } from "../../../mixins/browser/session.ts";
import { evaluateIn, replaceDocument } from "../../../mixins/browser/tab.ts";
import type { BrowserCookie, VisitJar } from "../sessions/jar.ts";
import { evaluateApart } from "./find-element.ts";

/** Puts local storage into a tab: in an empty document of each origin, for which the site is not asked. */
export async function putStorage(session: Session, { storage }: VisitJar): Promise<void> {
  const { decide } = session;
  try {
    for (const [origin, entries] of Object.entries(storage)) {
      if (Object.keys(entries).length === 0) continue;
      const url = `${origin}/`;
      session.decide = request =>
        request.isMainDocument && request.url === url ? emptyDocument : { kind: "block" };
      await replaceDocument(session, url, session.onError);
      await evaluateIn(session, session.mainFrameId, filling(entries));
    }
  } finally {
    session.decide = decide;
  }
}

const emptyDocument = {
  kind: "fulfil" as const,
  status: 200,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<!doctype html><link rel=icon href=data:,>"),
};

function filling(entries: Record<string, string>): string {
  return `for (const [name, value] of ${JSON.stringify(Object.entries(entries))}) localStorage.setItem(name, value)`;
}

/** The cookies of a tab. Without the name of its context Chromium answers those of another one. */
export async function cookiesOf({ process, parts }: Session): Promise<BrowserCookie[]> {
  const browserContextId = parts.context.id;
  return (await process.connection.send("Storage.getCookies", { browserContextId })).cookies;
}

/** Takes cookies and local storage out of a tab, as the page has left them; `had`: the cookies before it. */
export async function takeState(
  session: Session,
  jar: VisitJar,
  had: readonly BrowserCookie[],
): Promise<void> {
  jar.replace(had, await cookiesOf(session));
  const [origin, entries] = await evaluateApart<[string, Record<string, string>]>(session, stored);
  if (/^https?:/.test(origin)) jar.store(origin, entries);
}

/** A document without an origin has no storage. */
const stored = `(() => {
  try { return [location.origin, { ...localStorage }]; } catch { return ["", {}]; }
})()`;
