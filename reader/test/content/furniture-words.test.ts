import { isCommenting, isElsewhere } from "../../content/furniture-words.ts";

test.each(
  "Related articles|READ MORE:|You may also like|— Most read —|Ähnliche Artikel|Lesen Sie auch:|À lire aussi|Lo más leído|Leia também|Leggi anche|Czytaj także|Lees ook|Читайте также|Останні новини|En çok okunanlar|Διαβάστε επίσης|مقالات ذات صلة|بیشتر بخوانید|קראו גם|相关文章|関連記事|관련 기사|यह भी पढ़ें|ข่าวล่าสุด|Bài viết liên quan|Baca juga".split(
    "|",
  ),
)("%s heads links to other pages", heading => {
  expect(isElsewhere(heading)).toBe(true);
});

test.each(
  "Related work|The latest model of the engine|Read more about the mill in the archive of the town|Results|Opening hours|Popular science|Recommended dose|Next steps|Trending upwards".split(
    "|",
  ),
)("%s does not", heading => {
  expect(isElsewhere(heading)).toBe(false);
});

test.each(
  "3 Comments|Comments (12)|Leave a comment|12 thoughts on “The mill”|Kommentare|Commentaires|Comentarios (4)|Комментарии|댓글|コメント|评论|Yorumlar".split(
    "|",
  ),
)("%s heads comments", heading => {
  expect(isCommenting(heading)).toBe(true);
});

test.each("Commentary|Discussion|Reply to the council|Comments policy of the court".split("|"))(
  "%s does not head comments",
  heading => {
    expect(isCommenting(heading)).toBe(false);
  },
);
