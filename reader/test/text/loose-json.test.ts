import { parseLooseJson } from "../../text/loose-json.ts";

const wood = { name: "Oak", sizes: [1, 2] };

test.each([
  ["JSON", '{"name":"Oak","sizes":[1,2]}'],
  ["comments", '/* of the page */ {"name": "Oak", // the wood\n "sizes": [1, /* two */ 2]}'],
  ["an address is no comment", '{"name":"Oak" /* http://x */,"sizes":[1,2]} // https://oak.example\n'],
  ["commas at ends", '{"name":"Oak","sizes":[1,2,],}'],
  ["commas at starts and in rows", '{,"name":"Oak",,"sizes":[,1,,2]}'],
  ["CDATA", '<![CDATA[{"name":"Oak","sizes":[1,2]}]]>'],
  ["CDATA in comments", '//<![CDATA[\n{"name":"Oak","sizes":[1,2]}\n//]]>'],
  ["CDATA in block comments", '/*<![CDATA[*/{"name":"Oak","sizes":[1,2]}/*]]>*/'],
  ["an HTML comment", '<!--\n{"name":"Oak","sizes":[1,2]}\n-->'],
  ["a statement", '{"name":"Oak","sizes":[1,2]};'],
  ["escaped quotes", "{&quot;name&quot;:&quot;Oak&quot;,&quot;sizes&quot;:[1,2]}"],
  ["lists in lists", '{"name":"Oak","sizes":[1,2],}'],
])("reads %s", (_, text) => {
  expect(parseLooseJson(text)).toEqual(wood);
});

test.each([
  ["line ends", '{"a":"one\ntwo\tthree"}', "one two three"],
  ["bare quotes", '{"a":"The "old" oak"}', 'The "old" oak'],
  ["wrong escapes", '{"a":"Oak\\\'s"}', "Oak's"],
  ["right escapes", '{"a":"1\\u00bd \\"in\\" \\\\ \\/",}', '1½ "in" \\ /'],
  ["marks of comments", '{"a":"https://oak.example/*/ <!-- // ]]>",}', "https://oak.example/*/ <!-- // ]]>"],
  ["commas and brackets", '{"a":"oak, {ash}, [elm],",}', "oak, {ash}, [elm],"],
  ["nothing", '{"a":"",}', ""],
])("keeps texts with %s", (_, text, expected) => {
  expect(parseLooseJson(text)).toEqual({ a: expected });
});

test.each([
  ["two objects", '{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  ["with a comma between", '{"a":1},{"a":[[2]],}', [{ a: 1 }, { a: [[2]] }]],
  ["with a semicolon", '{"a":1};[{"a":-2e3,"b":null}];', [{ a: 1 }, [{ a: -2e3, b: null }]]],
  ["one that is whole and one that is not", '{"a":1} {"a":', { a: 1 }],
  ["one that cannot be read", '{"a":1} {a:b}', { a: 1 }],
])("reads %s", (_, text, expected) => {
  expect(parseLooseJson(text)).toEqual(expected);
});

test.each(["", "oak", '{"a', '{"a":1', "{/*", "}", "]]", '"'])("reads nothing in %j", text => {
  expect(parseLooseJson(text)).toBeUndefined();
});

test.each([
  ["comments that do not end", "{/*".repeat(200_000)],
  ["texts that do not end", `{"${'\\"'.repeat(500_000)}`],
  ["quotes", '{"a":"'.repeat(100_000)],
  ["brackets", "[{".repeat(300_000)],
  ["commas", `{"a":[${",".repeat(1_000_000)}]}`],
  ["blanks after quotes", `{"a":"${`" ${" ".repeat(50)}x`.repeat(20_000)}`],
])("reads hostile %s in linear time", (_, text) => {
  parseLooseJson(text);
});
