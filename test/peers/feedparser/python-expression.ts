/** A literal of Python as JSON; a tuple is a list. */
export type Literal = string | number | boolean | null | Literal[] | { [key: string]: Literal };

/** What an expectation says of one place of the result. */
export interface Claim {
  /** As `entries[0].tags[1].term`, in whichever way it was written. */
  path: string;
  of: "value" | "length";
  expected: Literal;
}

const token =
  /\s*(?:u?("""[\s\S]*?"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(==|[[\](){}.,:]))/y;
const constants = new Map<string, Literal>([
  ["None", null],
  ["True", true],
  ["False", false],
]);

/** The claims of a conjunction of equalities; undefined for any other expression. `not bozo` claims nothing. */
export function claimsOf(expression: string): Claim[] | undefined {
  try {
    return new Parser(tokensOf(expression)).all();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Token = { kind: "string" | "number" | "name" | "sign"; text: string };

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  const text = expression.trim();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const [, string, number, name, sign] = token.exec(text) ?? [];
    if (string !== undefined) tokens.push({ kind: "string", text: unescaped(unquoted(string)) });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
    else throw new SyntaxError(expression);
  }
  return tokens;
}

function unquoted(string: string): string {
  return string.startsWith('"""') ? string.slice(3, -3) : string.slice(1, -1);
}

const plain: Record<string, string> = { n: "\n", t: "\t", r: "\r" };

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gi,
    (_, x?: string, u?: string, long?: string, other = "") => {
      const code = x ?? u ?? long;
      return code === undefined ? (plain[other] ?? other) : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}

/** Of a dictionary, a claim for each of its fields. */
function claimsOn(path: string, of: Claim["of"], expected: Literal): Claim[] {
  if (expected === null || typeof expected !== "object" || Array.isArray(expected))
    return [{ path, of, expected }];
  return Object.entries(expected).map(([name, field]) => ({ path: `${path}.${name}`, of, expected: field }));
}

class Parser {
  private readonly tokens: Token[];
  private at = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  all(): Claim[] {
    const claims = this.conjunction();
    if (this.at < this.tokens.length) throw new SyntaxError("more than a conjunction");
    return claims;
  }

  private conjunction(): Claim[] {
    const claims = this.clause();
    while (this.takes("and")) claims.push(...this.clause());
    return claims;
  }

  private clause(): Claim[] {
    if (this.takes("not")) {
      if (this.path() !== "bozo") throw new SyntaxError("a negation");
      return [];
    }
    if (this.takes("(")) {
      const claims = this.conjunction();
      this.expect(")");
      return claims;
    }
    const of = this.takes("len") ? "length" : "value";
    if (of === "length") this.expect("(");
    const paths = [this.path()];
    if (of === "length") this.expect(")");
    if (!this.takes("is")) this.expect("==");
    // `a == b == "c"` claims the value of both.
    while (this.tokens[this.at]?.text === "entries") {
      paths.push(this.path());
      this.expect("==");
    }
    const expected = this.literal();
    return paths.flatMap(path => claimsOn(path, of, expected));
  }

  private path(): string {
    let path = this.next("name").text;
    for (;;) {
      if (this.takes(".")) path += `.${this.next("name").text}`;
      else if (this.takes("[")) {
        const { kind, text } = this.next("string", "number");
        path += kind === "string" ? `.${text}` : `[${text}]`;
        this.expect("]");
      } else return path;
    }
  }

  private literal(): Literal {
    if (this.takes("(")) return this.listTo(")");
    if (this.takes("[")) return this.listTo("]");
    if (this.takes("{")) return this.dictionary();
    const { kind, text } = this.next("string", "number", "name");
    if (kind === "string") return text;
    if (kind === "number") return Number(text);
    const constant = constants.get(text);
    if (constant === undefined) throw new SyntaxError(text);
    return constant;
  }

  private listTo(end: string): Literal[] {
    const list: Literal[] = [];
    while (!this.takes(end)) {
      list.push(this.literal());
      this.takes(",");
    }
    return list;
  }

  private dictionary(): Literal {
    const entries: [string, Literal][] = [];
    while (!this.takes("}")) {
      const key = this.next("string").text;
      this.expect(":");
      entries.push([key, this.literal()]);
      this.takes(",");
    }
    return Object.fromEntries(entries);
  }

  private takes(text: string): boolean {
    const found = this.tokens[this.at];
    if (found?.text !== text || found.kind === "string") return false;
    this.at++;
    return true;
  }

  private expect(text: string): void {
    if (!this.takes(text)) throw new SyntaxError(`no ${text}`);
  }

  private next(...kinds: Token["kind"][]): Token {
    const found = this.tokens[this.at++];
    if (found === undefined || !kinds.includes(found.kind)) throw new SyntaxError("an expression");
    return found;
  }
}
