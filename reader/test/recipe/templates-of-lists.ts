import {
  address,
  day,
  days,
  each,
  given,
  makers,
  people,
  pick,
  rowsOf,
  sentences,
  site,
  spelled,
  type Template,
  template,
  things,
  times,
  towns,
} from "./template.ts";

const at = (path: string) => `https://site.example${path}`;
const money = (page: number, index: number) => 10 + page * 7 + index * 3.5;

const filters = `<aside class="filters"><h2>Filter</h2><div class="facet"><h3>Price</h3><ul><li><label><input type="checkbox"> Under $25</label></li><li><label><input type="checkbox"> $25 to $50</label></li></ul></div><div class="facet"><h3>Colour</h3><ul><li><a href="?c=1">Teal (12)</a></li><li><a href="?c=2">Rust (4)</a></li></ul></div></aside>`;

const tiles = (page: number) =>
  times(4 + page, index => ({
    name: pick(things, page * 2, index + 1),
    price: money(page, index),
    url: at(`/p/${page}-${index}`),
  }));

/** Templates whose pages hold a list. */
export const templatesOfLists: Template[] = [
  template(
    "tiles, with filters and an advertisement",
    { products: rowsOf({ "name!": "string", "price!": "number", url: address, image: address }) },
    page => ({ products: tiles(page).map((it, index) => ({ ...it, image: at(`/i/${page}-${index}.jpg`) })) }),
    ({ products }, page) =>
      site(
        "Kitchen",
        `<div class="layout">${filters}<main><h1>Kitchen</h1>${page > 2 ? `<div class="banner"><a href="/gift"><img src="/g.jpg"></a><h3>Gift cards</h3><span class="price">from $10.00</span></div>` : ""}<ul class="product-grid">${each(products, (it, index) => `${index === 2 ? `<li class="product-grid__item product-grid__item--ad"><a href="https://ads.example/"><img src="/ad.jpg"></a><p>Sponsored</p></li>` : ""}<li class="product-grid__item"><a class="tile" href="${it.url}"><img src="${it.image}" alt="${it.name}"><h3 class="tile__name">${it.name}</h3></a>${index % 3 === 1 ? `<s class="tile__price tile__price--old">$${it.price + 9}</s>` : ""}<span class="tile__price">$${it.price.toFixed(2)}</span><a class="tile__reviews" href="#r">${index % 2 ? "Be the first to review" : `${index + 3} reviews`}</a></li>`)}</ul><nav class="pages"><a href="?p=2">2</a><a href="?p=3">3</a></nav></main></div>`,
      ),
  ),
  template(
    "tiles, utility classes",
    { items: rowsOf({ "title!": "string", price: "number", link: address }) },
    page => ({
      items: tiles(page).map(({ name, price, url }, index) => ({
        title: name,
        ...(page === 3 && index === 1 ? {} : { price }),
        link: url,
      })),
    }),
    ({ items }, page) =>
      site(
        "Shop",
        `<main class="mx-auto px-4"><div class="flex justify-between"><h1 class="text-4xl font-bold">Shop</h1><div class="flex gap-2">${each(["All", "New", "Sale"], name => `<a class="rounded px-2" href="/${name}">${name}</a>`)}</div></div>${page % 2 ? `<div class="p-4 rounded bg-amber-50"><p class="text-sm">Save up to $20 this week</p></div>` : ""}<div class="grid grid-cols-3 gap-6">${each(items, (it, index) => `<div class="relative flex flex-col"><a class="block" href="${it.link}"><img class="rounded" src="/i/${index}.jpg" alt=""></a><div class="mt-2 flex justify-between"><a class="text-sm text-gray-700" href="${it.link}">${it.title}</a>${given(it.price, price => `<p class="text-sm font-medium text-gray-900">$${price.toFixed(2)}</p>`)}</div></div>`)}</div></main>`,
      ),
  ),
  template(
    "headlines of a news site",
    { stories: rowsOf({ "headline!": "string", url: address, date: day, teaser: "string" }) },
    page => ({
      stories: times(3 + page, index => ({
        headline: `${pick(towns, page, index)} ${pick(["counts its swallows", "repairs the pier", "cuts bus fares"], page, index)}`,
        url: at(`/n/${page}${index}`),
        date: pick(days, page, index),
        ...(index === 1 ? {} : { teaser: pick(sentences, page, index) }),
      })),
    }),
    ({ stories }, page) =>
      site(
        "News",
        `<main><section class="top">${each(stories, (it, index) => `${page === index ? `<div class="widget"><h2>Weather</h2><p>12 degrees and rain until noon.</p></div>` : ""}<article class="teaser"><h2 class="teaser-title"><a href="${it.url}">${it.headline}</a></h2><time datetime="${it.date}">${spelled(it.date)}</time>${given(it.teaser, text => `<p class="teaser-text">${text}</p>`)}</article>`)}</section></main><aside><h2>Most read</h2><ol>${each([1, 2, 3, 4, 5, 6], rank => `<li><a href="/m/${rank}">Story ${rank}</a></li>`)}</ol></aside>`,
      ),
  ),
  template(
    "a forum thread, classes that tell",
    { title: "string", posts: rowsOf({ "author!": "string", date: day, "text!": "string" }) },
    page => ({
      title: `Which ${pick(things, page).toLowerCase()}?`,
      posts: times(3 + page, index => ({
        author: pick(people, page, index).split(" ")[0],
        date: pick(days, page, index),
        text: pick(sentences, page, index + 2),
      })),
    }),
    ({ title, posts }) =>
      site(
        title,
        `<main><h1 class="topic-title">${title}</h1><div class="topic">${each(posts, (it, index) => `<div class="post" id="p${4000 + index}"><div class="post-side"><a class="post-author" href="/u/${index}">${it.author}</a><p class="rank">Member</p><p>Posts: ${index * 31 + 2}</p></div><div class="post-main"><p class="post-date">${spelled(it.date)}</p><div class="post-text"><p>${it.text}</p></div>${index % 2 ? `<div class="signature">Measure twice.</div>` : ""}<a href="#reply">Reply</a></div></div>`)}</div><div class="similar"><h2>Similar topics</h2><ul><li><a href="/t/1">Other kettles</a></li><li><a href="/t/2">Rust</a></li></ul></div></main>`,
      ),
  ),
  template(
    "a forum thread, names of a build tool",
    { posts: rowsOf({ "author!": "string", date: day, "text!": "string" }) },
    page => ({
      posts: times(3 + (page % 3), index => ({
        author: pick(people, page, index).toLowerCase().replace(" ", "_"),
        date: pick(days, page, index),
        text: `${pick(sentences, page, index)} ${pick(sentences, page, index + 1)}`,
      })),
    }),
    ({ posts }, page) =>
      site(
        "Thread",
        `<main><h1>Thread ${page}</h1><div class="_1aB2c">${each(posts, (it, index) => `<article class="_9xY8z"><header class="_3dE4f"><img src="/u/${index}.png" alt=""><a class="_5gH6i" href="/user/${it.author}">${it.author}</a><time class="_7jK8l" datetime="${it.date}T10:00:00Z">${index + 1}d</time></header><div class="_2mN3o"><p>${it.text}</p></div><footer class="_4pQ5r"><button>Like</button><span>${index}</span></footer></article>`)}</div></main>`,
      ),
  ),
  template(
    "questions in details",
    { faqs: rowsOf({ "question!": "string", "answer!": "string" }) },
    page => ({
      faqs: times(3 + page, index => ({
        question: `${pick(["Do you ship to", "Is there a shop in", "Who repairs it in"], page, index)} ${pick(towns, page, index)}?`,
        answer: pick(sentences, page, index),
      })),
    }),
    ({ faqs }) =>
      site(
        "Help",
        `<main><h1>Help</h1><details><summary>Contents</summary><ul><li>Orders</li></ul></details><section class="css-1z2y3x">${each(faqs, it => `<details class="css-9q8w7e"><summary>${it.question}</summary><div><p>${it.answer}</p></div></details>`)}</section><p>Nothing found? <a href="/contact">Write to us</a></p></main>`,
      ),
  ),
  template(
    "questions under headings",
    { questions: rowsOf({ "question!": "string", "answer!": "string" }) },
    page => ({
      questions: times(3 + page, index => ({
        question: `How do I clean a ${pick(things, page, index).toLowerCase()}?`,
        answer: pick(sentences, page, index),
      })),
    }),
    ({ questions }, page) =>
      site(
        "Questions",
        `<main><h1>Questions</h1><p>${pick(sentences, page)}</p><div class="text">${each(questions, it => `<h3>${it.question}</h3><p>${it.answer}</p>`)}</div></main>`,
      ),
  ),
  template(
    "a table of products",
    { products: rowsOf({ "name!": "string", price: "number", weight: "string", brand: "string" }) },
    page => ({
      products: times(2 + page, index => ({
        name: pick(things, page, index),
        price: money(page, index),
        ...(index === 1 ? {} : { weight: `${index + 1} kg` }),
        brand: pick(makers, page, index),
      })),
    }),
    ({ products }, page) =>
      site(
        "Compare",
        `<main><h1>Compare</h1>${page % 2 ? `<table class="hours"><tr><th>Day</th><th>Open</th></tr><tr><td>Monday</td><td>9 to 5</td></tr><tr><td>Sunday</td><td>closed</td></tr></table>` : ""}<div class="scroll"><table class="compare"><thead><tr><th>Product</th>${page > 2 ? "<th>Stars</th>" : ""}<th>Price</th><th>Weight</th><th>Brand</th></tr></thead><tbody>${each(products, (it, index) => `<tr><td><a href="/p/${index}">${it.name}</a></td>${page > 2 ? "<td>4</td>" : ""}<td>$${it.price.toFixed(2)}</td><td>${it.weight ?? ""}</td><td>${it.brand}</td></tr>`)}</tbody></table></div></main>`,
      ),
  ),
  template(
    "a board of jobs",
    {
      jobs: rowsOf({
        "title!": "string",
        company: "string",
        location: "string",
        salary: "string",
        url: address,
      }),
    },
    page => ({
      jobs: times(3 + page, index => ({
        title: pick(["Data Engineer", "Gardener", "Night Baker", "Signal Fitter", "Archivist"], page, index),
        company: pick(makers, page, index),
        location: pick(towns, page, index),
        ...(index === 2 ? {} : { salary: `€${30 + page + index},000` }),
        url: at(`/j/${page}${index}`),
      })),
    }),
    ({ jobs }, page) =>
      site(
        "Jobs",
        `<main><h1>${jobs.length} jobs</h1><div class="results">${each(jobs, (it, index) => `${index === 1 && page !== 1 ? `<div class="result result--alert"><h2>Get jobs by mail</h2><button>Subscribe</button></div>` : ""}<div class="result"><h2 class="result__title"><a href="${it.url}">${it.title}</a></h2><span class="result__company">${it.company}</span> <span class="result__location">${it.location}</span>${given(it.salary, salary => `<span class="result__salary">${salary}</span>`)}<span class="result__age">${index} days ago</span></div>`)}</div></main>`,
      ),
  ),
  template(
    "a calendar of events",
    { events: rowsOf({ "name!": "string", start_date: day, location: "string", price: "number" }) },
    page => ({
      events: times(3 + page, index => ({
        name: `${pick(["Jazz", "Clay", "Poetry", "Bread"], page, index)} night ${index + 1}`,
        start_date: pick(days, page, index),
        location: `${pick(towns, page, index)} Hall`,
        price: 6 + page + index,
      })),
    }),
    ({ events }) =>
      site(
        "Calendar",
        `<main><h1>Calendar</h1><div class="month">${each(["Mo", "Tu", "We"], name => `<span class="month-day">${name}</span>`)}</div><div class="agenda">${each(events, (it, index) => `<div class="agenda-entry"><div class="agenda-when"><time datetime="${it.start_date}T19:30">${spelled(it.start_date)}</time></div><div class="agenda-what"><h3><a href="/e/${index}">${it.name}</a></h3><p class="agenda-where">Location: ${it.location}</p><p class="agenda-cost">Tickets €${it.price}.00</p></div></div>`)}</div></main>`,
      ),
  ),
];
