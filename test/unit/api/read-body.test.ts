import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { jest } from "@jest/globals";
import { readBody } from "../../../services/api/request/read-body.ts";

const requestOf = (body: string) =>
  Object.assign(Readable.from([Buffer.from(body)]), {
    headers: { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` },
  }) as unknown as IncomingMessage;

const membersOf = (count: number) => `{${Array.from({ length: count }, (_, nth) => `"p${nth}":1`).join()}}`;
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const lists = (count: number) =>
  `{"a":[${Array.from({ length: count }, () => `[${"0,".repeat(99)}0]`).join()}]}`;

test.each([
  ["as many members as may be", membersOf(10_000)],
  ["as deep as may be", deep(32)],
  ["as many in all as may be", lists(999)],
  ["brackets and commas in texts", `{"a":"${'[{,\\",'.repeat(20_000)}"}`],
  ["a text that ends with a backslash", '{"a":"\\\\","b":["\\\\\\"]"]}'],
])("a body with %s is taken", async (_, body) => {
  expect(await readBody(requestOf(body))).toEqual(JSON.parse(body));
});

test.each([
  ["many members", membersOf(10_001), "too_many"],
  ["many items", `{"a":[${"0,".repeat(10_000)}0]}`, "too_many"],
  ["many in all", lists(1010), "too_many"],
  ["many levels", deep(33), "too_deep"],
  ["a hundred thousand levels", `{"a":${"[".repeat(100_000)}`, "too_deep"],
  ["a megabyte of short members", membersOf(64_000), "too_many"],
])("a body with %s is refused before it is parsed", async (_, body, code) => {
  const parse = jest.spyOn(JSON, "parse");
  try {
    await expect(readBody(requestOf(body))).rejects.toMatchObject({ data: { details: [{ code }] } });
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});
