import { cleanHtml } from "../../../../services/domain/feed/clean-html.ts";

const base = "https://x.example/blog/post";

test.each<[string, string, string]>([
  ["a script", "<p>a</p><script>b()</script><p>c</p>", "<p>a</p><p>c</p>"],
  ["a script in a drawing", "<svg><script>x()</script></svg>a", "a"],
  ["a style", "<style>p{}</style><p style='position:fixed'>a</p>", "<p>a</p>"],
  ["handlers", '<p onclick="x()" ONLOAD=y()>a</p>', "<p>a</p>"],
  ["a link to a script", '<a href="javascript:x()">a</a>', "<a>a</a>"],
  ["the same in disguise", '<a href=" java\tscript&colon;x()">a</a>', "<a>a</a>"],
  ["data that is a page", '<a href="data:text/html,<script>x</script>">a</a>', "<a>a</a>"],
  ["a form", '<form action="/x"><input name="y"><button>Send</button></form>', "<section>Send</section>"],
  [
    "a frame",
    '<iframe src="/video" title="A film"></iframe>',
    '<a href="https://x.example/video">A film</a>',
  ],
  ["a frame of a script", '<iframe src="javascript:x()"></iframe>a', "a"],
  ["an object", '<object data="x.swf"><p>a</p></object><embed src="y">', "<p>a</p>"],
  [
    "relative links",
    '<a href="../a?b=1&amp;c=2">a</a><img src="i.png">',
    '<a href="https://x.example/a?b=1&amp;c=2">a</a><img src="https://x.example/blog/i.png">',
  ],
  ["a link within the page", '<a href="#n1">1</a>', '<a href="#n1">1</a>'],
  ["a link as it is written", '<a href="HTTPS://y.example">y</a>', '<a href="HTTPS://y.example">y</a>'],
  ["a mail address", '<a href="mailto:a@x.example">a</a>', '<a href="mailto:a@x.example">a</a>'],
  ["a torrent", '<a href="magnet:?xt=urn:btih:c1">a</a>', '<a href="magnet:?xt=urn:btih:c1">a</a>'],
  ["what only begins like a declaration", "<p>7 <! 8 <b>a</b></p>", "<p>7 &lt;! 8 <b>a</b></p>"],
  ["declarations", "<!doctype html><!-- a --><![if !mso]><p>b</p><![endif]>", "<p>b</p>"],
  [
    "a small picture in the text",
    '<img src="data:image/png;base64,AAAA">',
    '<img src="data:image/png;base64,AAAA">',
  ],
  [
    "pictures in several sizes",
    '<img src="a.png" srcset="a.png, b.png 2x,/c.png 640w">',
    '<img src="https://x.example/blog/a.png" srcset="https://x.example/blog/a.png, https://x.example/blog/b.png 2x, https://x.example/c.png 640w">',
  ],
  [
    "commas in the addresses of pictures",
    '<img src="a.png" srcset="/w_1,h_2/a.png 1x, ,b.png, c.png">',
    '<img src="https://x.example/blog/a.png" srcset="https://x.example/w_1,h_2/a.png 1x, https://x.example/blog/b.png, https://x.example/blog/c.png">',
  ],
  [
    "pictures to choose from",
    '<picture><source srcset="a.webp 1x, javascript:x 2x" type="image/webp"><img src="a.png"></picture>',
    '<picture><source srcset="https://x.example/blog/a.webp 1x" type="image/webp"><img src="https://x.example/blog/a.png"></picture>',
  ],
  [
    "a film",
    '<video src="f.mp4" poster="p.jpg" controls></video>',
    '<video src="https://x.example/blog/f.mp4" poster="https://x.example/blog/p.jpg" controls=""></video>',
  ],
  ["what is not closed", "<p>a <b>b", "<p>a <b>b</b></p>"],
])("%s", (_, html, clean) => expect(cleanHtml(html, base)).toBe(clean));
