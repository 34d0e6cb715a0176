import { object } from "./goldens.ts";
import { address, day, rowsOf, site } from "./template.ts";

/** A page with a list, as it is and without structured data, and what is read of it. */
export interface ListPage {
  name: string;
  html: string;
  schema: Record<string, unknown>;
  json: Record<string, unknown>;
  /** JSON-LD that says the same; the page is asked with it and without it. */
  linked?: Record<string, unknown>;
}

const question = rowsOf({ "question!": "string", "answer!": "string" });
const faq = object({ faqs: question });
const answers = [
  { question: "Do you ship abroad?", answer: "Yes, within Europe. Islands take longer." },
  { question: "Can I return a kettle?", answer: "Within 30 days, unused." },
  { question: "Who pays for repairs?", answer: "We do: labour, and parts." },
];
const [first, second, third] = answers.map(({ question }) => question) as [string, string, string];
const linkedFaq = {
  "@type": "FAQPage",
  mainEntity: answers.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: `<p>${answer}</p>` },
  })),
};

const at = (path: string) => `https://site.example${path}`;

const faqs: ListPage[] = [
  {
    name: "questions under headings, answers of several paragraphs",
    schema: faq,
    json: { faqs: answers },
    linked: linkedFaq,
    html: site(
      "Help",
      `<main><h1>Help</h1><p>Write to us if your question is not here.</p><h3>${first}</h3><p>Yes, within Europe.</p><p>Islands take longer.</p><h3>${second}</h3><p>Within 30 days, unused.</p><h3>${third}</h3><p>We do:</p><ul><li>labour, and</li><li>parts.</li></ul></main>`,
    ),
  },
  {
    name: "a list of terms",
    schema: faq,
    json: { faqs: answers },
    linked: linkedFaq,
    html: site(
      "Help",
      `<main><h1>Help</h1><dl><dt>${first}</dt><dd>Yes, within Europe. Islands take longer.</dd><dt>${second}</dt><dd>Within 30 days, unused.</dd><dt>${third}</dt><dd>We do: labour, and parts.</dd></dl></main>`,
    ),
  },
  {
    name: "an accordion of buttons and panels side by side",
    schema: faq,
    json: { faqs: answers },
    html: site(
      "Help",
      `<main><h1>Help</h1><div class="_3aB1x"><button class="_9kL2m" aria-expanded="false">${first}</button><div class="_7pQ4r" hidden><p>Yes, within Europe. Islands take longer.</p></div><button class="_9kL2m">${second}</button><div class="_7pQ4r" hidden><p>Within 30 days, unused.</p></div><button class="_9kL2m">${third}</button><div class="_7pQ4r" hidden><p>We do: labour, and parts.</p></div></div></main>`,
    ),
  },
  {
    name: "an accordion of items",
    schema: faq,
    json: { faqs: answers },
    html: site(
      "Help",
      `<main><h1>Help</h1><div class="accordion">${answers.map((it, index) => `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button" aria-controls="c${index}">${it.question}</button></h2><div id="c${index}" class="accordion-collapse collapse"><div class="accordion-body">${it.answer}</div></div></div>`).join("")}</div></main>`,
    ),
  },
  {
    name: "details without a class",
    schema: faq,
    json: { faqs: answers },
    linked: linkedFaq,
    html: site(
      "Help",
      `<main><h1>Help</h1>${answers.map(it => `<details><summary>${it.question}</summary>${it.answer}</details>`).join("")}</main>`,
    ),
  },
  {
    name: "questions in bold, each in a paragraph of its own",
    schema: faq,
    json: { faqs: answers },
    html: site(
      "Help",
      `<main><h1>Help</h1><div class="rte">${answers.map(it => `<p><strong>${it.question}</strong></p><p>${it.answer}</p>`).join("")}</div></main>`,
    ),
  },
  {
    name: "questions in bold, before a line break",
    schema: faq,
    json: { faqs: answers },
    html: site(
      "Help",
      `<main><h1>Help</h1><div class="rte">${answers.map(it => `<p><b>${it.question}</b><br>${it.answer}</p>`).join("")}</div></main>`,
    ),
  },
  {
    name: "microdata",
    schema: faq,
    json: { faqs: answers },
    html: site(
      "Help",
      `<main itemscope itemtype="https://schema.org/FAQPage"><h1>Help</h1>${answers.map(it => `<div itemscope itemprop="mainEntity" itemtype="https://schema.org/Question"><span itemprop="name">${it.question}</span><div itemscope itemprop="acceptedAnswer" itemtype="https://schema.org/Answer"><div itemprop="text">${it.answer}</div></div></div>`).join("")}</main>`,
    ),
  },
  {
    name: "the questions alone, under headings",
    schema: object({ questions: { type: "array", items: { type: "string" } } }),
    json: { questions: [first, second, third] },
    linked: linkedFaq,
    html: site(
      "Help",
      `<main><h1>Help</h1><p>Write to us.</p>${answers.map(it => `<h3>${it.question}</h3><p>${it.answer}</p>`).join("")}</main>`,
    ),
  },
  {
    name: "the questions alone, in an accordion",
    schema: object({ faq_questions: { type: "array", items: { type: "string" } } }),
    json: { faq_questions: [first, second, third] },
    html: site(
      "Help",
      `<main><h1>Help</h1>${answers.map(it => `<div class="css-1x2y3z"><div class="css-8h7g6f" role="button">${it.question}</div><div class="css-5d4s3a">${it.answer}</div></div>`).join("")}</main>`,
    ),
  },
];

const plans = [
  { name: "Basic", price: 9, storage: "10 GB", support: "Mail" },
  { name: "Plus", price: 19, storage: "100 GB", support: "Chat" },
  { name: "Pro", price: 49, storage: "1 TB", support: "Phone" },
];
const planRows = object({
  plans: rowsOf({ "name!": "string", "price!": "number", storage: "string", support: "string" }),
});

const tables: ListPage[] = [
  {
    name: "a comparison, one product a row",
    schema: planRows,
    json: { plans },
    html: site(
      "Plans",
      `<main><h1>Plans</h1><table><tr><td>Open</td><td>9 to 5</td></tr></table><table><thead><tr><th>Plan</th><th>Price</th><th>Storage</th><th>Support</th></tr></thead><tbody>${plans.map(it => `<tr><th scope="row">${it.name}</th><td>$${it.price} a month</td><td>${it.storage}</td><td>${it.support}</td></tr>`).join("")}</tbody></table></main>`,
    ),
  },
  {
    name: "a comparison, one product a column",
    schema: planRows,
    json: { plans },
    html: site(
      "Plans",
      `<main><h1>Plans</h1><table class="cmp"><thead><tr><th></th>${plans.map(it => `<th>${it.name}</th>`).join("")}</tr></thead><tbody><tr><th>Price</th>${plans.map(it => `<td>$${it.price}</td>`).join("")}</tr><tr><th>Storage</th>${plans.map(it => `<td>${it.storage}</td>`).join("")}</tr><tr><th>Support</th>${plans.map(it => `<td>${it.support}</td>`).join("")}</tr></tbody></table></main>`,
    ),
  },
  {
    name: "a comparison of columns without headers",
    schema: planRows,
    json: { plans },
    html: site(
      "Plans",
      `<main><h1>Plans</h1><table><tr><td>Name</td>${plans.map(it => `<td><b>${it.name}</b></td>`).join("")}</tr><tr><td>Price</td>${plans.map(it => `<td>$${it.price}</td>`).join("")}</tr><tr><td>Storage</td>${plans.map(it => `<td>${it.storage}</td>`).join("")}</tr><tr><td>Support</td>${plans.map(it => `<td>${it.support}</td>`).join("")}</tr></table></main>`,
    ),
  },
  {
    name: "a specification, as names and values",
    schema: object({ specifications: rowsOf({ name: "string", value: "string" }) }),
    json: {
      specifications: [
        { name: "Weight", value: "2 kg" },
        { name: "Volume", value: "1.7 l" },
        { name: "Power", value: "2,200 W" },
      ],
    },
    html: site(
      "Kettle",
      `<main><h1>Kettle</h1><p>Boils fast.</p><h2>Specifications</h2><dl><dt>Weight</dt><dd>2 kg</dd><dt>Volume</dt><dd>1.7 l</dd><dt>Power</dt><dd>2,200 W</dd></dl></main>`,
    ),
  },
];

const lamps = [
  { name: "Desk lamp", price: 39.5, url: at("/p/1"), image: at("/i/1.jpg") },
  { name: "Floor lamp with shade", price: 129, url: at("/p/2"), image: at("/i/2.jpg") },
  { name: "Lantern", price: 24.95, url: at("/p/3"), image: at("/i/3.jpg") },
  { name: "Table lamp, brass", price: 89, url: at("/p/4"), image: at("/i/4.jpg") },
];
const products = object({
  products: rowsOf({ "name!": "string", "price!": "number", url: address, image: address }),
});
const linkedLamps = {
  "@type": "ItemList",
  itemListElement: lamps.map((it, index) => ({
    "@type": "ListItem",
    position: index + 1,
    item: {
      "@type": "Product",
      name: it.name,
      url: it.url,
      image: it.image,
      offers: { "@type": "Offer", price: it.price, priceCurrency: "USD" },
    },
  })),
};
const facets = `<div class="facets">${["Price", "Colour", "Room"].map(name => `<div class="facet"><h4>${name}</h4><ul><li><a href="?f=1">Under $50</a></li><li><a href="?f=2">$50 to $100</a></li><li><a href="?f=3">Over $100</a></li></ul></div>`).join("")}</div>`;

const listings: ListPage[] = [
  {
    name: "tiles whose review link comes before the name",
    schema: products,
    json: { products: lamps },
    linked: linkedLamps,
    html: site(
      "Lamps",
      `<main><h1>Lamps Under $500</h1>${facets}<ol class="products list">${lamps.map((it, index) => `<li class="item product"><div class="info"><a class="photo" href="${it.url}"><img src="${it.image}" alt="${it.name}"></a><div class="reviews-short"><a class="action" href="${it.url}#review">Be the first to review this product</a></div><strong class="name"><a class="item-link" href="${it.url}">${it.name}</a></strong><div class="price-box">${index === 1 ? `<span class="old-price"><span class="price">$150.00</span></span> ` : ""}<span class="special-price"><span class="price">$${it.price.toFixed(2)}</span></span></div><button>Add to cart</button></div></li>`).join("")}</ol></main>`,
    ),
  },
  {
    name: "tiles that are one link each, names of a build tool",
    schema: products,
    json: { products: lamps },
    html: site(
      "Lamps",
      `<main><h1>Lamps</h1>${facets}<div class="css-g1r2d3">${lamps.map((it, index) => `${index === 2 ? `<a class="css-4a5d6s" href="https://ads.example/"><span>Advertisement</span><img src="/ad.jpg"></a>` : ""}<a class="css-t7i8l9" href="${it.url}"><div class="css-0p1h2o"><img src="${it.image}" alt=""></div><div class="css-3t4e5x"><div class="css-6n7a8m">${it.name}</div><div class="css-9p0r1c">$${it.price.toFixed(2)}</div></div></a>`).join("")}</div></main>`,
    ),
  },
  {
    name: "a table of tiles",
    schema: products,
    json: { products: lamps },
    html: site(
      "Lamps",
      `<main><h1>Lamps</h1><table class="layout"><tbody><tr>${lamps
        .slice(0, 2)
        .map(
          it =>
            `<td><a href="${it.url}"><img src="${it.image}"></a><br><a href="${it.url}">${it.name}</a><br>$${it.price.toFixed(2)}</td>`,
        )
        .join("")}</tr><tr>${lamps
        .slice(2)
        .map(
          it =>
            `<td><a href="${it.url}"><img src="${it.image}"></a><br><a href="${it.url}">${it.name}</a><br>$${it.price.toFixed(2)}</td>`,
        )
        .join("")}</tr></tbody></table></main>`,
    ),
  },
  {
    name: "a list of names asked beside filters and navigation",
    schema: object({ products: rowsOf({ "name!": "string", url: address }) }),
    json: { products: lamps.map(({ name, url }) => ({ name, url })) },
    html: site(
      "Lamps",
      `<div class="wrap"><div class="left">${facets}</div><main><h1>Lamps</h1><div class="grid">${lamps.map(it => `<div class="cell"><a href="${it.url}"><img src="${it.image}"></a><div class="caption"><a href="${it.url}">${it.name}</a></div><div class="cost">$${it.price}</div></div>`).join("")}</div></main></div>`,
    ),
  },
];

const posts = [
  { author: "fern", date: "2025-03-02", text: "Which moss is this? I found it on a north wall." },
  {
    author: "oakley",
    date: "2025-03-03",
    text: "Looks like Bryum to me. Do you have a photo of the capsules?",
  },
  { author: "fern", date: "2025-03-05", text: "Not yet, I will go back on Sunday." },
];
const thread = object({ posts: rowsOf({ "author!": "string", date: day, "text!": "string" }) });

const threads: ListPage[] = [
  {
    name: "a thread of table rows",
    schema: thread,
    json: { posts },
    linked: {
      "@type": "DiscussionForumPosting",
      headline: "Which moss?",
      author: { "@type": "Person", name: "fern" },
    },
    html: site(
      "Moss",
      `<main><h1>Which moss?</h1>${posts.map((it, index) => `<table class="tborder" id="post${90210 + index}"><tr><td class="thead">${it.date.split("-").reverse().join(".")}, 10:15</td></tr><tr><td class="alt2"><a class="bigusername" href="/member/${it.author}">${it.author}</a> <div class="smallfont">Senior Member</div><div class="smallfont">Posts: ${index * 17 + 40}</div></td></tr><tr><td class="alt1"><div class="post_message">${it.text}</div></td></tr></table>`).join("")}</main>`,
    ),
  },
  {
    name: "a thread without a telling name",
    schema: thread,
    json: { posts },
    html: site(
      "Moss",
      `<main><h1>Which moss?</h1><div class="css-1">${posts.map((it, index) => `<div class="css-a1b2c3"><div class="css-d4e5f6"><a href="/users/${it.author}"><img src="/a/${index}.png" alt=""></a><a href="/users/${it.author}">${it.author}</a><span>·</span><time datetime="${it.date}T10:00:00Z">${index + 2} months ago</time></div><div class="css-g7h8i9"><p>${it.text.split(/(?<=[.?]) /).join("</p><p>")}</p></div><div class="css-j0k1l2"><button>Reply</button><button>Share</button></div></div>`).join("")}</div></main>`,
    ),
  },
  {
    name: "comments below an article",
    schema: object({ comments: rowsOf({ "author!": "string", date: day, "text!": "string" }) }),
    json: { comments: posts },
    html: site(
      "Moss",
      `<main><article><h1>Moss on walls</h1><p class="by">By Ada Winter</p><p>Walls that face north stay wet for longer.</p><p>That is where moss begins.</p></article><section id="comments"><h2>3 comments</h2><ol class="comment-list">${posts.map(it => `<li class="comment"><div class="comment-author vcard"><b class="fn">${it.author}</b> <span class="says">says:</span></div><div class="comment-metadata"><time datetime="${it.date}T08:00:00+00:00">${it.date}</time></div><div class="comment-content"><p>${it.text}</p></div><div class="reply"><a href="#r">Reply</a></div></li>`).join("")}</ol></section></main>`,
    ),
  },
];

const things: ListPage[] = [
  {
    name: "a dish, plain headings",
    schema: object({
      name: "string",
      "ingredients!": { type: "array", items: { type: "string" } },
      "instructions!": { type: "array", items: { type: "string" } },
      prep_time: "string",
      yield: "string",
    }),
    json: {
      name: "Leek soup",
      ingredients: ["3 leeks", "1 l stock", "salt"],
      instructions: ["Wash and slice the leeks.", "Simmer them in the stock for 20 minutes."],
      prep_time: "10 minutes",
      yield: "4 bowls",
    },
    html: site(
      "Leek soup",
      `<main><h1>Leek soup</h1><p>Prep time: 10 minutes<br>Cook time: 20 minutes</p><p>Yield: 4 bowls</p><h2>What you need</h2><h3>Ingredients</h3><ul><li>3 leeks</li><li>1 l stock</li><li>salt</li></ul><h3>Instructions</h3><p>Wash and slice the leeks.</p><p>Simmer them in the stock for 20 minutes.</p><h3>Notes</h3><p>Keeps for two days.</p></main>`,
    ),
  },
  {
    name: "a dish of a plug-in",
    schema: object({
      name: "string",
      "ingredients!": { type: "array", items: { type: "string" } },
      "steps!": { type: "array", items: { type: "string" } },
      cook_time: "string",
      servings: "string",
    }),
    json: {
      name: "Bean stew",
      ingredients: ["200 g beans", "2 onions", "1 tsp paprika"],
      steps: ["Soak the beans overnight.", "Cook everything until soft."],
      cook_time: "1 hour",
      servings: "6",
    },
    linked: {
      "@type": "Recipe",
      name: "Bean stew",
      recipeIngredient: ["200 g beans", "2 onions", "1 tsp paprika"],
      recipeInstructions: [
        { "@type": "HowToStep", text: "Soak the beans overnight." },
        { "@type": "HowToStep", text: "Cook everything until soft." },
      ],
      cookTime: "1 hour",
      recipeYield: "6",
    },
    html: site(
      "Bean stew",
      `<main><article><h1>Bean stew</h1><p>My aunt made it every Friday.</p><div class="rcp-card"><h2 class="rcp-name">Bean stew</h2><div class="rcp-meta"><span class="rcp-label">Cook time</span><span class="rcp-time">1 hour</span><span class="rcp-label">Servings</span><span class="rcp-servings">6</span></div><h3>Ingredients</h3><div class="rcp-group"><ul class="rcp-ingredients"><li class="rcp-ingredient"><span>200</span> <span>g</span> <span>beans</span></li><li class="rcp-ingredient"><span>2</span> <span>onions</span></li><li class="rcp-ingredient"><span>1</span> <span>tsp</span> <span>paprika</span></li></ul></div><h3>Directions</h3><div class="rcp-group"><ol class="rcp-steps"><li>Soak the beans overnight.</li><li>Cook everything until soft.</li></ol></div></div></article></main>`,
    ),
  },
  {
    name: "events under headings of days",
    schema: object({
      events: rowsOf({ "name!": "string", start: day, location: "string", price: "number" }),
    }),
    json: {
      events: [
        { name: "Jazz night", start: "2025-05-02", location: "Mill Hall", price: 12 },
        { name: "Clay workshop", start: "2025-05-04", location: "Kiln House", price: 35 },
        { name: "Poetry walk", start: "2025-05-09", location: "Quay Street", price: 5 },
      ],
    },
    html: site(
      "Events",
      `<main><h1>Events</h1><div class="mec-x1">${[
        ["Jazz night", "2 May 2025", "Mill Hall", 12],
        ["Clay workshop", "4 May 2025", "Kiln House", 35],
        ["Poetry walk", "9 May 2025", "Quay Street", 5],
      ]
        .map(
          ([name, when, where, cost]) =>
            `<div class="ev-a9"><h3><a href="/e">${name}</a></h3><ul><li>When: ${when}</li><li>Venue: ${where}</li><li>Tickets: $${cost}</li></ul></div>`,
        )
        .join("")}</div></main>`,
    ),
  },
  {
    name: "jobs in a table without telling names",
    schema: object({
      jobs: rowsOf({
        "title!": "string",
        company: "string",
        location: "string",
        salary: "string",
        date_posted: day,
      }),
    }),
    json: {
      jobs: [
        {
          title: "Night baker",
          company: "Hearthline",
          location: "Ghent",
          salary: "€31,000",
          date_posted: "2025-02-03",
        },
        {
          title: "Signal fitter",
          company: "Norvik",
          location: "Tampere",
          salary: "€36,500",
          date_posted: "2025-02-10",
        },
      ],
    },
    html: site(
      "Jobs",
      `<main><h1>Jobs</h1><table><tr><th>Position</th><th>Employer</th><th>City</th><th>Salary</th><th>Posted</th></tr><tr><td><a href="/j/1">Night baker</a></td><td>Hearthline</td><td>Ghent</td><td>€31,000</td><td>3 February 2025</td></tr><tr><td><a href="/j/2">Signal fitter</a></td><td>Norvik</td><td>Tampere</td><td>€36,500</td><td>10 February 2025</td></tr></table></main>`,
    ),
  },
];

export const listPages: ListPage[] = [...faqs, ...tables, ...listings, ...threads, ...things];
