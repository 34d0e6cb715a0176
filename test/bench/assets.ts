import { crc32, deflateSync } from "node:zlib";
import { prose } from "./text.ts";

export interface Asset {
  type: string;
  body: string | Uint8Array;
}

/** What the pages load, by path. */
export function benchAssets(): Map<string, Asset> {
  const text = prose(7);
  const comments = Array.from({ length: 30 }, () => ({ author: text.words(2), body: text.paragraph(3) }));
  const pictures = Array.from({ length: 6 }, (_, number): [string, Asset] => [
    `/assets/picture-${number}.png`,
    { type: "image/png", body: png(320, 200, number) },
  ]);
  return new Map<string, Asset>([
    ...pictures,
    ["/assets/logo.svg", { type: "image/svg+xml", body: drawing }],
    ["/assets/avatar.svg", { type: "image/svg+xml", body: drawing }],
    ["/assets/site.css", { type: "text/css", body: styles(400) }],
    ["/assets/theme.css", { type: "text/css", body: styles(150) }],
    ["/assets/vendor.js", { type: "text/javascript", body: vendor(1500) }],
    ["/assets/app.js", { type: "text/javascript", body: `(${app})();` }],
    ["/api/comments.json", { type: "application/json", body: JSON.stringify(comments) }],
  ]);
}

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18" fill="#369"/></svg>`;

function styles(rules: number): string {
  const layout = `body{font:16px/1.5 sans-serif;margin:0}.layout{display:grid;grid-template-columns:1fr 300px;gap:2rem}
.results,.related{display:flex;flex-wrap:wrap;gap:1rem}.result,.card{width:240px}pre{background:#eee;overflow:auto}`;
  const more = Array.from(
    { length: rules },
    (_, at) =>
      `.layout .r${at} > .item:nth-child(${(at % 9) + 1}), .c${at % 40} a:hover{border:${at % 5}px solid #ccc}`,
  );
  return [layout, ...more].join("\n");
}

/** A library as pages carry it: much to parse, little to run. */
function vendor(functions: number): string {
  const bodies = Array.from(
    { length: functions },
    (_, at) =>
      `function f${at}(a, b) { var list = []; for (var i = 0; i < a; i++) list.push({ index: i, value: b + i * ${at} }); return list.filter(function (x) { return x.value % 2 === 0; }); }`,
  );
  return `window.vendor = (function () {${bodies.join("\n")}\nreturn { f: [${bodies.map((_, at) => `f${at}`).join()}] };})();`;
}

/** Runs in the page: a table of contents, coloured code, dates, comments that are fetched. */
function app(): void {
  const toc = document.querySelector(".toc");
  for (const heading of document.querySelectorAll("main h2")) {
    const link = document.createElement("a");
    link.href = `#${heading.id}`;
    link.textContent = heading.textContent;
    toc?.append(link);
  }
  for (const code of document.querySelectorAll("pre code"))
    code.innerHTML = code.innerHTML.replace(/\b(const|await)\b/g, '<span class="keyword">$1</span>');
  for (const time of document.querySelectorAll("time"))
    time.textContent = new Date(time.dateTime).toLocaleDateString("en-GB", { dateStyle: "long" });
  for (const card of document.querySelectorAll(".card, .result")) {
    const button = document.createElement("button");
    button.textContent = "Add to basket";
    card.append(button);
  }
  const section = document.querySelector<HTMLElement>("[data-feed]");
  if (section)
    fetch(section.dataset.feed ?? "")
      .then(response => response.json())
      .then((comments: { author: string; body: string }[]) => {
        for (const { author, body } of comments) {
          const comment = document.createElement("p");
          comment.textContent = `${author}: ${body}`;
          section.append(comment);
        }
      });
}

/** A picture of its own for each seed, 8-bit RGB (PNG specification, third edition). */
function png(width: number, height: number, seed: number): Uint8Array {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let at = 0; at < rows.length; at++)
    rows[at] = at % (1 + width * 3) === 0 ? 0 : (at * (seed + 3) + ((at * at) >> 9)) & 0xff;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
