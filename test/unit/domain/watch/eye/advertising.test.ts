import { isAdvertisingName, isLabel } from "../../../../../reader/lines/advertising.ts";
import { boxes, landmarks, prose } from "../../../../fixtures/watching/frames.ts";
import { see } from "./watch-versions.ts";

test.each([
  "ad",
  "ads",
  "advert",
  "advertisement",
  "ad-banner",
  "ad-slot",
  "ad_unit",
  "adSlot",
  "ad-container",
  "top-ad",
  "sidebar-ads",
  "banner_ad",
  "ad-300",
  "leaderboard-ad",
  "article-ad",
  "google_ads_1",
  "google-ad",
  "adsbygoogle",
  "div-gpt-ad-123-0",
  "dfp-slot",
  "taboola-below-article",
  "OUTBRAIN",
  "outbrain-widget",
  "sponsored",
  "sponsored-card",
  "sponsored-post",
  "promoted",
  "paid-content",
  "native-ad",
  "site-advertisement",
  "advertisement-box",
  "anzeige",
  "anzeige-box",
  "werbung",
  "werbung-oben",
  "publicite",
  "publicidad",
  "carbonads",
  "ethical-ad",
  "adthrive-ad",
  "card promoted",
])("the name %s is that of an advertisement", name => expect(isAdvertisingName(name)).toBe(true));

test.each([
  "advanced",
  "address",
  "adapter",
  "ad-hoc",
  "add-to-cart",
  "admin",
  "admonition",
  "adjust",
  "header",
  "loading",
  "shadow",
  "badge",
  "gradient",
  "read-more",
  "job-ad",
  "job-ads",
  "classified-ad",
  "ad-title",
  "ad-detail",
  "ads-list-search",
  "my-ads",
  "radio",
  "pad",
  "uploads",
  "download",
  "advice",
  "adventure",
  "promo-code",
  "promotion",
  "publication",
  "public",
  "publisher",
  "pub-date",
  "sponsors",
  "sponsor-list",
  "spons",
  "paid",
  "paid-leave",
  "anzeigentext-hilfe-form",
  "headset",
  "threads",
  "heads",
  "leads",
  "addon",
  "ad-blocker-detail",
  "property-ads",
])("the name %s is not", name => expect(isAdvertisingName(name)).toBe(false));

test.each([
  "Advertisement",
  "ADVERTISEMENT",
  " Sponsored ",
  "— Anzeige —",
  "Werbung:",
  "Publicité",
  "Publicidad",
  "Реклама",
  "広告",
  "[Ad]",
  "Paid content",
  "إعلان",
])("%j is a label", text => expect(isLabel(text)).toBe(true));

test.each([
  "Advertisement in the newspaper costs 80 euros",
  "Sponsored by the town since 1920, and by its people",
  "Adverts",
  "Address",
  "Anzeige erstatten",
  "Promotion",
  "",
])("%j is none", text => expect(isLabel(text)).toBe(false));

const said = (html: string) => see(html).text;

test.each([
  ['<div class="ad-banner advertisement"><p>Buy a kettle</p></div>'],
  ['<div id="google_ads_1">Buy a kettle</div>'],
  ['<ins class="adsbygoogle">Buy a kettle</ins>'],
  ['<div aria-label="Advertisement">Buy a kettle</div>'],
  ['<div class="sponsored"><span>Advertisement</span><p>Buy a kettle</p></div>'],
  ['<aside class="ad">Buy a kettle</aside>'],
  ['<div data-ad-slot="7">Buy a kettle</div>'],
  ['<div data-testid="sponsored-card">Buy a kettle</div>'],
  ["<section><small>Anzeige</small><p>Buy a kettle</p></section>"],
  ["<div><p>Buy a kettle</p><p>Sponsored</p></div>"],
  ['<article class="teaser"><header><span>Sponsored</span> Acme</header><h3>Buy a kettle</h3></article>'],
  ["<amp-ad>Buy a kettle</amp-ad>"],
])("left out, also in the main content: %s", ad => {
  for (const frame of [landmarks, boxes]) {
    const text = said(frame({ main: `<h1>Boots</h1>${prose(1)}${ad}${prose(2)}` }));
    expect(text).not.toContain("kettle");
    expect(text).toContain("# Boots");
  }
});

test.each<[string, string]>([
  [
    "a page about advertising",
    '<div class="advertising"><h1>Advertising</h1><p>A quarter page costs 48 euros.</p></div>',
  ],
  [
    "an advertisement for a job",
    '<div class="job-advertisement"><h2>Carpenter</h2><p>A quarter page costs 48 euros.</p></div>',
  ],
  [
    "classified ads",
    `<h1>Ads</h1>${["Piano", "Table", "Ladder"].map(name => `<div class="ad"><h3>${name}</h3><p>A quarter page costs 48 euros.</p></div>`).join("")}`,
  ],
  [
    "a chapter on advertisements",
    "<h1>Paper</h1><h2>Advertisement</h2><p>A quarter page costs 48 euros.</p>",
  ],
  ["a list of topics", "<ul><li>Advertising</li><li>A quarter page costs 48 euros.</li></ul>"],
  ["a table of costs", "<table><tr><td>Advertising</td><td>A quarter page costs 48 euros.</td></tr></table>"],
  ["a definition", "<dl><dt>Sponsored</dt><dd>A quarter page costs 48 euros.</dd></dl>"],
  [
    "a link to the advertising",
    '<div><a href="/ads">Advertising</a><p>A quarter page costs 48 euros.</p></div>',
  ],
  ["an advanced search", '<div class="advanced">A quarter page costs 48 euros.</div>'],
  ["an address", '<div id="address" class="ad-hoc">A quarter page costs 48 euros.</div>'],
])("kept: %s", (_, main) => {
  for (const frame of [landmarks, boxes]) expect(said(frame({ main }))).toContain("48 euros");
});
