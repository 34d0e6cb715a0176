import { createHash } from "node:crypto";
import { packLines, plainLines } from "../../../../services/connectors/pages/packed-memory.ts";
import {
  type PageMemory,
  packPageMemory,
  plainMemory,
  unpackPageMemory,
} from "../../../../services/connectors/sites/page-memory.ts";
import { dictionaryOf, readDictionary } from "../../../../services/connectors/sites/site-dictionary.ts";

const at = Date.parse("2026-03-02T09:00:00Z");
const urlOf = (n: number) => `https://site.example/page-${n}`;
const none = (n = 0) => ({ url: urlOf(n), dictionary: undefined });
const hashOf = (text: string, encoding: "hex" | "base64url" = "hex") =>
  createHash("sha256").update(text).digest(encoding);

function linesOf(n: number, site = "nest boxes"): string {
  const shared = Array.from({ length: 30 }, (_, line) => `Everybody reads line ${line * line} about ${site}`);
  const texts = [`Page ${n}`, ...shared, `What page ${n} alone says: ${hashOf(String(n)).slice(0, 8)}`];
  return packLines(JSON.stringify({ told: { texts: texts.join("\n"), places: "p", areas: "a" } }));
}

function memoryOf(n: number, site?: string): PageMemory {
  return {
    state: {
      ...{ hash: hashOf(`hash ${n}`), rest: "", at, rules: 4, told: linesOf(n, site), changes: n },
      ...{ fingerprint: hashOf(`print ${n}`, "base64url"), etag: `"${n}"`, lastModified: "" },
      ...{ sentAt: at + 5, checkedAt: at + 7000, conditional: 1, unread: 2, page: hashOf(`page ${n}`) },
      known: { url: urlOf(n), outcome: "same", reason: "Nothing differs." },
    },
    pace: { intervalMs: 3_600_000 },
    lastmod: at - 1,
    failures: 1,
  };
}

/** The memory, with its lines in the open. */
function opened({ state: { told, ...state }, ...memory }: PageMemory) {
  return { ...memory, state, ...(told !== undefined && { lines: plainLines(told) }) };
}

function dictionaryFrom(site?: string) {
  const packed = [1, 2, 3, 4].map(n => packPageMemory(memoryOf(n, site), none(n)));
  const dictionary = dictionaryOf(packed.map(each => plainMemory(each) ?? ""));
  if (!dictionary) throw new Error("no dictionary of four pages");
  return dictionary;
}

test("a memory is the same after it was packed, with a dictionary and without", () => {
  for (const dictionary of [undefined, dictionaryFrom()]) {
    const packed = packPageMemory(memoryOf(9), { url: urlOf(9), dictionary });
    expect(opened(unpackPageMemory(packed, { url: urlOf(9), dictionary }))).toEqual(opened(memoryOf(9)));
  }
});

test("nothing is a memory of nothing", () => {
  expect(unpackPageMemory(undefined, none())).toEqual({ state: {} });
});

test("what is no hash, and another address than the page's, stay as they are", () => {
  const state = {
    ...{ hash: "short", fingerprint: "", page: hashOf("a").toUpperCase(), rest: hashOf("rest"), at },
    known: { url: "https://site.example/other", outcome: "same" as const, reason: "" },
  };
  expect(unpackPageMemory(packPageMemory({ state }, none()), none())).toEqual({ state });
});

test("with the dictionary a memory takes a fraction", () => {
  const [without, within] = [undefined, dictionaryFrom()].map(dictionary =>
    packPageMemory(memoryOf(9), { url: urlOf(9), dictionary }),
  );
  expect(within?.length).toBeLessThan((without?.length ?? 0) * 0.7);
});

test("a dictionary is the same when it was kept, and has at most 12 KB", () => {
  const kept = dictionaryFrom();
  expect(readDictionary(kept.kept)).toEqual(kept);
  const long = [1, 2, 3, 4].map(n => Array.from({ length: 4000 }, (_, k) => `${n} ${hashOf(`${k >> n}`)}`));
  expect(dictionaryOf(long.map(lines => lines.join("\\n")))?.bytes.length).toBe(12 * 1024);
});

test("fewer than four pages make no dictionary, and what is none is not read", () => {
  expect(dictionaryOf(["a", "b", "c"])).toBeUndefined();
  expect(readDictionary("bm90aGluZw==")).toBeUndefined();
});

describe("a memory that cannot be read", () => {
  const url = urlOf(9);
  const dictionary = dictionaryFrom();
  const packed = packPageMemory(memoryOf(9), { url, dictionary });
  const unread = { state: { changes: 9 }, isKnown: true };

  test("is that of a known page that was not read, where its dictionary is not there", () => {
    expect(unpackPageMemory(packed, { url, dictionary: undefined })).toEqual(unread);
  });

  test("and where another dictionary is there", () => {
    const other = dictionaryFrom("bird baths");
    expect(unpackPageMemory(packed, { url, dictionary: other })).toEqual(unread);
  });

  test("and where the dictionary of this name says something else", () => {
    const false_ = { ...dictionaryFrom("bird baths"), id: dictionary.id };
    expect(unpackPageMemory(packed, { url, dictionary: false_ })).toEqual(unread);
  });

  test("and where it is damaged", () => {
    const damaged = Buffer.from(packed);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1);
    expect(unpackPageMemory(damaged, { url, dictionary })).toEqual(unread);
  });

  test("a memory without lines needs no dictionary", () => {
    const waiting = packPageMemory({ state: {}, waits: 2 }, { url, dictionary });
    expect(unpackPageMemory(waiting, { url, dictionary: undefined })).toEqual({ state: {}, waits: 2 });
    expect(plainMemory(waiting)).toBeUndefined();
  });
});
