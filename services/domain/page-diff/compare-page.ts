import { createHash } from "node:crypto";
import { createTwoFilesPatch, diffArrays, FILE_HEADERS_ONLY } from "diff";
import { comparable } from "./noise.ts";
import { type IgnoredBlocks, nothingIgnored } from "./rotation.ts";

/** The stored text of a page, one line for each block. */
export interface PageText {
  /** SHA-256 of the text in order, without noise. */
  hash: string;
  /** The blocks, truncated to `maxTextBytes`. */
  text: string;
}

/** The data of `web.page.changed`, beside title and url. */
export interface PageChange {
  previousHash: string;
  currentHash: string;
  /** Blocks as the page shows them. */
  added: string[];
  removed: string[];
  /** Blocks that have changed their place, with the words for it: `Alpha: moved from 3rd to 1st`. Absent without any. */
  moved?: string[];
  /** Unified diff of the blocks; "" where the pages differ too much. */
  diff: string;
  truncated?: true;
}

/** What is kept of a page's text. */
export const [maxTextBytes, maxTextLines] = [128 * 1024, 10_000];
/**
 * How much of a page the noise rules are applied to, from its beginning: they take some 10 µs a line, and up to a second
 * for a million characters. What follows is compared as it is.
 */
const [maxRuledLines, maxRuledLength] = [40_000, 1024 * 1024];
const maxBlocks = 100;
const maxBlockLength = 400;
const maxDiffBytes = 32 * 1024;
/** Limits the time of a diff, which grows with the square of the edits. */
const maxEdits = 1000;

/** The text of a page; undefined when it is empty. */
export function readPageText(markdown: string): PageText | undefined {
  const { blocks, rest } = partsOf(markdown);
  const said = comparable(blocks).filter(key => key !== "");
  return isSaying(said) || isSaying([rest]) ? textOf(said, blocks, rest) : undefined;
}

/** The text as it is, noise included, for what somebody has pointed at; undefined when it is empty. */
export function readExactText(markdown: string): PageText | undefined {
  const { blocks, rest } = partsOf(markdown);
  return isSaying(blocks) || isSaying([rest]) ? textOf(blocks, blocks, rest) : undefined;
}

/** A text that says nothing, where that is a state of its own. */
export const emptyText: PageText = textOf([], [], "");

/** The blocks of a page that are compared one by one, and the rest. */
function partsOf(markdown: string): { blocks: string[]; rest: string } {
  const end = endOfRuled(markdown);
  const lines = markdown.slice(0, end).split("\n");
  const blocks = lines.flatMap(line => line.replace(/\p{Cc}/gu, " ").trim() || []);
  return { blocks, rest: markdown.slice(end) };
}

function endOfRuled(markdown: string): number {
  let end = 0;
  for (let lines = 0; lines < maxRuledLines && end < maxRuledLength; lines += 1) {
    const next = markdown.indexOf("\n", end);
    if (next === -1) return Math.min(markdown.length, maxRuledLength);
    end = next + 1;
  }
  return Math.min(end, maxRuledLength);
}

function isSaying(blocks: string[]): boolean {
  return blocks.some(block => /[\p{L}\p{N}]/u.test(block));
}

function textOf(said: string[], blocks: string[], rest: string): PageText {
  const hash = createHash("sha256").update(said.join("\n")).update(rest).digest("hex");
  return { hash, text: keptPart(blocks) };
}

function keptPart(blocks: string[]): string {
  return firstBytes(blocks.slice(0, maxTextLines).join("\n"), maxTextBytes);
}

/** The stored blocks of a page, in the form in which they are compared: as they are where all of them are noise. */
export function keysOf({ text }: PageText, isExact = false): string[] {
  const blocks = text.split("\n");
  const keys = isExact ? blocks : comparable(blocks);
  return isSaying(keys) ? keys : blocks;
}

/** The blocks in which two versions of a page differ. */
export interface Difference {
  added: Block[];
  removed: Block[];
  /** The blocks are those that have changed their place. */
  isMove: boolean;
  /** Unified diff; "" where the pages differ too much. */
  patch: string;
}

/** How two versions of a page differ; undefined when they are the same, apart from `ignored` blocks. */
export function comparePage(
  before: PageText,
  after: PageText,
  ignored = nothingIgnored,
): PageChange | undefined {
  const difference = differenceOf(before, after, ignored);
  return difference && changeOf(difference, before, after);
}

/** The difference in blocks. `isExact`: noise counts. */
export function differenceOf(
  before: PageText,
  after: PageText,
  ignored = nothingIgnored,
  isExact = false,
): Difference | undefined {
  if (before.hash === after.hash) return undefined;
  const [old, current] = [blocksOf(before, ignored, isExact), blocksOf(after, ignored, isExact)];
  const common = ignored.isShuffled ? inOrderOf(current, old) : old;
  if (!isCut(before) && !isCut(after) && joined(common) === joined(current)) return undefined;
  const [added, removed] = [without(current, common), without(common, current)];
  const isMove = added.length + removed.length === 0;
  const patch = unifiedDiff(common, current);
  return isMove ? { ...moved(common, current), isMove, patch } : { added, removed, isMove, patch };
}

/** A difference, as an event shows it. */
export function changeOf(difference: Difference, before: PageText, after: PageText): PageChange {
  const { patch } = difference;
  const [added, removed] = [shown(difference.added), shown(difference.removed)];
  const isShown = added.length + removed.length > 0;
  const isWhole = isShown && patch !== "" && patch.length <= maxDiffBytes && fits(added) && fits(removed);
  return {
    previousHash: before.hash,
    currentHash: after.hash,
    added: shortened(added),
    removed: shortened(removed),
    diff: firstBytes(patch, maxDiffBytes),
    ...(!isWhole && { truncated: true }),
  };
}

/** A block as the page shows it, and in the form in which it is compared. */
export interface Block {
  shown: string;
  key: string;
}

function blocksOf(page: PageText, { isRotating }: IgnoredBlocks, isExact: boolean): Block[] {
  const shown = page.text.split("\n");
  return keysOf(page, isExact)
    .map((key, index) => ({ key, shown: shown[index] ?? "" }))
    .filter(({ key }) => key !== "" && !isRotating(key));
}

function joined(blocks: Block[]): string {
  return blocks.map(({ key }) => key).join("\n");
}

function isCut({ text }: PageText): boolean {
  // Truncation drops a partial character, up to 3 bytes.
  return Buffer.byteLength(text) > maxTextBytes - 4 || text.split("\n").length >= maxTextLines;
}

/** `blocks` in the order of a `model`; a block that the model lacks stays after its predecessor. */
function inOrderOf(model: Block[], blocks: Block[]): Block[] {
  const places = Map.groupBy(model.keys(), index => model[index]?.key ?? "");
  let last = -1;
  const placed = blocks.map(block => {
    last = places.get(block.key)?.shift() ?? last;
    return { block, place: last };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ block }) => block);
}

/** Where nothing was added or removed: the blocks that have changed their place. */
function moved(old: Block[], current: Block[]): Pick<Difference, "added" | "removed"> {
  const edits = diffArrays(keys(old), keys(current), { maxEditLength: maxEdits }) ?? [];
  const movedKeys = new Set(edits.filter(edit => edit.removed).flatMap(({ value }) => value));
  const isMoved = ({ key }: Block) => movedKeys.has(key);
  return { added: current.filter(isMoved), removed: old.filter(isMoved) };
}

function shown(blocks: Block[]): string[] {
  return blocks.map(block => block.shown);
}

function keys(blocks: Block[]): string[] {
  return blocks.map(({ key }) => key);
}

/** Blocks of `these` that are missing in `those`, counting repetitions. */
function without(these: Block[], those: Block[]): Block[] {
  const left = new Map<string, number>();
  for (const { key } of those) left.set(key, (left.get(key) ?? 0) + 1);
  return these.filter(({ key }) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

// A block that differs only in noise gets its new form in the old page too, so that the diff leaves it out.
function unifiedDiff(old: Block[], current: Block[]): string {
  const latest = new Map(current.map(({ key, shown }) => [key, shown]));
  const [previous, next] = [old, current].map(blocks =>
    lines(blocks.map(({ key, shown }) => latest.get(key) ?? shown)),
  );
  const options = { context: 2, maxEditLength: maxEdits, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch("previous", "current", previous ?? "", next ?? "", "", "", options) ?? "";
}

function lines(blocks: string[]): string {
  return blocks.map(block => `${block}\n`).join("");
}

function fits(blocks: string[]): boolean {
  return blocks.length <= maxBlocks && blocks.every(block => Buffer.byteLength(block) <= maxBlockLength);
}

function shortened(blocks: string[]): string[] {
  return blocks.slice(0, maxBlocks).map(block => firstBytes(block, maxBlockLength));
}

/** The beginning of a text, in whole characters. */
export function firstBytes(text: string, bytes: number): string {
  // No character takes less than a byte.
  const beginning = text.slice(0, bytes);
  const buffer = Buffer.from(beginning);
  if (buffer.length <= bytes) return beginning;
  // A truncated character decodes to U+FFFD.
  return new TextDecoder().decode(buffer.subarray(0, bytes)).replace(/\ufffd+$/, "");
}

const maxLength = 800;

const phrases = new RegExp(
  [
    String.raw`\b(?:under(?:going)?|down for|scheduled|planned|routine|system|site|server) maintenance\b|\bmaintenance (?:mode|break|window|in progress)|^maintenance$`,
    String.raw`\b(?:we(?:['’]ll| will)|will) be (?:right )?back\b|\bbe right back\b|\bback (?:soon|shortly|online (?:soon|shortly))\b`,
    String.raw`\b(?:site|website|page|service|server) is (?:currently |temporarily )+(?:unavailable|down|offline|closed)\b|\bservice (?:temporarily )?unavailable\b|\bbad gateway\b|\bgateway time-?out\b`,
    "wartungsarbeiten|wartungsmodus|wegen wartung|sind (?:gleich|bald|in kürze) (?:wieder )?(?:zurück|für sie da)|seite ist (?:derzeit|zurzeit|vorübergehend) nicht (?:erreichbar|verfügbar)",
    "(?:en|de|site en) maintenance|maintenance (?:en cours|programmée)|nous (?:serons de retour|revenons) (?:bientôt|très vite|dans)|site (?:est )?(?:temporairement|momentanément) (?:indisponible|inaccessible)",
    "en mantenimiento|(?:tareas|trabajos) de mantenimiento|volvemos (?:pronto|enseguida)|volveremos (?:pronto|en breve)|(?:sitio|página|servicio) (?:está )?(?:temporalmente )no disponible",
    "in manutenzione|torneremo presto|em manutenção|voltaremos em breve|onderhoud(?:swerkzaamheden)?|prace konserwacyjne|przerwa techniczna|bakım çalışması",
    "технически(?:е|х) работ|на обслуживании|сайт (?:временно )?недоступен|скоро вернемся|скоро вернёмся",
    "(?:系统|系統|网站|網站|服务器|正在|停机|停機)(?:维护|維護)|维护中|維護中|暂时无法访问|メンテナンス|しばらくお待ちください|점검 ?중|서비스 점검",
    "تحت الصيانة|قيد الصيانة|أعمال صيانة|سنعود قريب",
  ].join("|"),
  "imu",
);

/**
 * Whether a page with status 200 only says that its site is under maintenance. Conservative: the page must be short, at
 * most half as long as before, share no line with the text before below its title, and contain a phrase of such pages
 * that was not there before.
 */
export function isMaintenance({ title, text }: { title: string; text: string }, before: string): boolean {
  if (text.length > maxLength || 2 * text.length > before.length) return false;
  const [lines, known] = [text, before].map(each => comparable(each.split("\n")).filter(line => line !== ""));
  const knownLines = new Set(known);
  const kept = lines?.slice(1).filter(line => knownLines.has(line)) ?? [];
  const said = [title, ...(lines ?? [])].join("\n");
  return kept.length === 0 && phrases.test(said) && !phrases.test(known?.join("\n") ?? "");
}
