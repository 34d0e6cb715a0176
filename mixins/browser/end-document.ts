import type { OnError } from "./listen.ts";
import { type Decision, type PageRequest, replaceDocument, type Tab } from "./tab.ts";

/** A tab whose requests are decided. */
interface DecidedTab extends Tab {
  decide: (request: PageRequest) => Decision;
  readonly onError: OnError;
}

/**
 * Puts an empty document of the same origin in the place of the one that is shown, with which its scripts end. Scripts are
 * disabled before, so that none of its handlers runs while it ends, and service workers are bypassed, so that none answers in
 * the place of the empty document (docs/decisions/0180). No request leaves meanwhile. Resolves with the empty document's address.
 */
export async function endDocument(state: DecidedTab): Promise<string> {
  const { cdp } = state;
  const place = emptyPlace(state.url);
  state.decide = ({ isMainDocument, url }) =>
    isMainDocument && url === place ? emptyDocument : { kind: "block" };
  await Promise.all([
    cdp.send("Emulation.setScriptExecutionDisabled", { value: true }),
    cdp.send("Network.setBypassServiceWorker", { bypass: true }),
    cdp.send("Page.stopLoading"),
  ]);
  await replaceDocument(state, place, state.onError);
  return place;
}

/** The address of an empty document of the page's own origin: no other document reaches its session storage. */
function emptyPlace(url: string): string {
  const { origin } = (/^https?:/.test(url) && URL.parse(url)) || {};
  return origin === undefined ? "about:blank" : `${origin}/`;
}

/** Nothing in it runs, and nothing is loaded for it. */
const emptyDocument: Decision = {
  kind: "fulfil",
  status: 200,
  headers: { "content-type": "text/html", "content-security-policy": "default-src 'none'" },
  body: Buffer.alloc(0),
};
