import { BodyCache } from "../../../mixins/event-log/body-cache.ts";

test.each<{ name: string; steps: string[]; left: string[] }>([
  { name: "keeps what fits", steps: ["+aaa", "+bbb", "+cc"], left: ["aaa", "bbb", "cc"] },
  { name: "the least lately kept goes first", steps: ["+aaa", "+bbb", "+ccc"], left: ["bbb", "ccc"] },
  { name: "what was read stays longer", steps: ["+aaa", "+bbb", "?aaa", "+ccc"], left: ["aaa", "ccc"] },
  { name: "what is kept again counts once", steps: ["+aaa", "+aaa", "+bbb"], left: ["aaa", "bbb"] },
  { name: "as many go as need be", steps: ["+aaa", "+bbb", "+ccccccc"], left: ["ccccccc"] },
  { name: "what does not fit is not kept", steps: ["+aaa", "+ddddddddd"], left: [] },
])("$name", ({ steps, left }) => {
  const cache = new BodyCache<string>(8, body => body.length);
  const all = steps.map(step => step.slice(1));
  for (const step of steps) {
    const body = step.slice(1);
    if (step.startsWith("?")) expect(cache.get(body)).toBe(body);
    else cache.set(body, body);
  }
  expect([...new Set(all)].filter(body => cache.get(body) === body)).toEqual(left);
});
