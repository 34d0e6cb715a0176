import { openDocument } from "../../document/read-document.ts";
import { readNotebook } from "../../document/read-notebook.ts";

const notebook = (cells: object[], more: object = {}) =>
  JSON.stringify({
    cells,
    metadata: { kernelspec: { language: "julia" } },
    nbformat: 4,
    nbformat_minor: 5,
    ...more,
  });
const code = (source: string[], outputs: object[] = []) => ({
  cell_type: "code",
  metadata: {},
  source,
  outputs,
});

test.each([
  [
    "texts as they are",
    [{ cell_type: "markdown", source: ["# Mill\n", "\n", "It *turns*."] }],
    "# Mill\n\nIt *turns*.",
  ],
  ["code with its language", [code(["x = 1\n", "x"])], "```julia\nx = 1\nx\n```"],
  ["code in another language", [code(["%%bash\n", "ls"])], "```bash\n%%bash\nls\n```"],
  [
    "what was printed",
    [code(["x"], [{ output_type: "stream", text: ["\u001b[31m1\u001b[0m\n"] }])],
    "```julia\nx\n```\n\n```\n1\n```",
  ],
  [
    "a result as text",
    [
      code(
        [],
        [
          {
            output_type: "execute_result",
            data: { "text/html": "<b>2</b>", "text/plain": ["2"], "image/png": "iVBO" },
          },
        ],
      ),
    ],
    "```\n2\n```",
  ],
  [
    "a result as Markdown",
    [code([], [{ output_type: "display_data", data: { "text/markdown": "**3**" } }])],
    "**3**",
  ],
  [
    "an error",
    [code([], [{ output_type: "error", ename: "KeyError", evalue: "'a'", traceback: ["x"] }])],
    "```\nKeyError: 'a'\n```",
  ],
  ["raw cells, with backticks", [{ cell_type: "raw", source: "a ``` b" }], "````\na ``` b\n````"],
  [
    "what is said of a picture in the notebook",
    [{ cell_type: "markdown", source: "See ![the mill](attachment:m.png)." }],
    "See the mill.",
  ],
  [
    "nothing of what is no cell",
    [null, { cell_type: "x", source: "y" }, { cell_type: "code" }] as object[],
    "",
  ],
])("%s", (_name, cells, markdown) => {
  expect(readNotebook(notebook(cells))).toEqual({ markdown, isCut: false });
});

test("an older notebook has worksheets", () => {
  const old = { nbformat: 3, worksheets: [{ cells: [{ cell_type: "code", input: ["x"] }] }] };
  expect(readNotebook(JSON.stringify(old))?.markdown).toBe("```python\nx\n```");
});

test.each([
  ["application/x-ipynb+json", "https://a.example/x"],
  ["text/plain; charset=utf-8", "https://raw.example/x.ipynb?raw=1"],
  ["application/json", "https://a.example/x"],
  ["", "https://a.example/x"],
])("sent as %j from %s", async (contentType, finalUrl) => {
  const body = Buffer.from(notebook([{ cell_type: "markdown", source: "# Mill" }]));
  expect(await openDocument({ body, contentType, finalUrl })).toMatchObject({
    kind: "text",
    markdown: "# Mill",
    title: "Mill",
  });
});

test("JSON that only has such a name is read as JSON", async () => {
  const document = { body: Buffer.from('{"a":1}'), contentType: "", finalUrl: "https://a.example/x.ipynb" };
  expect(await openDocument(document)).toMatchObject({ markdown: '```json\n{\n  "a": 1\n}\n```' });
});

test("a notebook that is too long is read as far as the limits", () => {
  const cells = Array.from({ length: 6000 }, () => ({ cell_type: "markdown", source: "x" }));
  expect(readNotebook(notebook(cells))?.isCut).toBe(true);
  const long = [code([], [{ output_type: "stream", text: "y".repeat(30_000) }])];
  expect(readNotebook(notebook(long))?.markdown).toHaveLength(20_000 + 10);
});
