/** A line of the difference of two versions, as the API answers it. */
interface Line {
  kind: keyof typeof marks;
  parts: readonly { kind: "same" | "added" | "removed"; text: string }[];
  /** How many lines a gap leaves out. */
  skipped?: number;
}

const marks = { same: " ", added: "+", removed: "-", changed: "~", moved: ">", gap: " " } as const;

/**
 * A line of a difference as plain text: its mark first; in a changed line `[-what was removed-]` and `{+what was added+}`, as
 * `git diff --word-diff` writes them.
 */
export function markedLine({ kind, parts, skipped = 0 }: Line): string {
  if (kind === "gap") return `  … ${skipped} lines`;
  const words = parts.map(part => {
    if (kind !== "changed" || part.kind === "same") return part.text;
    return part.kind === "added" ? `{+${part.text}+}` : `[-${part.text}-]`;
  });
  return `${marks[kind]} ${words.join("")}`;
}
