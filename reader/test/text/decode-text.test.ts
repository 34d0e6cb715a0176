import { isUtf8 } from "node:buffer";
import { declaredEncoding, decodeText, guessEncoding, needsGuess } from "../../text/decode-text.ts";

const russian =
  "Сегодня в городе открылась новая библиотека. Жители могут брать книги на две недели и работать в тихом зале.";
const ukrainian =
  "Сьогодні в місті відкрилася нова бібліотека. Її мешканці можуть брати книжки на два тижні й читати в залі.";
const japanese = "今日、市内に新しい図書館が開館しました。住民は二週間まで本を借りることができます。";
const greek = "Σήμερα στην πόλη άνοιξε μια νέα βιβλιοθήκη. Οι κάτοικοι μπορούν να δανείζονται βιβλία.";

const texts: [encoding: string, text: string][] = [
  ["windows-1251", russian],
  ["koi8-r", russian],
  ["koi8-u", ukrainian],
  ["ibm866", russian],
  ["shift_jis", japanese],
  ["euc-jp", japanese],
  ["euc-kr", "오늘 시내에 새로운 도서관이 문을 열었습니다. 주민들은 이 주 동안 책을 빌릴 수 있습니다."],
  ["big5", "今天市區新圖書館開幕。居民可以借書兩個星期，也可以在二樓安靜的房間裡讀書。"],
  ["gb18030", "今天市区新图书馆开幕。居民可以借书两个星期，也可以在二楼安静的房间里读书。"],
  [
    "iso-8859-2",
    "Dzisiaj w mieście otwarto nową bibliotekę. Mieszkańcy mogą wypożyczać książki i pracować w cichej sali.",
  ],
  [
    "windows-1250",
    "Dnes byla ve městě otevřena nová knihovna. Obyvatelé si mohou půjčovat šest knih na dva týdny, žádné poplatky.",
  ],
  [
    "windows-1252",
    "Heute wurde in der Stadt eine neue Bücherei eröffnet. Jeder Bürger darf Bücher für zwei Wochen ausleihen.",
  ],
  [
    "windows-1252",
    "Aujourd’hui, une nouvelle bibliothèque a été ouverte. L’entrée est gratuite – même le dimanche.",
  ],
  ["windows-1253", greek],
  [
    "windows-1254",
    "Bugün şehirde yeni bir kütüphane açıldı. Herkes iki hafta boyunca kitap ödünç alabilir ve çalışabilir.",
  ],
  ["windows-1255", "היום נפתחה בעיר ספרייה חדשה. התושבים יכולים לשאול ספרים לשבועיים ולעבוד באולם השקט."],
  [
    "windows-1256",
    "افتتحت اليوم في المدينة مكتبة جديدة. يمكن للسكان استعارة الكتب لمدة أسبوعين والعمل في القاعة.",
  ],
  ["windows-874", "วันนี้มีการเปิดห้องสมุดใหม่ในเมือง ประชาชนสามารถยืมหนังสือได้สองสัปดาห์"],
];

const page = (text: string) =>
  `<!doctype html><html><head><title>x</title><style>.a { color: red }</style></head>
<body class="page"><ul><li><a href="/">Home</a></li></ul><p class="text">${text}</p></body></html>`;

describe.each(texts)("%s without a declaration", (encoding, text) => {
  test.each([
    ["as a text", text],
    ["in a page", page(text)],
    ["below 200 KB of ASCII", page(`${"<p>plain words\n".repeat(14_000)}${text}`)],
    ["as 300 KB", page(text.repeat(2000))],
  ])("%s", async (_name, written) => {
    const body = encode(written, encoding);
    expect(needsGuess(body, undefined, "html")).toBe(true);
    const guess = await guessEncoding(body);
    expect(decodeText(body, { charset: undefined, guess }, "html")).toBe(written);
  });
});

test.each([
  ["ASCII", "plain words"],
  ["UTF-8", russian],
  ["UTF-8 of one character", `${"plain ".repeat(1000)}é`],
])("%s needs no guess", (_name, text) => {
  expect(needsGuess(Buffer.from(text), undefined, "html")).toBe(false);
});

const cafe = "Café à la crème — 3 €";

describe("UTF-8 that is declared as something else", () => {
  test.each([
    ["latin-1 by Content-Type", cafe, "iso-8859-1"],
    ["latin-1 by Content-Type, UTF-8 by meta", `<meta charset=utf-8>${cafe}`, "iso-8859-1"],
    ["latin-1 by meta", `<meta charset=iso-8859-1>${cafe}`, undefined],
    ["windows-1251", russian, "windows-1251"],
    ["Shift_JIS", japanese, "shift_jis"],
    ["GBK", "今天市区新图书馆开幕。", "gbk"],
  ])("%s", (_name, text, charset) => {
    expect(decodeText(Buffer.from(text), { charset }, "html")).toBe(text);
  });

  test("is not assumed of a few bytes that fit by chance", () => {
    expect(decodeText(Buffer.from([0x41, 0xc3, 0xa9]), { charset: "iso-8859-1" }, "html")).toBe("AÃ©");
    expect(decodeText(encode("オ樹", "euc-jp"), { charset: "euc-jp" }, "html")).toBe("オ樹");
    expect(decodeText(Buffer.from("\u001b$B%*\u001b(B"), { charset: "iso-2022-jp" }, "html")).toBe("オ");
  });
});

test.each(texts)("what %s declares and is stays it", (encoding, text) => {
  expect(decodeText(encode(text, encoding), { charset: encoding }, "html")).toBe(text);
});

test.each([
  ["Content-Type", Buffer.from([0xe9]), "iso-8859-5"],
  ["meta", Buffer.concat([Buffer.from("<meta charset=koi8-r>"), Buffer.from([0xe9])]), undefined],
  ["a byte order mark", Buffer.from([0xff, 0xfe, 0xe9, 0x04]), undefined],
])("what %s declares needs no guess", (_name, body, charset) => {
  expect(declaredEncoding(body, charset, "html")).toBeDefined();
  expect(needsGuess(body, charset, "html")).toBe(false);
});

test.each([
  ["cut inside a character", Buffer.from(russian).subarray(0, 21)],
  ["with a byte of another encoding", Buffer.concat([Buffer.from(japanese), Buffer.from([0xe9, 0x20])])],
])("UTF-8 %s stays UTF-8", async (_name, body) => {
  expect(isUtf8(body)).toBe(false);
  expect(await guessEncoding(body)).toBe("UTF-8");
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["one byte", Buffer.from([0xe9])],
  ["255 only", Buffer.alloc(1 << 20, 0xff)],
  ["every byte", Buffer.from(Array.from({ length: 1 << 16 }, (_, index) => (index * 7919) % 256))],
  [
    "bytes far from one another",
    Buffer.from(Array.from({ length: 1 << 20 }, (_, at) => (at % 40 ? 65 : 0xe9))),
  ],
])("the guess of %s is an encoding", async (_name, body) => {
  const guess = await guessEncoding(body);
  expect(new TextDecoder(guess).encoding).toBe(guess.toLowerCase());
});

/** Encodes by what the platform's decoder makes of every character of one or two bytes. */
function encode(text: string, encoding: string): Buffer {
  const table = tableOf(encoding);
  return Buffer.concat([...text].map(character => table.get(character) ?? missing(character, encoding)));
}

function missing(character: string, encoding: string): never {
  throw new Error(`${encoding} has no ${character}`);
}

const tables = new Map<string, Map<string, Buffer>>();

function tableOf(encoding: string): Map<string, Buffer> {
  const known = tables.get(encoding);
  if (known) return known;
  const table = new Map<string, Buffer>();
  const add = (...bytes: number[]) => {
    const character = new TextDecoder(encoding).decode(Uint8Array.from(bytes));
    const isOne = [...character].length === 1 && character !== "\ufffd";
    if (isOne && !table.has(character)) table.set(character, Buffer.from(bytes));
  };
  for (let first = 0; first < 256; first += 1) add(first);
  if (/jis|euc|big5|gb/.test(encoding))
    for (let first = 0x81; first < 255; first += 1)
      for (let second = 0x40; second < 255; second += 1) add(first, second);
  tables.set(encoding, table);
  return table;
}
