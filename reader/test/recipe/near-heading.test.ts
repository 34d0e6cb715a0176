import { applyRecipe } from "../../recipe/apply-recipe.ts";
import { discoverRecipe } from "../../recipe/discover-recipe.ts";
import { parsePage } from "../../recipe/parse-page.ts";
import { object, pageUrl } from "./goldens.ts";

function find(html: string, properties: Parameters<typeof object>[0]): unknown {
  const page = parsePage(html, pageUrl);
  const recipe = discoverRecipe(page, { schema: object(properties) });
  return recipe && applyRecipe(page, recipe);
}

const prose = "<p>The water comes back twice a day, and with it everything that lives from it.</p>".repeat(6);

const article = `<html lang="en"><head><title>Tides return to the estuary - The Shore</title></head>
<body class="page has-sidebar"><header><h1 class="logo">The Shore</h1><nav><a href="/a">About</a></nav></header>
<div class="wrap"><div class="x1"><h1>Tides return to the estuary</h1>
<div class="x2"><span>By <a href="/people/ada">Ada Byron</a></span><span>Updated: March 3, 2024</span>
<span>Published: February 27, 2024</span></div>${prose}<p>It cost <b>$400</b> in all, which the harbour paid from what
it takes of the boats that lie there over the winter, and from gifts of the people who live at the shore.</p></div>
<div class="sidebar"><h3>Related</h3><span class="author">Tom Hale</span><time datetime="2021-01-01">old</time></div>
</div></body></html>`;

const shop = `<html lang="en"><head><title>Northwind Kettle 1.7 l | Kitchen Shed</title></head><body>
<nav class="breadcrumbs"><a href="/kettles">Kettles</a> <a href="/brand/northwind">Northwind</a></nav>
<main><h1>Northwind Kettle 1.7 l</h1><div aria-label="Rated 4.6 out of 5 stars"></div><a href="#r">1,024 reviews</a>
<p class="cost"><span class="old">$59.00</span> <span><span>$</span>44<sup>99</sup></span></p>
<span>or 4 payments of $11.25</span><p>SKU: NW-17 Category: Kettles</p>
<h2>Buy together</h2><div><h3>Descaler</h3><span class="price">$5.00</span></div></main></body></html>`;

test("an article without names that tell anything: who wrote it, and when it was published", () => {
  const wanted = { title: "string", author: "string", date_published: { type: "string", format: "date" } };
  expect(find(article, wanted)).toEqual({
    title: "Tides return to the estuary",
    author: "Ada Byron",
    date_published: "2024-02-27",
  });
});

test("a product without structured data: the current price, the rating and not the count, one code", () => {
  const wanted = {
    ...{ name: "string", price: "number", currency: "string", brand: "string" },
    ...{ sku: "string", rating: "number" },
  };
  expect(find(shop, wanted)).toEqual({
    ...{ name: "Northwind Kettle 1.7 l", price: 44.99, currency: "$", brand: "Northwind" },
    ...{ sku: "NW-17", rating: 4.6 },
  });
});

test("what an article does not have is not made up of its prose and its author", () => {
  const wanted = { price: "number", brand: "string", rating: "number", sku: "string", gtin: "string" };
  expect(find(article, wanted)).toBeNull();
});

test("the document's title is the title where no heading repeats it", () => {
  const page = article.replace("<h1>Tides return to the estuary</h1>", "<p>Twice a day</p>");
  expect(find(page, { title: "string" })).toEqual({ title: "Tides return to the estuary" });
});

test("an element that holds most of the page is no frame, whatever its class", () => {
  const page = article.replace('class="wrap"', 'class="with-sidebar related"');
  expect(find(page, { author: "string" })).toEqual({ author: "Ada Byron" });
});
