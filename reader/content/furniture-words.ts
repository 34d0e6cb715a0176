/**
 * Headings of what a page has beside its content, in its main languages: lists of related, new or much read articles,
 * readers' comments, tags, newsletters.
 */
const elsewhere = [
  "related|related (?:articles?|stories|posts?|news|content|links|topics|reading|coverage)|you (?:may|might) (?:also )?(?:like|enjoy)|(?:more|also) (?:from|in|on|like this)\\b.*|more (?:stories|news|articles|posts)|read (?:more|also|next|this next)|see also|(?:most|top) (?:read|popular|viewed|shared|stories)|popular (?:posts|articles|stories|now)|trending(?: now)?|latest(?: (?:news|articles|posts|stories))?|recent (?:posts|articles|news)|recommended(?: (?:for you|reading|articles|stories))?|(?:up|what to read) next|don't miss|editors?'?s? picks?|in other news|keep reading|continue reading|explore more|similar (?:articles|posts|stories)|further reading on this site|previous (?:post|article)|next (?:post|article)",
  "ähnliche (?:artikel|beiträge|themen)|(?:neueste|aktuelle|letzte) (?:meldungen|artikel|beiträge|nachrichten)|meistgelesen(?:e artikel)?|am meisten gelesen|lesen sie (?:auch|mehr)|das könnte (?:sie|dich) auch interessieren|mehr (?:zum thema|aus|von|artikel|nachrichten)\\b.*|auch interessant|passend dazu|verwandte (?:artikel|themen|beiträge)|weitere (?:artikel|beiträge|nachrichten|meldungen)",
  "articles? (?:similaires?|liés|connexes|récents)|à lire (?:aussi|également)|lire (?:aussi|également|la suite)|(?:les )?plus (?:lus|populaires)|(?:les )?derni(?:ère|er)s? (?:nouvelles|articles|actualités|infos)|dans la même (?:rubrique|catégorie)|sur le même (?:sujet|thème)|vous aimerez aussi|voir aussi",
  "(?:artículos|noticias|contenidos?|entradas|notas) (?:relacionad[oa]s?|similares|recientes)|relacionad[oa]s?|últimas noticias|lo (?:más|último)(?: (?:leído|visto|popular))?|más (?:leídas?|noticias|vistas?)|(?:lea|lee|leer|te puede|también te puede) (?:también|más|interesar)|ver también|no te pierdas",
  "(?:artigos|notícias|posts|matérias|conteúdos?) (?:relacionad[oa]s|recentes|semelhantes)|últimas(?: notícias)?|(?:as )?mais lidas|leia (?:também|mais)|veja (?:também|mais)|você também pode gostar|recomendad[oa]s",
  "articoli (?:correlati|recenti|simili)|leggi anche|(?:le )?ultime notizie|i più letti|più letti|potrebbe interessarti.*|altri articoli|ti potrebbe interessare|vedi anche",
  "(?:podobne|powiązane|najnowsze|polecane|ostatnie) (?:artykuły|wpisy|wiadomości|treści)|(?:czytaj|zobacz|przeczytaj) (?:także|też|również|więcej)|najczęściej czytane|najpopularniejsze|polecane|polecamy",
  "gerelateerde (?:artikelen|berichten)|lees ook|lees verder|meest gelezen|laatste nieuws|meer nieuws|relaterade artiklar|läs (?:också|mer|även)|mest läst[ae]?|senaste nytt|les også|mest lest|læs også|mest læste|lue myös|luetuimmat",
  "(?:похожие|связанные|последние|новые|другие|свежие) (?:статьи|материалы|новости|записи)|(?:читайте|смотрите) (?:также|ещё|еще)|(?:самое )?(?:читаемое|популярное|обсуждаемое)|популярн(?:ые|ое).*|по теме|материалы по теме|ещё по теме|рекомендуем|схожі (?:статті|матеріали)|останні новини|(?:читайте|дивіться) також|найпопулярніше|популярне|за темою|новини за темою",
  "ilgili (?:haberler|yazılar|içerikler|konular)|son (?:dakika|haberler|yazılar)|en çok (?:okunan|okunanlar|paylaşılan)(?: haberler)?|ayrıca okuyun|bunlar da ilginizi çekebilir|benzer (?:haberler|yazılar)|diğer haberler",
  "σχετικά (?:άρθρα|θέματα|νέα)|τελευταίες ειδήσεις|(?:τα )?(?:δημοφιλή|πιο διαβασμένα)|διαβάστε (?:επίσης|ακόμα|ακόμη|περισσότερα)|δείτε (?:επίσης|ακόμα|ακόμη)|ροή ειδήσεων",
  "مقالات ذات صلة|مواضيع ذات صلة|(?:أخبار|مواد) (?:ذات صلة|مشابهة)|(?:آخر|أحدث) (?:الأخبار|المقالات)|الأكثر (?:قراءة|مشاهدة|تداولا)|(?:اقرأ|إقرأ) (?:أيضا|أيضًا|أيضاً|المزيد|كذلك)|قد يعجبك أيضا|المزيد من .*|(?:مطالب|اخبار|خبرهای) مرتبط|تازه‌ترین (?:خبرها|اخبار)|آخرین اخبار|پربازدیدترین(?: .*)?|پربیننده‌ترین.*|بیشتر بخوانید|כתבות (?:קשורות|נוספות|אחרונות)|חדשות אחרונות|הנקראות ביותר|קראו (?:גם|עוד)|עוד בנושא|אולי יעניין אותך",
  "相关(?:文章|新闻|阅读|推荐|内容|链接|报道)|相關(?:文章|新聞|閱讀|報導)|最新(?:消息|文章|新闻|新聞|资讯)|(?:热门|熱門)(?:阅读|文章|新闻|閱讀|新聞|推荐)?|延伸(?:阅读|閱讀)|推荐(?:阅读|文章)?|猜你喜欢|排行榜?|点击排行|更多(?:新闻|文章|精彩)|(?:上|下)一篇|関連(?:記事|リンク|ニュース|コンテンツ)|(?:新着|最新)(?:記事|ニュース|情報)|(?:アクセス|人気)?ランキング|人気記事|おすすめ(?:記事)?|あわせて読みたい|こちらも(?:読|おすすめ).*|関連 ?(?:기사|뉴스|글)|관련 ?(?:기사|뉴스|글|콘텐츠)|최신 ?(?:뉴스|기사|글)|많이 본 ?(?:뉴스|기사)?|인기 ?(?:기사|글|뉴스)|함께 읽기|추천 ?(?:기사|뉴스|글)|다른 ?기사",
  "संबंधित (?:लेख|ख़बरें|खबरें|समाचार)|(?:ताज़ा|ताजा) (?:ख़बरें|खबरें|समाचार)|सबसे (?:ज़्यादा|ज्यादा) पढ़े गए|यह भी पढ़ें|ये भी पढ़ें|และ?บทความที่เกี่ยวข้อง|ข่าวที่เกี่ยวข้อง|ข่าวล่าสุด|(?:อ่าน|ข่าว)มากที่สุด|อ่านเพิ่มเติม|ข่าวยอดนิยม|เรื่องที่เกี่ยวข้อง|(?:bài viết|tin|bài) (?:liên quan|mới nhất|mới|cùng chuyên mục|khác)|đọc nhiều(?: nhất)?|xem (?:thêm|nhiều)|có thể bạn quan tâm|(?:artikel|berita) (?:terkait|terbaru|terpopuler|lainnya)|paling (?:banyak dibaca|populer)|baca juga|terpopuler|rekomendasi",
];

const anchored = new RegExp(`^(?:${elsewhere.join("|")})$`, "iu");

/** Whether a heading is that of links to other pages. Time is bounded: headings are short. */
export function isElsewhere(heading: string): boolean {
  if (heading.length > 60) return false;
  return anchored.test(heading.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, ""));
}

const commenting =
  /^(?:\(?\d+\)?\s*)?(?:(?:readers?'? |user |leave a |join the |post a |add a |write a |all |show |view )?(?:comments?|thoughts on .{1,60})|join the (?:discussion|conversation)|leave a reply|kommentare?|kommentar schreiben|(?:laisser un )?commentaires?|réactions|comentarios?|deja (?:un comentario|una respuesta)|comentários?|deixe um comentário|commenti|lascia un commento|komentarze|dodaj komentarz|reacties|kommentarer|комментари[ийя]|коментарі|yorum(?:lar)?|σχόλια|التعليقات|تعليقات|دیدگاه‌ها|نظرات|תגובות|评论|評論|网友评论|留言|コメント|댓글|टिप्पणियाँ|ความคิดเห็น|bình luận|komentar)(?:\s*\(?\d+\)?)?(?:\s+(?:on|for|to|zu|sur|en|a)\s.*)?$/iu;

/** Whether a heading is that of readers' comments. */
export function isCommenting(heading: string): boolean {
  if (heading.length > 100) return false;
  return commenting.test(heading.replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, ""));
}
