import { isHidden } from "../clean/hidden.ts";
import { serverTextLength } from "../clean/server-content.ts";
import { parseHtml } from "../html/parse-html.ts";
import { plainText } from "../html/plain-text.ts";
import { adopt, type ElementNode, findElement, findElements, isElement } from "../html/tree.ts";

/** An answer to check; header names are in lower case. `url` is the requested URL. */
export interface Answer {
  html: string;
  status: number;
  url: string;
  headers?: Record<string, string>;
}

const maxWallText = 1500;
/** No wall has so much text; text beside a login form does not count. */
const plentyOfText = 2 * maxWallText;
const besideLogin = new Set(
  "nav header footer noscript select title head form label button input textarea template".split(" "),
);
const maxTextBesideLogin = 250;
const maxNotice = 250;

/**
 * Marks in the markup of challenge pages; each is served in place of a page, never within an ordinary one. A tag is read
 * up to the next `<` or `>`: a page of tags that are never closed takes no more time than another.
 */
const challenges: readonly RegExp[] = [
  // Cloudflare. Ordinary pages carry /cdn-cgi/challenge-platform/scripts/jsd/ as well, so that alone says nothing.
  /window\._cf_chl_opt\s*=|id="challenge-(?:form|error-text|running)"|<title>Attention Required! \| Cloudflare<\/title>/,
  // DataDome
  /(?:geo|ct)\.captcha-delivery\.com\/(?:captcha|interstitial|c\.js|i\.js)|<script[^<>]*>\s*var dd\s*=\s*\{\s*'rt'/,
  // HUMAN, formerly PerimeterX
  /<(?:div|meta|script)[^<>]*(?:id="px-captcha"|captcha\.px-c(?:dn|loud)\.net|captcha\.px-cdn\.net)|window\._pxAppId\s*=[\s\S]{0,2000}(?:captcha|blockScript)/,
  // Akamai
  /errors\.edgesuite\.net\/|id="sec-(?:if-)?cpt-(?:container|if)"|_sec\/cp_challenge|<meta[^<>]+bm-verify=/,
  // Imperva
  /Incapsula incident ID|<(?:iframe|script)[^<>]+src="\/_Incapsula_Resource\?/,
  // Kasada
  /window\.KPSDK\s*=|<script[^<>]+src="\/[\da-f-]{36}\/[\da-f-]{36}\/ips\.js/,
  // AWS WAF
  /window\.gokuProps\s*=|AwsWafIntegration\.(?:forceRefreshToken|getToken|saveReferrer)|<script[^<>]+\.captcha\.awswaf\.com\//,
  // Sucuri, DDoS-Guard, Vercel, Anubis
  /sucuri_cloudproxy_js|<title>DDoS-Guard<\/title>|<title>Vercel Security Checkpoint<\/title>|id="anubis_challenge"/,
];
const captcha =
  /<(?:script|iframe)[^<>]+(?:hcaptcha\.com\/1\/api|hcaptcha\.com\/captcha|google\.com\/recaptcha\/|recaptcha\.net\/recaptcha\/|challenges\.cloudflare\.com\/turnstile)/;
const captchaWords = /human|robot|captcha|bot\b|unusual traffic|verify|verification|security check/i;
const mitigated: readonly (readonly [header: string, value: RegExp])[] = [
  ["cf-mitigated", /challenge/i],
  ["x-amzn-waf-action", /challenge|captcha/i],
];

/**
 * Detects an answer that is a wall instead of the page: a bot challenge, or nothing but a login form. Conservative: it
 * requires marks in the markup and the lack of any other content, so a page about such walls is not one. `root` is the
 * page, and stays as it is.
 */
export function detectWall(
  answer: Answer,
  root: ElementNode = parseHtml(answer.html),
): "bot" | "login" | null {
  if (mitigated.some(([header, value]) => value.test(answer.headers?.[header] ?? ""))) return "bot";
  if (hasPlentyOfText(root)) return null;
  if (challenges.some(mark => mark.test(answer.html)) && hasLittleText(answer.html, maxWallText))
    return "bot";
  if (isCaptchaOnly(answer.html)) return "bot";
  return isLoginOnly(answer) ? "login" : null;
}

/** Most pages say so soon, and need not be searched for marks. */
function hasPlentyOfText(root: ElementNode): boolean {
  let left = plentyOfText;
  const read = (element: ElementNode): boolean =>
    element.childNodes.some(child => {
      if (isElement(child)) return !besideLogin.has(child.name) && !isHidden(child) && read(child);
      left -= child.text.trim().length;
      return left < 0;
    });
  return read(root);
}

/** A page that is readable without its scripts is no wall. A wall asks for scripts or cookies and has no other text. */
function isReadable(root: ElementNode): boolean {
  return serverTextLength(root) > maxNotice;
}

function hasLittleText(html: string, limit: number): boolean {
  const root = parseHtml(html);
  return !isReadable(root) && visibleText(root).length <= limit;
}

function visibleText(root: ElementNode): string {
  const body = findElement(root, ({ name }) => name === "body") ?? root;
  return plainText(without(body, ["noscript", "title", "select", "button", "head"]));
}

function isCaptchaOnly(html: string): boolean {
  if (!captcha.test(html)) return false;
  const root = parseHtml(html);
  if (isReadable(root)) return false;
  const inputs = findElements(root, isTypedInput);
  const title = titleOf(root);
  const text = visibleText(root);
  return inputs.length === 0 && text.length <= 600 && captchaWords.test(`${text} ${title}`);
}

function isTypedInput(element: ElementNode): boolean {
  return (
    element.name === "input" && !/^(?:hidden|submit|button|checkbox)$/i.test(element.getAttribute("type"))
  );
}

function titleOf(root: ElementNode): string {
  return findElement(root, ({ name }) => name === "title")?.textContent ?? "";
}

/** Only a page that was not requested as a login page and has almost no text beside the form. */
function isLoginOnly({ html, url }: Answer): boolean {
  if (!/type\s*=\s*["']?password/i.test(html) || asksForLogin(url)) return false;
  const root = parseHtml(html);
  if (isReadable(root)) return false;
  const body = findElement(root, ({ name }) => name === "body") ?? root;
  without(body, ["nav", "header", "footer", "noscript", "select", "title", "head"]);
  const passwords = findElements(body, isPassword);
  if (passwords.length !== 1) return false;
  const beside = plainText(without(body, ["form", "label", "button", "input"]));
  return beside.length <= maxTextBesideLogin;
}

function isPassword(element: ElementNode): boolean {
  return element.name === "input" && element.getAttribute("type").toLowerCase() === "password";
}

function asksForLogin(url: string): boolean {
  const path = URL.parse(url)?.pathname ?? "";
  return /(?:^|[/_-])(?:log-?in|log-?on|sign-?in|sign-?up|auth|sso|register|account|session|password)/i.test(
    path,
  );
}

function without(element: ElementNode, names: string[]): ElementNode {
  const kept = element.childNodes.filter(
    child => !isElement(child) || !(names.includes(child.name) || isHidden(child)),
  );
  adopt(element, kept);
  for (const child of kept) if (isElement(child)) without(child, names);
  return element;
}
