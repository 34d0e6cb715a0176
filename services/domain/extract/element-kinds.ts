const blocks = new Set(
  (
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table ul legend caption " +
    "tbody thead tfoot tr td th body html video audio iframe"
  ).split(" "),
);

/** Whether a browser's own style sheet gives the element a line of its own. */
export function isBlock(name: string): boolean {
  return blocks.has(name);
}
