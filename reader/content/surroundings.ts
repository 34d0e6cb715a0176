import { endOf, isProse } from "./article-core.ts";
import { isCommenting, isElsewhere } from "./furniture-words.ts";
import { type Frame, type Outline, sumOver } from "./outline.ts";
import type { PageContext } from "./page-context.ts";

/** Words around a part that say what it is in; how much of them is kept, and how much of that is prose. */
const [minAround, mostKept, muchProse] = [25, 0.8, 0.4];
const levels = 4;

/** What is kept around the parts of a page. */
export class Surroundings {
  private readonly outline: Outline;
  private readonly keptWords: Uint32Array;
  private readonly keptProse: Uint32Array;
  /** The last prose that is kept up to each place, as a place. */
  private readonly lastProse: Int32Array;
  /** Elements within a post: one of many that are made alike. */
  private readonly posts: Uint8Array;
  private readonly isArticle: boolean;

  constructor(outline: Outline, kept: readonly boolean[], page: PageContext) {
    const { blocks, frames } = outline;
    this.outline = outline;
    this.isArticle = /article/i.test(page.kind);
    this.keptWords = sumOver(outline, ({ shape }, at) => (kept[at] ? Math.max(1, shape.words) : 0));
    this.keptProse = sumOver(outline, (block, at) => (kept[at] && isProse(block) ? block.shape.words : 0));
    this.lastProse = new Int32Array(blocks.length);
    let last = -1;
    blocks.forEach((block, at) => {
      if (kept[at] && isProse(block)) last = at;
      this.lastProse[at] = last;
    });
    this.posts = new Uint8Array(frames.length);
    for (const { index, parent } of frames)
      if (parent !== null) this.posts[index] = this.posts[parent.index]! | Number(isPost(parent));
  }

  isKept({ index, words }: Frame): boolean {
    return this.keptWords[index]! >= words;
  }

  isOfPost({ index }: Frame): boolean {
    return this.posts[index] === 1;
  }

  firstText({ firstBlock }: Frame): string {
    return this.outline.blocks[firstBlock]!.text;
  }

  /** Whether a part begins with, or follows, the heading of comments or of links to other pages. */
  isBelowFurniture(part: Frame): boolean {
    const { blocks } = this.outline;
    const before =
      part.parent !== null && part.firstBlock > part.parent.firstBlock
        ? part.firstBlock - 1
        : part.firstBlock;
    return [before, part.firstBlock].some(
      at => isElsewhere(blocks[at]!.text) || isCommenting(blocks[at]!.text),
    );
  }

  /**
   * Whether most of what is around a part is kept, and prose; and whether the part ends an article, which only an element
   * of facts does.
   */
  placeOf(part: Frame): "outside" | "within" | "end" {
    const inner = part;
    for (let at = part.outer, up = 0; at !== null && at.parent !== null && up < levels; at = at.outer, up++) {
      const rest = at.words - inner.words;
      if (rest < minAround) continue;
      const kept = this.keptWords[at.index]! - this.keptWords[inner.index]!;
      const prose = this.keptProse[at.index]! - this.keptProse[inner.index]!;
      if (kept < mostKept * rest || prose < muchProse * kept) return "outside";
      const isEnd = this.isArticle && this.lastProse[endOf(at) - 1]! < endOf(part);
      return isEnd ? "end" : "within";
    }
    return "outside";
  }
}

const manyAlike = 3;

function isPost({ twins, proseWords, element, parent }: Frame): boolean {
  return parent !== null && twins >= manyAlike && proseWords > 0 && element.attributes.has("class");
}
