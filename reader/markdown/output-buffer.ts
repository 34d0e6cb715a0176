const mostWhite = 10;

/**
 * The output so far, as a list of pieces: one string that is flattened and cut for every element takes time in the square of
 * the page. An element's content is joined once, when what finishes it asks for it.
 */
export class OutputBuffer {
  /** Total characters copied by joins: the work that grows with the page. */
  copied = 0;
  length = 0;
  private readonly pieces: string[] = [];

  /** Line ends in the white space among the last ten characters. */
  get lineEnds(): number {
    const tail = this.tail(mostWhite);
    let count = 0;
    for (let at = tail.length - 1; at >= 0 && isWhite(tail.charCodeAt(at)); at--)
      if (tail.charCodeAt(at) === 10) count++;
    return count;
  }

  /** The code of the last character; -1 where there is none. */
  get lastCode(): number {
    const last = this.pieces[this.pieces.length - 1];
    return last === undefined ? -1 : last.charCodeAt(last.length - 1);
  }

  /** Whether the next character begins a line or follows white space. */
  get endsInWhitespace(): boolean {
    return this.length === 0 || isWhite(this.lastCode);
  }

  append(piece: string): void {
    if (piece === "") return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Everything from `start` on. */
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
    const last = this.pieces[this.pieces.length - 1] ?? "";
    if (last.length >= length) return last.slice(-length);
    let tail = "";
    for (let index = this.pieces.length - 1; index >= 0 && tail.length < length; index--) {
      tail = (this.pieces[index] ?? "").slice(-length) + tail;
    }
    return tail.slice(-length);
  }
}

function isWhite(code: number): boolean {
  if (code === 32 || (code >= 9 && code <= 13)) return true;
  return code > 127 && /\s/.test(String.fromCharCode(code));
}
