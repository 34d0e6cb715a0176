import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * SQLite as a shared library for Linux x64 that needs nothing but the C library. It comes from bare-sqlite, an addon of
 * the Bare runtime that exports the whole of SQLite; the addon's own links into that runtime are made optional, since
 * nobody who loads the library for SQLite calls them.
 */
export function sqliteLibrary(): Buffer {
  const packageFolder = dirname(createRequire(import.meta.url).resolve("bare-sqlite/package"));
  const library = readFileSync(join(packageFolder, "prebuilds", "linux-x64", "bare-sqlite.bare"));
  for (const symbol of undefinedSymbols(library))
    if (symbol.name.startsWith("js_")) library[symbol.infoOffset] = (weakBinding << 4) | symbol.type;
  return library;
}

// Sizes, offsets and numbers of an ELF-64 file: System V ABI, chapters 4 and 5.
const sectionHeader = { sizeOf: 64, type: 4, offset: 24, size: 32, link: 40 };
const symbolEntry = { sizeOf: 24, info: 4, section: 6 };
const dynamicSymbolTable = 11;
const weakBinding = 2;

function* undefinedSymbols(elf: Buffer) {
  const headers = Number(elf.readBigUInt64LE(0x28));
  const section = (index: number) => {
    const at = headers + index * sectionHeader.sizeOf;
    const long = (field: number) => Number(elf.readBigUInt64LE(at + field));
    return {
      type: elf.readUInt32LE(at + sectionHeader.type),
      offset: long(sectionHeader.offset),
      size: long(sectionHeader.size),
      link: elf.readUInt32LE(at + sectionHeader.link),
    };
  };
  const sections = Array.from({ length: elf.readUInt16LE(0x3c) }, (_, index) => section(index));
  const symbols = sections.find(({ type }) => type === dynamicSymbolTable);
  if (symbols === undefined) throw new Error("bare-sqlite's library has no dynamic symbol table");
  const names = section(symbols.link).offset;
  for (let at = symbols.offset; at < symbols.offset + symbols.size; at += symbolEntry.sizeOf) {
    if (elf.readUInt16LE(at + symbolEntry.section) !== 0) continue;
    const nameAt = names + elf.readUInt32LE(at);
    const infoOffset = at + symbolEntry.info;
    const name = elf.toString("latin1", nameAt, elf.indexOf(0, nameAt));
    yield { name, infoOffset, type: elf.readUInt8(infoOffset) & 15 };
  }
}
