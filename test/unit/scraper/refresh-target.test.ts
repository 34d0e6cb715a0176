import { refreshTarget } from "../../../services/scraper/fetch/refresh-target.ts";

const page = (html: string, more: { status?: number; contentType?: string } = {}) => ({
  status: 200,
  finalUrl: "https://a.example/dir/page",
  redirects: [],
  headers: {},
  contentType: "text/html; charset=utf-8",
  body: Buffer.from(html),
  setCookies: [],
  ...more,
});
const meta = (content: string) => `<!doctype html><meta http-equiv="Refresh" content="${content}"><p>Moved.`;

test.each([
  ["0;url=/new", "https://a.example/new"],
  ["0; URL='next'", "https://a.example/dir/next"],
  ["5,url=https://b.example/", "https://b.example/"],
  [" 3.5 ; url = /new#part ", "https://a.example/new#part"],
  ["0;/new", "https://a.example/new"],
  ["0;url=&quot;/new&quot;;x", "https://a.example/new"],
])("%s leads to %s", (content, url) => {
  expect(refreshTarget(page(meta(content)))?.href).toBe(url);
});

test.each([
  ["the page itself, again", meta("0")],
  ["the page itself, by its address", meta("1;url=/dir/page#top")],
  ["a page that is for reading first", meta("6;url=/new")],
  ["no number", meta("url=/new")],
  ["no address", meta("0;url=")],
  ["another protocol", meta("0;url=mailto:a@b.example")],
  ["readers without scripts", `<noscript>${meta("0;url=/new")}</noscript>`],
  ["a template", `<template>${meta("0;url=/new")}</template>`],
  ["a comment", `<!-- ${meta("0;url=/new")} -->`],
  ["a script's text", `<script>"${meta("0;url=/new")}"</script>`],
])("%s leads nowhere", (_, html) => {
  expect(refreshTarget(page(html))).toBeUndefined();
});

test("an error page and a text lead nowhere; a base counts", () => {
  const html = meta("0;url=new");
  expect(refreshTarget(page(html, { status: 404 }))).toBeUndefined();
  expect(refreshTarget(page(html, { contentType: "text/plain" }))).toBeUndefined();
  expect(refreshTarget(page(`<base href="/other/">${html}`))?.href).toBe("https://a.example/other/new");
});
