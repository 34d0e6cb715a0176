import { detectWall } from "../../page/detect-wall.ts";

const url = "https://site.example/story";
const long = "<p>A long and ordinary text about something else entirely, with many words in it.</p>".repeat(
  40,
);

interface Case {
  name: string;
  html: string;
  status?: number;
  url?: string;
  headers?: Record<string, string>;
}

const bots: Case[] = [
  {
    name: "Cloudflare",
    status: 403,
    html: "<title>Just a moment...</title><body><script>window._cf_chl_opt = {cType: 'managed'};</script><noscript>Enable JavaScript and cookies to continue</noscript></body>",
  },
  { name: "Cloudflare by header", status: 403, html: "<p>x</p>", headers: { "cf-mitigated": "challenge" } },
  {
    name: "Cloudflare block",
    status: 403,
    html: '<title>Attention Required! | Cloudflare</title><div id="cf-wrapper"><h1>Sorry, you have been blocked</h1></div>',
  },
  {
    name: "DataDome",
    status: 403,
    html: "<html><head><title>site.example</title></head><body><script>var dd={'rt':'c','cid':'x','host':'geo.captcha-delivery.com'}</script><script src=\"https://ct.captcha-delivery.com/c.js\"></script></body></html>",
  },
  {
    name: "HUMAN",
    status: 403,
    html: '<title>Access to this page has been denied</title><div id="px-captcha"></div><p>Press &amp; Hold to confirm you are a human</p>',
  },
  {
    name: "Akamai",
    status: 403,
    html: "<TITLE>Access Denied</TITLE><H1>Access Denied</H1>You don't have permission to access this.<P>https://errors.edgesuite.net/18.1</P>",
  },
  { name: "Akamai challenge", html: '<div id="sec-if-cpt-container"></div>' },
  {
    name: "Imperva",
    html: '<html><body style="margin:0"><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31">Request unsuccessful. Incapsula incident ID: 1</iframe></body></html>',
  },
  { name: "Kasada", status: 429, html: "<script>window.KPSDK={};KPSDK.now=1;</script>" },
  {
    name: "AWS WAF",
    status: 202,
    html: '<script>window.gokuProps = {"key":"x"};</script><div id="challenge-container"></div>',
  },
  { name: "AWS WAF by header", status: 405, html: "", headers: { "x-amzn-waf-action": "captcha" } },
  {
    name: "reCAPTCHA alone",
    status: 429,
    html: '<title>Unusual traffic</title><p>Please show that you are not a robot.</p><script src="https://www.google.com/recaptcha/api.js"></script>',
  },
  {
    name: "hCaptcha alone",
    html: '<h1>Security check</h1><script src="https://hcaptcha.com/1/api.js"></script>',
  },
];

const logins: Case[] = [
  {
    name: "a form that asks for scripts",
    html: '<noscript>Please enable JavaScript in your browser to sign in here.</noscript><form><input><input type="password"></form>',
  },
  {
    name: "a form alone",
    html: '<title>Sign in</title><h1>Welcome back</h1><form><label>Mail <input name="mail"></label><input type="password"><button>Log in</button></form>',
  },
  {
    name: "a form in a frame of links",
    html: '<header><a href="/">Home</a></header><main><h2>Bitte anmelden</h2><form><input><input type=password></form><a href="/forgot">Passwort vergessen?</a></main><footer>Impressum</footer>',
  },
];

const pages: Case[] = [
  {
    name: "an article about Cloudflare",
    html: `<h1>Just a moment... how Cloudflare works</h1>${long}<pre>&lt;script&gt;window._cf_chl_opt = {}&lt;/script&gt;</pre>`,
  },
  {
    name: "a page with Cloudflare's own script",
    html: '<h1>Hi</h1><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
  },
  {
    name: "an article that names walls",
    html: `<h1>CAPTCHA, DataDome, PerimeterX and Incapsula compared</h1>${long}`,
  },
  {
    name: "a contact form with reCAPTCHA",
    html: '<h1>Write to us</h1><p>Verify that you are human.</p><form><input name="name"><textarea></textarea></form><script src="https://www.google.com/recaptcha/api.js"></script>',
  },
  {
    name: "a shop with a guarding script",
    html: `<script src="https://ct.captcha-delivery.com/c.js"></script><h1>Shop</h1>${long}`,
  },
  {
    name: "a login box in the header",
    html: `<header><form><input><input type="password"></form></header><h1>News</h1>${long}`,
  },
  {
    name: "a short page with a login box in the header",
    html: '<header><form><input><input type="password"></form></header><h1>News</h1><p>Short.</p>',
  },
  {
    name: "an article beside a login box",
    html: `<article>${long}</article><div><form><input><input type="password"></form></div>`,
  },
  {
    name: "the login page that was asked for",
    url: "https://site.example/account/login",
    html: '<h1>Log in</h1><form><input><input type="password"></form>',
  },
  {
    name: "a page that is there without scripts, with a form for saved passwords",
    html: `<form><input><input type="password"></form><noscript>${long}</noscript>`,
  },
  {
    name: "a shell with a hidden form for saved passwords",
    html: '<form style="display: none"><input><input type="password"></form><div id="app"></div>',
  },
  {
    name: "a page that its scripts get as data, with a form for saved passwords",
    html: `<form><input><input type="password"></form><div data-preloaded='${JSON.stringify({ topic_1: JSON.stringify({ post_stream: { posts: [{ cooked: long.replaceAll("'", "") }] } }) })}'></div>`,
  },
  { name: "a registration form", html: '<form><input type="password"><input type="password"></form>' },
  { name: "a plain 403", status: 403, html: "<h1>403 Forbidden</h1>" },
  { name: "nothing", html: "" },
];

describe("walls", () => {
  test.each(bots)("bot: $name", ({ html, status = 200, headers }) => {
    expect(detectWall({ html, status, url, ...(headers && { headers }) })).toBe("bot");
  });

  test.each(logins)("login: $name", ({ html }) => {
    expect(detectWall({ html, status: 200, url })).toBe("login");
  });

  test.each(pages)("none: $name", ({ html, status = 200, url: asked = url }) => {
    expect(detectWall({ html, status, url: asked })).toBeNull();
  });
});
