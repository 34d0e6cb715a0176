const things =
  "(?:articles?|posts?|stories|news|content|products?|items?|links|topics|videos|pages|searches|jobs|listings|offers|properties|ads|reading|reads|coverage)";
const chinese =
  "(?:阅读|閱讀|新闻|新聞|文章|推荐|推薦|链接|連結|内容|內容|产品|產品|商品|资讯|資訊|话题|話題|搜索)?";

const titles = [
  `related(?: ${things})?`,
  `recommended(?: (?:for you|by .{1,30}|${things}))?|recommendations(?: for you)?`,
  `similar ${things}(?: .{1,30})?`,
  "you (?:may|might)(?: also)? (?:like|enjoy|love|be interested in)(?: .{1,20})?",
  "(?:customers|people|others|readers)(?: who .{1,40})? also (?:bought|purchased|viewed|liked?|read|watched|search(?:ed)? for|ask(?:ed)?)(?: .{1,20})?",
  `more (?:from .{1,40}|like this|on this(?: .{1,20})?|(?:stories|news|articles)(?: .{1,30})?)`,
  "most (?:read|popular|viewed|shared)(?: .{1,20})?",
  `(?:popular|trending)(?: (?:now|today|${things}))?`,
  "read (?:next|more|also)|up next|what to read next|don.t miss|see also|(?:from )?around the web",
  "recently viewed(?: .{1,20})?|frequently bought(?: together)?|inspired by your .{1,30}",
  `suggested (?:for you|${things})`,
  "das könnte (?:sie|dich|ihnen|dir)(?: auch)? (?:interessieren|gefallen)",
  "(?:ähnliche|verwandte|weitere) (?:artikel|meldungen|themen|produkte|beiträge|angebote|anzeigen|nachrichten)(?: .{1,30})?",
  "meistgelesen(?:e .{1,20})?|mehr (?:zum thema|aus .{1,30}|von .{1,30})|auch interessant|lesen sie auch",
  "kunden (?:kauften|haben) .{1,40}",
  "à lire (?:aussi|également)|articles (?:similaires|liés|connexes)|vous aimerez(?: (?:aussi|peut-être|également).{0,20})?",
  "les plus lus|sur le même (?:sujet|thème)|dans la même (?:rubrique|catégorie)",
  "(?:también )?te puede interesar|también te .{1,20}|lo más (?:leído|visto)|(?:(?:artículos|noticias) )?relacionad[oa]s",
  "potrebbe interessarti(?: anche)?|ti potrebbe(?:ro)? (?:interessare|piacere)(?: anche)?|i più letti|leggi anche|articoli correlati",
  "leia (?:também|mais)|mais lidas|veja também|lees ook|meest gelezen|gerelateerd(?:e .{1,20})?",
  "zobacz (?:też|także)|czytaj (?:też|także)|podobne(?: .{1,20})?|najczęściej czytane",
  "читайте также|похожие(?: .{1,20})?|рекомендуем(?: (?:почитать|прочитать|вам))?|популярное|по теме",
  `(?:相关|相關|推荐|推薦|热门|熱門)${chinese}|猜你喜欢`,
  "(?:関連|おすすめ|人気)(?:の?(?:記事|商品|ニュース|リンク|ランキング))?",
  "(?:관련|추천|인기)(?: ?(?:기사|뉴스|글|상품))?",
  "اقرأ أيضا|مواضيع ذات صلة|الأكثر قراءة",
  "(?:benzer|ilgili) (?:haberler|ürünler|yazılar|ilanlar|içerikler)|(?:en )?çok okunan(?:lar)?",
];

/** A whole title of what a site shows beside any content of its own. */
export const relatedTitle = new RegExp(`^(?:${titles.join("|")})\\s?[:：…»›>→]?$`, "iu");
