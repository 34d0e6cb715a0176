const statsWindow = 10;
const spaces = /\s/;

/**
 * What has been written so far, as a list of pieces: stands in for the string `result.text` that the visitor of
 * node-html-markdown reads, which is flattened and cut for every element and so costs time in the square of the page.
 * Here an element's content is joined once, where its translator asks for it.
 */
export class OutputBuffer {
  /** Characters copied by joins, all told: the work that grows with the page. */
  copied = 0;
  length = 0;
  private readonly pieces: string[] = [];

  /** The visitor reads and replaces `result.text`; it is this object itself. */
  get text(): this {
    return this;
  }

  /** White space and line ends among the last ten characters, as the visitor counts them. */
  get trailingNewlineStats(): { whitespace: number; newLines: number } {
    const tail = this.tail(statsWindow);
    let at = tail.length;
    let newLines = 0;
    while (at > 0 && spaces.test(tail[at - 1] ?? "")) {
      if (tail[at - 1] === "\n") newLines++;
      at--;
    }
    return { whitespace: tail.length - at, newLines };
  }

  append(piece: string): void {
    if (piece === "") return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Everything from `start` on; named as the visitor calls it. */
  substr(start: number): string {
    let from = this.pieces.length;
    let at = this.length;
    while (from > 0 && at > start) at -= this.pieces[--from]?.length ?? 0;
    const text = this.pieces
      .slice(from)
      .join("")
      .slice(start - at);
    this.copied += text.length;
    return text;
  }

  cut(length: number): void {
    while (this.length > length) {
      const piece = this.pieces.pop() ?? "";
      this.length -= piece.length;
      if (this.length < length) this.append(piece.slice(0, length - this.length));
    }
  }

  /** The character before `position`, or the empty string at the beginning. Looks back from the end. */
  charBefore(position: number): string {
    let at = this.length;
    for (let index = this.pieces.length - 1; index >= 0; index--) {
      const piece = this.pieces[index] ?? "";
      at -= piece.length;
      if (at < position) return piece[position - at - 1] ?? "";
    }
    return "";
  }

  endsWith(ending: string): boolean {
    return this.tail(ending.length) === ending;
  }

  private tail(length: number): string {
    let tail = "";
    for (let index = this.pieces.length - 1; index >= 0 && tail.length < length; index--) {
      tail = (this.pieces[index] ?? "").slice(-length) + tail;
    }
    return tail.slice(-length);
  }
}
