/** The address of the built-in page. No request is sent there. */
export const warmUrl = "https://warm.example/";

const sections = 12;

const words =
  "the ferry leaves from north pier every morning and returns before dusk when wind allows it Visitors of Ånholm find tickets at 7 or 12.50 there".split(
    " ",
  );

/** A sentence that differs from the others, of 6 to 20 words. */
function sentence(n: number): string {
  const said = Array.from({ length: 6 + ((n * 7) % 15) }, (_, k) => words[(n * 5 + k * 3) % words.length]);
  const [first = "", ...others] = said;
  return `${first.charAt(0).toUpperCase()}${first.slice(1)} ${others.join(" ")}.`;
}

function section(n: number): string {
  const [a, b, c, d] = [4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3].map(sentence);
  return `<section class="part p${n}" id="s${n}"><h2><a href="#s${n}">${a}</a></h2><p>${b} <b>${a}</b> ${c} <a href="/p/${n}?x=1">${d}</a></p>
<div class="text"><p>${c} <em>${b}</em> &amp; <code>f(${n})</code>. ${d} ${a}</p><p>${d} ${c} ${b}</p></div>
<ul class="list">${[a, b, c].map((text, k) => `<li><a href="/l/${n}/${k}" title="${n}">${text}</a> ${d}</li>`).join("")}</ul>
<figure><img src="/i/${n}.jpg" srcset="/i/${n}-2.jpg 2x" alt="${a}" width="640"><figcaption>${b}</figcaption></figure>
<blockquote><p>${a}</p></blockquote><pre><code class="language-ts">const x${n} = ${n};\n  return x${n};</code></pre>
<table><thead><tr><th>A<th>B</thead><tr><td>${a}<td>${n}.50 €<tr><td colspan=2>${b}</table>
<div class="comment"><span class="author">By ${words[n]}</span> <time datetime="2025-03-0${1 + (n % 9)}">March</time><p>${c}</p></div></section>`;
}

/**
 * A page that has a section of each kind of thing, some 40 KB: what has run for a small page alone is compiled again for
 * a real one.
 */
export const warmHtml = `<!doctype html><html lang="en"><head><title>Warm</title><base href="https://warm.example/"><meta charset="utf-8">
<meta property="og:title" content="Warm"><meta name="description" content="${sentence(1)}"><meta name="author" content="By Ann Lind">
<link rel="canonical" href="/warm"><link rel="icon" href="/i.png"><style>.a { color: red }</style><script type="application/ld+json">
{"@context":"https://schema.org","@type":"Article","headline":"Warm","author":{"@type":"Person","name":"Ann Lind"},"datePublished":"2025-03-01T10:00:00Z"}</script></head>
<body class="page"><header><nav class="menu"><ul>${words.map(word => `<li><a href="/${word}">${word}</a>`).join("")}</ul></nav></header>
<main><article><h1>Warm</h1><p class="byline">By <a rel="author" href="/a">Ann Lind</a>, 1 March 2025</p>${Array.from({ length: sections }, (_, n) => section(n)).join("\n")}</article></main>
<aside class="related"><h3>More</h3>${words.map((word, n) => `<div class="card"><a href="/${word}/${n}"><img src="/t/${n}.png" alt=""><h4>${sentence(n)}</h4></a></div>`).join("")}</aside>
<footer class="footer"><p>&copy; Warm. ${sentence(3)}</p></footer><script src="https://warm.example/own.js"></script></body></html>`;
