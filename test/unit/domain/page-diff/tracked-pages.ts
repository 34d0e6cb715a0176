/** Pages that people track, in several languages: what is in their `main`, the rest of the page around it. */
const contents = {
  release: `<h1>Kestrel 4.2</h1><p>Published December 1, 2026</p><p class="meta">Last updated: December 2, 2026 at 10:15</p>
    <h2>Downloads</h2><ul><li><a href="/get/kestrel-4.2.tar.gz">kestrel-4.2.tar.gz</a></li></ul>
    <p>SHA-1: <code>da39a3ee5e6b4b0d3255bfef95601890afd80709</code></p>
    <p>Build 0f8fad5b-d9cb-469f-a165-70867728950e, 51,200 downloads.</p>
    <h2>Changes</h2><ol><li>Faster start on slow disks</li><li>Fewer warnings at shutdown</li></ol>
    <pre><code>- retries: 3\n+ retries: 5</code></pre>`,
  launch: `<h1>Launch of Heron 7</h1><p>Launch: December 4, 2026, 14:30 UTC</p><p>The rocket stands on pad 39 in the north of the bay.</p>
    <p><a href="https://videos.example/watch?v=AAAAAAAA">Watch the launch</a></p><p>Generated at 2026-12-01T08:00:05Z</p>
    <input type="hidden" name="csrf" value="8d1f00a2"><img src="/pad.jpg?v=17" alt="The pad">`,
  appointment: `<h1>Residents' office</h1><p>Next available appointment: 2026-12-04 10:30</p><p>Bring your passport and two photos.</p>
    <p><a href="/book;jsessionid=A1B2C3?office=4&amp;utm_source=home">Book an appointment</a></p><p>12 people are viewing this right now.</p>`,
  shop: `<h1>Walking boots</h1><p class="price">Price: $129.00</p><p>In stock: 5 left</p><p>Delivery in 3 days</p><img src="/img/boot-brown.jpg?ver=8" alt="Brown boot">
    <p>1,204 views</p><p>Rated 4.6 by 312 buyers</p><p>17 people are viewing this item</p><a href="/boots?ref=A17&amp;colour=brown">Brown</a>`,
  auction: `<h1>Lot 12: a brass clock</h1><p>Current bid: £1,250</p><p>8 bids</p><p>Ends in 2d 4h 11m</p><p>Bidding closes on 6 December 2026, 18:00</p><p>Seller: harbour-antiques</p>`,
  poll: `<h1>Name the new ferry</h1><table><tr><th>Name</th><th>Votes</th></tr><tr><td>Seagull</td><td>1,200 votes</td></tr><tr><td>Storm</td><td>900 votes</td></tr></table><p>Votes are counted at noon.</p>`,
  ranking: `<h1>Best bakeries of the town</h1><ul><li>Crumb and Crust</li><li>The Old Oven</li><li>Rye House</li><li>Flour Power</li></ul><p>Chosen by our readers.</p>`,
  statusPage: `<h1>Status of Pelican Cloud</h1><p>All systems operational</p><p>Page refreshed at 10:15:01</p><h2>Past incidents</h2>
    <p>Dec 1, 14:30 UTC - Resolved: slow logins in the west region.</p><p>Request ID: 7f3a99c1d2</p>`,
  docs: `<h1>Rate limits</h1><p>Each key may send <strong>600</strong> requests a minute.</p><p>The limit <code>burst_size</code> is 20.</p>
    <p>Requests beyond the limit get status 429.</p><p>Page last modified on 2026-11-30 by Ann.</p><p>Page rendered in 0.123 seconds</p>`,
  front: `<h1>Harbour News</h1><article><h2><a href="/bridge">Old bridge closes for repairs</a></h2><p>Posted 3 minutes ago · 14 comments</p></article>
    <article><h2><a href="/market">Market moves to the square</a></h2><p>2 hours ago | 1.2k views | 30 shares</p></article><div class="ad">Advertisement</div>`,
  forum: `<h1>Which tent for winter?</h1><p>Posted by birch, 5 hours ago</p><p>I need a tent for two that stands a storm.</p><p>Replies: 7</p><p>Views: 4,310</p><p>Users online: 31</p>`,
  legal: `<h1>Terms of use</h1><p>Effective as of January 1, 2027</p><p>You may cancel within 14 days.</p><p>Version 3.1, last updated 4 December 2026</p><p>As of March 1, 2027, fees are charged yearly.</p><p>Section 7a applies.</p><p>© 2026 Pelican Ltd</p>`,
  fahrplan: `<h1>Abfahrten Hauptbahnhof</h1><table><tr><th>Ziel</th><th>Abfahrt</th><th>Gleis</th></tr><tr><td>Kiel</td><td>2026-12-04T10:30</td><td>7</td></tr><tr><td>Ulm</td><td>2026-12-04T11:05</td><td>2</td></tr></table><p>Stand: 4.12.2026, 10:15 Uhr</p><p>Halle B, Stand 12</p>`,
  stellen: `<h1>Stellenangebote</h1><ul><li><a href="/jobs/1">Gärtnerin (m/w/d), Vollzeit</a> – vor 3 Tagen</li><li><a href="/jobs/2">Koch, Teilzeit</a> – vor 2 Stunden</li></ul><p>Bewerbungsfrist: 15. Januar 2027, 12:00 Uhr</p><p>Zuletzt aktualisiert am 4. Dezember 2026 um 09:30 Uhr</p><p>1.204 Aufrufe</p><p>17 Besucher online</p>`,
  musee: `<h1>Musée de la Mer</h1><p>Prochaine visite guidée : 12 décembre 2026 à 14h30</p><p>Entrée : 8 €</p><p>Dernière mise à jour : 4 décembre 2026 à 10h15</p><p>Publié il y a 3 heures</p><p>1 204 vues</p>`,
  liga: `<h1>Clasificación</h1><table><tr><th>Equipo</th><th>Puntos</th></tr><tr><td>Faro</td><td>31</td></tr><tr><td>Puerto</td><td>29</td></tr></table><p>Próximo partido: 6 de diciembre de 2026, 18:00</p><p>Última actualización: 4 de diciembre de 2026, 10:15</p><p>Publicado hace 5 minutos</p><p>350 visitas</p>`,
  afisha: `<h1>Концерты</h1><p>Начало: 12 декабря 2026 г., 19:00</p><p>Билеты: 1 200 ₽</p><p>Обновлено: 4 декабря 2026 г., 10:15</p><p>Опубликовано 3 минуты назад</p><p>1 204 просмотра</p>`,
  shangdian: `<h1>茶叶商店</h1><p>价格：88元</p><p>库存：5件</p><p>发货时间：2026年12月4日 10:30</p><p>最后更新：2026年12月4日 10:15</p><p>发布于3分钟前</p><p>1204次浏览</p>`,
  yoyaku: `<h1>温泉の予約</h1><p>次の空き：2026年12月4日 10:30</p><p>キャンセルは3日前まで</p><p>料金：8,800円</p><p>最終更新日：2026年12月4日</p><p>3分前</p><p>12月4日 10:15現在</p>`,
  mawaid: `<h1>مواعيد العيادة</h1><p>الموعد التالي: 4 ديسمبر 2026، 10:30</p><p>رسوم الزيارة: 150 درهما</p><p>آخر تحديث: 4 ديسمبر 2026</p><p>نشر قبل 3 دقائق</p>`,
};

export type PageName = keyof typeof contents;
export const pageNames = Object.keys(contents) as PageName[];

export interface Surroundings {
  related: string;
  cookie: string;
  footer: string;
}

const usual: Surroundings = {
  related: "<li><a href='/r/1'>Ten walks by the sea</a></li><li><a href='/r/2'>A museum of salt</a></li>",
  cookie: "We use cookies.",
  footer: "1,024 visitors since 2019 · © 2026 Harbour",
};

/** A page, with other text in its content, and other text around it. */
export function trackedPage(
  name: PageName,
  change: (content: string) => string = same,
  around: Partial<Surroundings> = {},
): string {
  const { related, cookie, footer } = { ...usual, ...around };
  return `<!doctype html><html><head><title>A page to track</title><meta name="csrf-token" content="5d41"></head><body>
    <nav><a href="/">Home</a><a href="/all">All</a></nav><div class="cookie-banner">${cookie}</div>
    <main>${change(contents[name])}</main><aside class="related"><ul>${related}</ul></aside><footer>${footer}</footer></body></html>`;
}

function same(content: string): string {
  return content;
}
