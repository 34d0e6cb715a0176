import { createEgress, type Egress } from "../../../mixins/egress/egress.ts";

let egress: Egress;
beforeAll(() => {
  egress = createEgress({ allow: [] });
});
afterAll(() => egress.close());

test.each([
  ["example.com", "https://example.com"],
  ["example.com/a?b=c", "https://example.com/a?b=c"],
])("an address without a scheme, as in %s, is asked back with one", (text, meant) => {
  expect(() => egress.admit(text)).toThrow(`Did you mean ${meant}?`);
});

test.each(["", "hello", "two words.com", "/path", `${"a.".repeat(200)}com`])("%s is no address", text => {
  expect(() => egress.admit(text)).toThrow(/^Give an absolute/);
});
