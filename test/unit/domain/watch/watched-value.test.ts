import { judge } from "../../../../services/domain/watch/judge.ts";
import { type Seen, takeSnapshot } from "../../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../../services/domain/watch/view.ts";

/** A page with a price, as it was sent. */
function look(price: string, view: View, language = "en"): Seen {
  const html = `<html lang="${language}"><main><h1>Boots</h1><p>Delivery in 3 days, worth $500.</p>${price}</main></html>`;
  const seen = takeSnapshot({ html, url: "https://shop.example/", title: "Boots", language }, view);
  if (!seen.ok) throw new Error(seen.reason);
  return seen;
}

const below: View = { select: [".price"], when: { value: { below: 100 } } };

test.each([
  '<p class="price"><del>$149</del> <ins>$99</ins></p>',
  '<p class="price"><s>$149</s> $99</p>',
  '<p class="price"><strike>$149</strike> $99</p>',
  '<div class="price"><span class="old-price">$149</span><span class="new-price">$99</span></div>',
  '<div class="price"><span class="compare-at">$149</span> <span>$99</span></div>',
  '<div class="price"><span class="compareAtPrice">$149</span> <span>$99</span></div>',
  '<div class="price"><span class="was-price">$149</span> <span>$99</span></div>',
  '<div class="price"><span class="line-through">$149</span> <span>$99</span></div>',
  '<div class="price"><span aria-label="Original price">$149</span> <span>$99</span></div>',
  '<div class="price"><span style="text-decoration:line-through">$149</span> <span>$99</span></div>',
  '<div class="price"><p>Was</p><p>$149</p><p>Now</p><p>$99</p></div>',
  '<div class="price"><del>$149</del></div><div class="price">$99</div>',
  '<del><span class="price">$149</span></del><ins><span class="price">$99</span></ins>',
  '<div class="price">$99<sup>00</sup></div>',
  '<meta class="price" content="99.00">',
])("the price is $99 in %s", price => {
  const value = { select: ".price", below: 100 };
  expect(look(`${price}<p class="price-note">x</p>`, { ...below, select: [".price", "p"] }).value).toBe(99);
  expect(look(price, { when: { value } }).value).toBe(99);
});

test("a price that is struck alone is the price", () => {
  expect(look('<p class="price"><del>$149</del></p>', below).value).toBe(149);
});

test("what is removed from the view states no price", () => {
  const price = '<div class="price"><b class="member">$89</b> $99</div>';
  expect(look(price, { ...below, remove: [".member"] }).value).toBe(99);
});

test("without a selection, a price that is struck in the text does not count", () => {
  const view: View = { remove: ["h1 + p"], when: { value: { below: 100 } } };
  expect(look("<p><del>$149</del> <b>$99</b></p>", view).value).toBe(99);
});

test("a watch with a selection alone fires when the price under the struck one falls", () => {
  const [before, after] = [
    "<p class='price'>$149</p>",
    "<p class='price'><del>$149</del> <ins>$99</ins></p>",
  ];
  const { memory } = judge(undefined, look(before, below), below, 0);
  const verdict = judge(memory, look(after, below), below, 1);
  expect([verdict.outcome, verdict.why]).toEqual(["changed", "The number fell from 149 to 99, below 100."]);
});

test.each([
  ["en", "1.299 €", "899 €"],
  ["", "€1.299", "€899"],
  ["ja", "１，２９９円", "８９９円"],
])("in `%s` %s is above 1000, and %s below", (language, before, after) => {
  const view: View = { select: [".price"], when: { value: { below: 1000 } } };
  const first = judge(undefined, look(`<p class="price">${before}</p>`, view, language), view, 0);
  const second = judge(first.memory, look(`<p class="price">${after}</p>`, view, language), view, 1);
  expect(second.change?.value).toEqual({ from: 1299, to: 899 });
});
