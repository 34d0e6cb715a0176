/** Schema of the parameter that bounds how much an answer holds: from 1, as a number or its text. */
export function limit(description: string, { max = 100, default: usual = 20 } = {}) {
  return { type: "number", integer: true, min: 1, max, default: usual, convert: true, description };
}

/** Schema of the parameter that tells where a page begins. */
export const cursor = {
  type: "string",
  min: 1,
  max: 128,
  optional: true,
  description: "`next_cursor` of the page before.",
};
