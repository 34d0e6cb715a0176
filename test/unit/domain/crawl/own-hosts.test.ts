import { ownHosts } from "../../../../services/domain/crawl/own-hosts.ts";

test("names are whole, and *. stands for all below", () => {
  const isOwn = ownHosts(["staging.example.com", "*.dev.example"]);
  const urls = ["https://Staging.Example.com:8443/a", "http://a.b.dev.example./", "http://x.dev.example/"];
  expect(urls.filter(isOwn)).toEqual(urls);
  const others = ["https://example.com/", "http://dev.example/", "http://evildev.example/", "nothing"];
  expect(others.filter(isOwn)).toEqual([]);
});

test("none by default, all by *", () => {
  expect(ownHosts([])("http://a.example/")).toBe(false);
  expect(ownHosts(["*"])("http://a.example/")).toBe(true);
});
