/** TeX for characters of formulas, and names that TeX knows. */

const greek =
  "α:alpha β:beta γ:gamma δ:delta ε:varepsilon ϵ:epsilon ζ:zeta η:eta θ:theta ϑ:vartheta ι:iota κ:kappa λ:lambda μ:mu ν:nu ξ:xi π:pi ϖ:varpi ρ:rho ϱ:varrho σ:sigma ς:varsigma τ:tau υ:upsilon φ:varphi ϕ:phi χ:chi ψ:psi ω:omega Γ:Gamma Δ:Delta Θ:Theta Λ:Lambda Ξ:Xi Π:Pi Σ:Sigma Υ:Upsilon Φ:Phi Ψ:Psi Ω:Omega";
const signs =
  "±:pm ∓:mp ×:times ÷:div ·:cdot ⋅:cdot ∗:ast ∘:circ ∙:bullet ⊕:oplus ⊖:ominus ⊗:otimes ⊙:odot ∧:land ∨:lor ∩:cap ∪:cup ∖:setminus ≤:leq ≥:geq ≪:ll ≫:gg ≠:neq ≡:equiv ≢:not\\equiv ≈:approx ≅:cong ≃:simeq ∼:sim ∝:propto ≺:prec ≻:succ ⊂:subset ⊃:supset ⊆:subseteq ⊇:supseteq ∈:in ∉:notin ∋:ni ∀:forall ∃:exists ∄:nexists ¬:neg ∅:emptyset ∞:infty ∂:partial ∇:nabla ∆:Delta √:surd ∠:angle ⊥:perp ∥:parallel ∣:mid ℏ:hbar ℓ:ell ℜ:Re ℑ:Im ℵ:aleph ℘:wp ′:prime ″:prime\\prime …:ldots ⋯:cdots ⋮:vdots ⋱:ddots ←:leftarrow →:rightarrow ↑:uparrow ↓:downarrow ↔:leftrightarrow ⇐:Leftarrow ⇒:Rightarrow ⇔:Leftrightarrow ⟶:longrightarrow ⟵:longleftarrow ⟹:Longrightarrow ⟺:Longleftrightarrow ↦:mapsto ↪:hookrightarrow ∴:therefore ∵:because ⟨:langle ⟩:rangle ⌊:lfloor ⌋:rfloor ⌈:lceil ⌉:rceil ‖:| ⊢:vdash ⊨:models ⊤:top ≔:coloneqq";

/** Commands by their characters. */
export const commands: Record<string, string> = Object.fromEntries(
  `${greek} ${signs}`.split(" ").map(pair => [pair.slice(0, 1), `\\${pair.slice(2)}`]),
);

export const functions: ReadonlySet<string> = new Set(
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh".split(
    " ",
  ),
);

export const largeOperators: Record<string, string> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∐": "\\coprod",
  "∫": "\\int",
  "∬": "\\iint",
  "∭": "\\iiint",
  "∮": "\\oint",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
  "⋁": "\\bigvee",
  "⋀": "\\bigwedge",
  "⨁": "\\bigoplus",
  "⨂": "\\bigotimes",
};

/** Accents by their combining characters. */
export const accents: Record<string, string> = {
  "\u0300": "\\grave",
  "\u0301": "\\acute",
  "\u0302": "\\hat",
  "^": "\\hat",
  "\u0303": "\\tilde",
  "~": "\\tilde",
  "\u0304": "\\bar",
  "\u0305": "\\overline",
  "\u00af": "\\bar",
  "\u0306": "\\breve",
  "\u0307": "\\dot",
  "\u0308": "\\ddot",
  "\u20db": "\\dddot",
  "\u030a": "\\mathring",
  "\u030c": "\\check",
  "\u20d6": "\\overleftarrow",
  "\u20d7": "\\vec",
  "\u2192": "\\vec",
};

const special: Record<string, string> = {
  "\\": "\\backslash",
  "^": "\\hat{}",
  "~": "\\sim",
  "\u2212": "-",
  "°": "^{\\circ}",
  "\u2061": "",
  "\u2062": "",
  "\u00a0": " ",
  "\u200b": "",
};

/** Alphabets that Unicode has of letters in a style (Mathematical Alphanumeric Symbols), with their commands. */
const alphabets: [from: number, to: number, command: string][] = [
  [0x1d400, 0x1d433, "\\mathbf"],
  [0x1d49c, 0x1d4cf, "\\mathcal"],
  [0x1d504, 0x1d537, "\\mathfrak"],
  [0x1d538, 0x1d56b, "\\mathbb"],
  [0x1d7ce, 0x1d7d7, "\\mathbf"],
  [0x1d400, 0x1d7ff, ""],
];
const doubleStruck = new Set("\u2102\u2115\u2119\u211a\u211d\u2124");

/** Plain text of a formula as TeX. */
export function texOfText(text: string): string {
  return joinTex(Array.from(text, texOfCharacter));
}

/** A command takes the letters that follow it, so a blank parts them. */
export function joinTex(pieces: readonly string[]): string {
  return pieces
    .map((piece, at) =>
      /^[A-Za-z]/.test(piece) && /\\[A-Za-z]+$/.test(pieces[at - 1] ?? "") ? ` ${piece}` : piece,
    )
    .join("");
}

function texOfCharacter(character: string): string {
  if (/^[#$%&_{}]$/.test(character)) return `\\${character}`;
  if (Object.hasOwn(special, character)) return special[character] ?? "";
  if (Object.hasOwn(commands, character)) return commands[character] ?? "";
  if (character === "\u210e") return "h";
  const code = character.codePointAt(0) ?? 0;
  const style = doubleStruck.has(character)
    ? "\\mathbb"
    : alphabets.find(([from, to]) => code >= from && code <= to)?.[2];
  if (style === undefined) return character;
  const plain = character.normalize("NFKC");
  const letter = commands[plain] ?? plain;
  return style === "" ? letter : `${style}{${letter}}`;
}
