import { listen, type OnError } from "./listen.ts";
import { type Decision, evaluateIn, hasLeft, type PageRequest, replaceDocument, type Tab } from "./tab.ts";

/** A tab whose requests are decided. */
interface DecidedTab extends Tab {
  decide: (request: PageRequest) => Decision;
  readonly onError: OnError;
}

/**
 * Puts an empty document of the same origin in the place of the one that is shown, with which its scripts end. Mostly the
 * renderer does so by itself, for a fourth of what a navigation costs; where the page does not let it, the tab navigates
 * (docs/decisions/0288). Nothing is requested meanwhile. `clear` removes what the last document left, from within the empty one.
 */
export async function endDocument(state: DecidedTab, clear: () => Promise<unknown>): Promise<void> {
  state.decide = blockAll;
  if (originOf(state.url) !== undefined && (await isReplacedWithin(state, clear))) return;
  await navigateAway(state);
  await clear();
}

const blockAll = (): Decision => ({ kind: "block" });

/** False also where another document came meanwhile: the page had begun to leave before. */
async function isReplacedWithin(state: DecidedTab, clear: () => Promise<unknown>): Promise<boolean> {
  const { cdp, mainFrameId, onError } = state;
  let hasNavigated = false;
  const stop = listen(cdp, "Page.frameNavigated", onError, ({ frame }) => {
    hasNavigated ||= frame.id === mainFrameId;
  });
  try {
    if (!(await replaceItself(state)) || hasNavigated) return false;
    // Where the page had asked for another document, that one does not come, or nothing runs in it.
    const scriptsOff = cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
    await Promise.all([scriptsOff, cdp.send("Page.stopLoading"), clear()]);
    return !hasNavigated;
  } finally {
    stop();
  }
}

/**
 * A document becomes what the script of such an address returns. That ends the context, and this evaluation with it. What is
 * in `noscript` is text where scripts may run.
 */
const replacing = `new Promise(resolve => {
  const refuse = () => resolve(false);
  try {
    addEventListener("securitypolicyviolation", refuse);
    const probe = Document.prototype.createElement.call(document, "div");
    probe.innerHTML = "<noscript><b></b></noscript>";
    if (probe.firstChild.firstElementChild !== null) return refuse();
    const ask = () => location.replace("javascript:''");
    ask();
    // Each step of the page itself calls off what was asked for.
    setInterval(ask, 50);
  } catch {
    refuse();
  }
})`;

/** False where the page's policy forbids such addresses, or no script may run. */
async function replaceItself(state: DecidedTab): Promise<boolean> {
  return await evaluateIn<boolean>(state, state.mainFrameId, replacing, true).catch(error => {
    if (hasLeft(error)) return true;
    throw error;
  });
}

/** Scripts are disabled and service workers bypassed, so that nothing answers in the place of the empty document. */
async function navigateAway(state: DecidedTab): Promise<void> {
  const { cdp } = state;
  const origin = originOf(state.url);
  const place = origin === undefined ? "about:blank" : `${origin}/`;
  state.decide = ({ isMainDocument, url }) => (isMainDocument && url === place ? emptyDocument : blockAll());
  await Promise.all([
    cdp.send("Emulation.setScriptExecutionDisabled", { value: true }),
    cdp.send("Network.setBypassServiceWorker", { bypass: true }),
    cdp.send("Page.stopLoading"),
  ]);
  await replaceDocument(state, place, state.onError);
  await cdp.send("Network.setBypassServiceWorker", { bypass: false });
}

/** No document of another origin reaches the session storage of this one. */
function originOf(url: string): string | undefined {
  return (/^https?:/.test(url) && URL.parse(url)?.origin) || undefined;
}

/** Nothing in it runs, and nothing is loaded for it. */
const emptyDocument: Decision = {
  kind: "fulfil",
  status: 200,
  headers: { "content-type": "text/html", "content-security-policy": "default-src 'none'" },
  body: Buffer.alloc(0),
};
