import type { CrawlProgress } from "../../contracts/crawler.contract.ts";

interface Screen {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows counts that only grow: on a terminal in one line that is written over, elsewhere a line for each change. */
export class ProgressLine {
  readonly #screen: Screen;
  #shown = "";

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(progress: CrawlProgress): void {
    const line = describe(progress);
    if (line === this.#shown) return;
    this.#screen.write(this.#screen.isTTY ? `\r${line.padEnd(this.#shown.length)}` : `${line}\n`);
    this.#shown = line;
  }

  end(): void {
    if (this.#screen.isTTY && this.#shown !== "") this.#screen.write("\n");
  }
}

export function describe({ discovered, completed, failed, skipped }: CrawlProgress): string {
  return `${discovered} found, ${completed} read, ${failed} failed, ${skipped} skipped`;
}
