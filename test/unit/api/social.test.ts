import { sandboxDocs } from "../../../services/api/openapi/sandbox.ts";
import { resolveAliases } from "../../../services/api/request/resolve-aliases.ts";

describe("other names of parameters", () => {
  const aliases = { query: "q" };

  test.each<[Record<string, string | string[]>, Record<string, string | string[]>]>([
    [{ q: "a" }, { q: "a" }],
    [{ query: "a" }, { q: "a" }],
    [
      { query: ["a", "b"], limit: "2" },
      { q: ["a", "b"], limit: "2" },
    ],
    [{ toString: "x" }, { toString: "x" }],
    [{}, {}],
  ])("%j becomes %j", (query, params) => {
    expect(resolveAliases(query, aliases)).toEqual(params);
  });

  test("both names at once are refused", () => {
    expect(() => resolveAliases({ q: "a", query: "a" }, aliases)).toThrow("not both");
  });
});

describe("what the document says of simulated platforms", () => {
  const [simulated, real] = [{ driver: "sandbox" }, { driver: "mastodon" }];

  test("nothing where none is", () => {
    expect(sandboxDocs({ microblog: real, chatserver: real, messenger: real })).toEqual({
      prose: "",
      inventory: {},
    });
  });

  test("those that are, and no others", () => {
    const { prose, inventory } = sandboxDocs({
      microblog: real,
      chatserver: simulated,
      messenger: simulated,
    });
    expect(Object.keys(inventory)).toEqual(["chatserver", "messenger"]);
    expect(prose).toContain("the chat servers, the messenger.");
    expect(prose).not.toContain("the microblog");
  });
});
