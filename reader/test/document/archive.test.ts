import { zipSync } from "fflate";
import { unpack } from "../../document/archive.ts";
import { DocumentError } from "../../document/broken-document.ts";

const needs = /^part/;
const part = new Uint8Array(1000);

interface Entry {
  packed: number;
  unpacked: number;
}

/** An archive with so many parts that are all the bytes of the first, and whose directory says such sizes. */
function overlapping(count: number, level: 0 | 9, entryOf: (entry: Entry) => Entry = entry => entry): Buffer {
  const names = Array.from({ length: count }, (_, at) => `part${at}`);
  const archive = Buffer.from(zipSync(Object.fromEntries(names.map(name => [name, [part, { level }]]))));
  const head = "PK\u0001\u0002";
  for (let at = archive.indexOf(head); at >= 0; at = archive.indexOf(head, at + 4)) {
    const said = { packed: archive.readUInt32LE(at + 20), unpacked: archive.readUInt32LE(at + 24) };
    const { packed, unpacked } = entryOf(said);
    archive.writeUInt32LE(packed, at + 20);
    archive.writeUInt32LE(unpacked, at + 24);
    archive.writeUInt32LE(0, at + 42);
  }
  return archive;
}

function messageOf(archive: Buffer, maxBytes: number): unknown {
  try {
    return Object.keys(unpack(archive, { needs, maxBytes })).length;
  } catch (error) {
    return error instanceof DocumentError ? error.message : error;
  }
}

const tooLarge = "The document is too large to be read.";
const twoSizes = "The document is broken: a part of it has two sizes.";

test.each([
  ["stored parts that say they are empty", overlapping(5, 0, entry => ({ ...entry, unpacked: 0 })), twoSizes],
  [
    "stored parts that say they are smaller",
    overlapping(5, 0, entry => ({ ...entry, unpacked: 1 })),
    twoSizes,
  ],
  ["stored parts that are the same bytes", overlapping(5, 0), tooLarge],
  ["packed parts that unpack to less", overlapping(5, 9, () => ({ packed: 2000, unpacked: 0 })), tooLarge],
])("%s are counted by what they are", (_name, archive, message) => {
  expect(messageOf(archive, 4000)).toBe(message);
});

test("parts within the limit are unpacked", () => {
  expect(messageOf(overlapping(4, 0), 4000)).toBe(4);
  expect(messageOf(overlapping(4, 9), 4000)).toBe(4);
});
