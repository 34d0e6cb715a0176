import { array } from "./goldens.ts";
import {
  address,
  day,
  days,
  each,
  given,
  makers,
  people,
  pick,
  sentences,
  site,
  spelled,
  type Template,
  template,
  things,
  times,
  towns,
} from "./template.ts";

const promo = `<div class="promo-box"><h2>Spring sale</h2><p>Everything from <span class="price">$5.00</span></p></div>`;
const related = (page: number) =>
  `<section class="related-products"><h2>You may also like</h2>${each(
    times(3, index => pick(things, page + 5 + index)),
    (name, index) =>
      `<div class="card"><a href="/p/r${index}">${name}</a><span class="price">$${12 + index}.00</span></div>`,
  )}</section>`;

const product = (page: number) => ({
  name: pick(things, page),
  price: [49, 129.5, 1249, 18.95, 75][page],
  brand: pick(makers, page),
  sku: `FH-${210 + page * 37}`,
});

/** Templates whose pages are about one thing. */
export const templatesOfThings: Template[] = [
  template(
    "a product, classes that tell",
    {
      "name!": "string",
      "price!": "number",
      old_price: "number",
      brand: "string",
      sku: "string",
      weight: "string",
    },
    page => ({
      ...product(page),
      old_price: page % 2 === 0 ? ([59, 0, 1399, 0, 90][page] as number) : undefined,
      weight: page === 3 ? undefined : `${page + 1}.5 kg`,
    }),
    (it, page) =>
      site(
        it.name,
        `<main>${page > 2 ? promo : ""}<div class="product-detail"><h1 class="product-detail__title">${it.name}</h1>
<p class="product-detail__vendor">Brand: <a href="/b">${it.brand}</a></p><div class="product-detail__prices">${given(it.old_price, old => `<span class="price price--was">$${old}.00</span>`)}<span class="price price--current">$${it.price?.toLocaleString("en-US", { minimumFractionDigits: 2 })}</span></div>
<p>${pick(sentences, page)}</p><table class="specs">${page === 1 ? "<tr><th>Origin</th><td>Portugal</td></tr>" : ""}<tr><th>SKU</th><td>${it.sku}</td></tr>${given(it.weight, weight => `<tr><th>Weight</th><td>${weight}</td></tr>`)}<tr><th>Colour</th><td>Teal</td></tr></table></div>${page > 2 ? "" : promo}${related(page)}</main>`,
      ),
  ),
  template(
    "a product, names of a build tool",
    {
      "title!": "string",
      "price!": "number",
      brand: "string",
      sku: "string",
      color: "string",
      description: "string",
    },
    page => ({
      title: pick(things, page),
      price: product(page).price,
      brand: page === 2 ? undefined : pick(makers, page),
      sku: product(page).sku,
      color: pick(["Teal", "Rust", "Ivory"], page),
      description: pick(sentences, page),
    }),
    (it, page) =>
      site(
        it.title,
        `<main class="css-1k9xq2z"><div class="css-8f3j2k">${page % 2 ? `<div class="css-77ab3c"><p>Free delivery over $50</p></div>` : ""}<div class="css-x02m4n"><img src="/i/${page}.jpg" alt=""></div>
<div class="css-p9q8r7"><h1 class="css-0a1b2c">${it.title}</h1><div class="css-4d5e6f"><span class="css-7g8h9i">$${it.price?.toFixed(2)}</span></div><p class="css-3m4n5o">${it.description}</p>
<dl class="css-5t6u7v">${given(it.brand, brand => `<div><dt>Brand</dt><dd>${brand}</dd></div>`)}<div><dt>Item number</dt><dd>${it.sku}</dd></div><div><dt>Colour</dt><dd>${it.color}</dd></div></dl><button>Add to basket</button></div></div>${related(page)}</main>`,
      ),
  ),
  template(
    "a product with JSON-LD",
    {
      "name!": "string",
      "price!": "number",
      currency: "string",
      brand: "string",
      rating: "number",
      review_count: "integer",
      image: address,
    },
    page => ({
      name: product(page).name,
      price: product(page).price,
      currency: "GBP",
      brand: product(page).brand,
      rating: page === 1 ? undefined : 3.5 + page / 4,
      review_count: page === 1 ? undefined : 12 + page,
      image: `https://site.example/i/${page}.jpg`,
    }),
    (it, page) =>
      site(
        it.name,
        `<main><h1>${it.name}</h1>${related(page)}</main>`,
        `<script type="application/ld+json">${JSON.stringify({ "@type": "BreadcrumbList", itemListElement: [] })}</script><script type="application/ld+json">${JSON.stringify(
          {
            "@context": "https://schema.org",
            "@type": "Product",
            name: it.name,
            image: [`/i/${page}.jpg`, "/i/x.jpg"],
            brand: page % 2 ? it.brand : { "@type": "Brand", name: it.brand },
            ...(it.rating === undefined
              ? {}
              : {
                  aggregateRating: {
                    "@type": "AggregateRating",
                    ratingValue: String(it.rating),
                    reviewCount: it.review_count,
                  },
                }),
            offers:
              page > 2
                ? [{ "@type": "Offer", price: it.price, priceCurrency: "GBP" }]
                : { "@type": "Offer", price: String(it.price), priceCurrency: "GBP" },
          },
        )}</script>`,
      ),
  ),
  template(
    "a product, utility classes",
    {
      "name!": "string",
      "price!": "number",
      brand: "string",
      material: "string",
      warranty: "string",
      in_stock: "boolean",
    },
    page => ({
      name: product(page).name,
      price: product(page).price,
      brand: product(page).brand,
      material: pick(["Copper", "Linen", "Walnut"], page),
      warranty: page === 4 ? undefined : `${page + 2} years`,
      in_stock: page % 2 === 0,
    }),
    (it, page) =>
      site(
        it.name,
        `<main class="mx-auto max-w-7xl px-4">${page === 1 ? `<div class="flex mb-4 p-2"><p class="text-sm">Only today: code SPRING</p></div>` : ""}<div class="grid grid-cols-2 gap-8"><div class="flex flex-col"><img class="rounded-lg" src="/i/${page}.jpg"></div>
<div class="flex flex-col gap-4"><h1 class="text-3xl font-bold tracking-tight">${it.name}</h1><p class="text-2xl text-gray-900">€${it.price?.toFixed(2)}</p><div class="flex gap-2 text-sm"><span class="font-medium">Availability:</span> <span>${it.in_stock ? "In stock" : "Sold out"}</span></div>
<div class="grid grid-cols-2 text-sm"><div class="text-gray-500">Brand</div><div class="text-gray-900">${it.brand}</div>${page === 2 ? `<div class="text-gray-500">Care</div><div class="text-gray-900">Wipe clean</div>` : ""}<div class="text-gray-500">Material</div><div class="text-gray-900">${it.material}</div>${given(it.warranty, years => `<div class="text-gray-500">Warranty</div><div class="text-gray-900">${years}</div>`)}</div></div></div></main>`,
      ),
  ),
  template(
    "a news article",
    {
      "headline!": "string",
      author: "string",
      "date_published!": day,
      section: "string",
      tags: array("string"),
    },
    page => ({
      headline: `${pick(towns, page)} ${pick(["opens its first tram line", "plants a thousand trees", "votes on the harbour"], page)}`,
      author: page === 3 ? undefined : pick(people, page),
      date_published: pick(days, page),
      section: pick(["Local", "Climate", "Politics"], page),
      tags: times(1 + (page % 3), index =>
        pick(["trams", "trees", "budget", "harbour", "schools"], page, index),
      ),
    }),
    (it, page) =>
      site(
        it.headline,
        `<main><div class="breaking"><span class="label">Live</span> <a href="/live">Storm reaches the coast</a></div><article class="story"><p class="story-section">${it.section}</p><h1 class="story-headline">${it.headline}</h1><div class="story-meta">${given(it.author, author => `<span class="byline">By <a class="author-name" href="/a/${page}">${author}</a></span>`)}<time class="published" datetime="${it.date_published}T08:00:00Z">${spelled(it.date_published)}</time></div>
<figure><img src="/n/${page}.jpg"><figcaption>Photo: Agency</figcaption></figure>${each(
          times(2 + page, index => pick(sentences, page, index)),
          text => `<p>${text}</p>`,
        )}<ul class="story-tags">${each(it.tags, tag => `<li><a href="/t/${tag}">${tag}</a></li>`)}</ul></article>
<aside class="most-read"><h2>Most read</h2><ol><li><a href="/1">Bridge closed</a> <time datetime="2023-01-01">1 Jan 2023</time></li></ol></aside></main>`,
      ),
  ),
  template(
    "a blog post with one line of facts",
    { "title!": "string", author: "string", date: day, content: "string" },
    page => ({
      title: `Notes on ${pick(things, page).toLowerCase()}s`,
      author: pick(people, page),
      date: pick(days, page),
      content: times(2 + (page % 2), index => pick(sentences, page, index)).join(" "),
    }),
    (it, page) =>
      site(
        it.title,
        `<div id="content"><div class="hentry"><h1 class="entry-title">${it.title}</h1><p class="entry-meta">By <span class="vcard">${it.author}</span> on <span class="entry-date">${spelled(it.date)}</span></p><div class="entry-content"><p>${times(2 + (page % 2), index => pick(sentences, page, index)).join("</p><p>")}</p></div></div>${page % 2 ? `<div class="subscribe"><h2>Join the list</h2></div>` : ""}<div id="comments"><h2>${page} comments</h2>${each(
          times(page, index => pick(people, page, index + 1)),
          name => `<div class="comment"><cite>${name}</cite><p>Good one.</p></div>`,
        )}</div></div>`,
      ),
  ),
  template(
    "a dish",
    {
      "name!": "string",
      "ingredients!": array("string"),
      "steps!": array("string"),
      prep_time: "string",
      cook_time: "string",
      servings: "string",
    },
    page => ({
      name: pick(["Leek Soup", "Bean Stew", "Plum Cake", "Rye Bread", "Fish Pie"], page),
      ingredients: times(3 + (page % 3), index =>
        pick(["2 leeks", "1 l stock", "salt", "200 g beans", "3 plums", "500 g rye"], page, index),
      ),
      steps: times(
        2 + (page % 2),
        index => `${pick(["Chop", "Boil", "Fold", "Bake"], page, index)} for ${index + 5} minutes.`,
      ),
      prep_time: `${10 + page * 5} min`,
      cook_time: page === 2 ? undefined : `${20 + page} min`,
      servings: `${2 + page}`,
    }),
    (it, page) =>
      site(
        it.name,
        `<main><h1>${it.name}</h1><p>${pick(sentences, page)}</p>${page % 2 ? `<div class="x1"><h3>Cookbook</h3><ul><li>Order now</li><li>Gift wrap</li></ul></div>` : ""}<ul class="x2"><li><b>Prep time:</b> ${it.prep_time}</li>${given(it.cook_time, time => `<li><b>Cook time:</b> ${time}</li>`)}<li><b>Serves:</b> ${it.servings}</li></ul>
<h2>Ingredients</h2><ul>${each(it.ingredients, text => `<li>${text}</li>`)}</ul><h2>Method</h2><ol>${each(it.steps, text => `<li>${text}</li>`)}</ol><h2>Tips</h2><ul><li>Serve warm.</li></ul></main>`,
      ),
  ),
  template(
    "an event",
    { "name!": "string", "start!": day, venue: "string", price: "number", organizer: "string" },
    page => ({
      name: `${pick(["Jazz", "Clay", "Poetry", "Bread"], page)} evening ${page + 1}`,
      start: pick(days, page),
      venue: `${pick(towns, page)} Hall`,
      price: page === 1 ? undefined : 8 + page,
      organizer: pick(people, page),
    }),
    (it, page) =>
      site(
        it.name,
        `<main><div class="banner">${page > 2 ? "Doors open early this week" : ""}</div><h1>${it.name}</h1><dl class="facts"><dt>Date</dt><dd>${spelled(it.start)}</dd>${page % 2 ? "<dt>Doors</dt><dd>19:00</dd>" : ""}<dt>Venue</dt><dd>${it.venue}</dd>${given(it.price, price => `<dt>Tickets</dt><dd>from €${price}.00</dd>`)}<dt>Organiser</dt><dd>${it.organizer}</dd></dl><p>${pick(sentences, page)}</p></main>`,
      ),
  ),
  template(
    "a job",
    {
      "title!": "string",
      company: "string",
      location: "string",
      salary: "string",
      date_posted: day,
      employment_type: "string",
    },
    page => ({
      title: pick(["Data Engineer", "Gardener", "Night Baker", "Signal Fitter", "Archivist"], page),
      company: pick(makers, page),
      location: pick(towns, page),
      salary: page === 3 ? undefined : `€${32 + page},000 per year`,
      date_posted: pick(days, page),
      employment_type: page % 2 ? "Part time" : "Full time",
    }),
    (it, page) =>
      site(
        it.title,
        `<main><section class="vacancy"><h1>${it.title}</h1><div class="vacancy__company">${it.company}</div><ul class="vacancy__facts"><li>Location: ${it.location}</li>${given(it.salary, salary => `<li>Salary: ${salary}</li>`)}<li>Employment type: ${it.employment_type}</li><li>Posted: ${spelled(it.date_posted)}</li></ul><h2>Your tasks</h2><ul>${each(
          times(2 + page, index => pick(sentences, page, index)),
          text => `<li>${text}</li>`,
        )}</ul></section><aside class="sidebar"><h2>Other jobs</h2><div class="vacancy__company">Elsewhere</div></aside></main>`,
      ),
  ),
  template(
    "a house for sale",
    {
      "address!": "string",
      "price!": "number",
      bedrooms: "integer",
      bathrooms: "integer",
      floor_area: "string",
      agent: "string",
    },
    page => ({
      address: `${3 + page} ${pick(["Mill Lane", "Quay Street", "Orchard Road"], page)}, ${pick(towns, page)}`,
      price: 240_000 + page * 31_500,
      bedrooms: 2 + (page % 3),
      bathrooms: page === 2 ? undefined : 1 + (page % 2),
      floor_area: `${70 + page * 11} m²`,
      agent: pick(people, page),
    }),
    (it, page) =>
      site(
        it.address,
        `<main><div class="gallery"><img src="/h/${page}.jpg"></div><h1 class="listing-address">${it.address}</h1><p class="listing-price">£${it.price.toLocaleString("en-US")}</p>${page > 1 ? `<p class="note">Reduced this week</p>` : ""}<div class="facts"><div class="fact"><span class="fact-label">Bedrooms</span><span class="fact-value">${it.bedrooms}</span></div>${given(it.bathrooms, count => `<div class="fact"><span class="fact-label">Bathrooms</span><span class="fact-value">${count}</span></div>`)}<div class="fact"><span class="fact-label">Floor area</span><span class="fact-value">${it.floor_area}</span></div></div><div class="contact"><h3>Agent</h3><p>${it.agent}</p><a href="tel:+44123${page}">Call</a></div></main>`,
      ),
  ),
];
