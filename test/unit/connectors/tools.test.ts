import { toolsFor } from "../../../services/connectors/tools.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

type Context = Parameters<typeof toolsFor>[0];
type ToolContext = Parameters<typeof toolsFor>[1];

test("once the time of a call is over, no site is asked", async () => {
  const asked: string[] = [];
  const admit = (url: string) => {
    asked.push(url);
    return new URL(url);
  };
  const around = { egress: { admit }, closing: new AbortController().signal } as unknown as ToolContext;
  const tools = toolsFor({} as Context, around, { callTimeoutMs: 0 });
  for (const work of [tools.fetchDocument, tools.scrapePage]) {
    const error = await work("https://example.com/").catch(caught => caught);
    expect([codeOf(error), error.message]).toEqual([
      "target_unreachable",
      "The site did not answer in time.",
    ]);
  }
  expect(asked).toEqual([]);
});
