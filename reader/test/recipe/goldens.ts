import { readFileSync } from "node:fs";

export interface Golden {
  page: string;
  schema: Record<string, unknown>;
  json: Record<string, unknown>;
}

export const pageUrl = "https://site.example/shop/page";

export function pageOf(name: string): string {
  return readFileSync(new URL(`../fixtures/recipe/${name}.html`, import.meta.url), "utf8");
}

/** An object schema: `"name"`, `"name!"` for a required one, mapped to a type or a schema. */
export function object(properties: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(properties).map(([name, schema]) => ({
    name: name.replace(/!$/, ""),
    required: name.endsWith("!"),
    schema: typeof schema === "string" ? { type: schema } : schema,
  }));
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(({ name, schema }) => [name, schema])),
    required: entries.filter(({ required }) => required).map(({ name }) => name),
  };
}

export function array(items: unknown): Record<string, unknown> {
  return { type: "array", items: typeof items === "string" ? { type: items } : items };
}

const uri = { type: "string", format: "uri" };
const date = { type: "string", format: "date" };

export const goldens: Golden[] = [
  {
    page: "product-jsonld",
    schema: object({
      "title!": "string",
      "price!": "number",
      currency: "string",
      in_stock: "boolean",
      brand: "string",
      sku: "string",
      rating: "number",
      review_count: "integer",
      images: array(uri),
      reviews: array(object({ author: "string", reviewBody: "string", rating: "number" })),
    }),
    json: {
      title: "Aurora Desk Lamp",
      price: 1249.5,
      currency: "GBP",
      in_stock: true,
      brand: "Lumenhaus",
      sku: "LH-204",
      rating: 4.6,
      review_count: 87,
      images: ["https://site.example/img/aurora-1.jpg", "https://site.example/img/aurora-2.jpg"],
      reviews: [
        { author: "Ada", reviewBody: "Bright.", rating: 5 },
        { author: "Ben", reviewBody: "Wobbly.", rating: 3 },
      ],
    },
  },
  {
    page: "product-microdata",
    schema: object({
      name: "string",
      price: "number",
      currency: "string",
      availability: { type: "string", enum: ["InStock", "OutOfStock"] },
      brand: "string",
      reviewCount: "integer",
      ratingValue: "number",
      image: uri,
      description: "string",
    }),
    json: {
      name: "Trail Boots 9",
      price: 129.95,
      currency: "USD",
      availability: "OutOfStock",
      brand: "Hikewell",
      reviewCount: 1310,
      ratingValue: 4.2,
      image: "https://site.example/boots.png",
      description: "Dry feet on wet rocks.",
    },
  },
  {
    page: "product-classes",
    schema: object({
      "product_title!": "string",
      "price!": "number",
      original_price: "number",
      description: "string",
      image: uri,
      inStock: "boolean",
      features: array("string"),
      material: "string",
      weight: "string",
      tags: array("string"),
      isbn: "string",
    }),
    json: {
      product_title: "Oak Shelf, 80 cm",
      price: 1049,
      original_price: 1299,
      description: "Solid oak, oiled by hand.",
      image: "https://site.example/img/shelf.webp",
      inStock: true,
      features: ["Holds 30 kg", "Made in Wales"],
      material: "Oak",
      weight: "7.5 kg",
      tags: ["oak", "storage"],
    },
  },
  {
    page: "listing-cards",
    schema: object({
      "products!": array(object({ "name!": "string", "price!": "number", url: uri, image: uri })),
    }),
    json: {
      products: [
        ["Windsor", 89, 1],
        ["Thonet", 145.5, 2],
        ["Eames", 1020, 3],
        ["Panton", 240, 4],
      ].map(([name, price, id]) => ({
        name,
        price,
        url: `https://site.example/p/${id}`,
        image: `https://site.example/i/${id}.jpg`,
      })),
    },
  },
  {
    page: "people-table",
    schema: object({
      employees: array(
        object({
          name: "string",
          job_title: "string",
          email: { type: "string", format: "email" },
          years: { type: "integer", title: "Years of service" },
          start_date: date,
          profile_url: uri,
        }),
      ),
    }),
    json: {
      employees: [
        ["Ines Moreau", "Botanist", "ines@garden.example", 12, "2012-05-03", 1],
        ["Tom Hale", "Gardener", "tom@garden.example", 4, "2020-01-17", 2],
        ["Yu Chen", "Curator", "yu@garden.example", 1, "2023-09-01", 3],
      ].map(([name, job_title, email, years, start_date, id]) => ({
        name,
        job_title,
        email,
        years,
        start_date,
        profile_url: `https://site.example/s/${id}`,
      })),
    },
  },
  {
    page: "spec-sheet",
    schema: object({
      name: "string",
      flow_rate: "number",
      max_pressure: "string",
      weight: "number",
      color: { type: "string", enum: ["red", "green"] },
      self_priming: "boolean",
      warranty: "string",
      country_of_origin: "string",
      specs: array(object({ name: "string", value: "string" })),
    }),
    json: {
      name: "PX-300 Pump",
      flow_rate: 3200,
      max_pressure: "4.5 bar",
      weight: 11.8,
      color: "green",
      self_priming: true,
      warranty: "5 years",
      country_of_origin: "Denmark",
      specs: [
        { name: "Flow rate", value: "3,200 l/h" },
        { name: "Max. pressure", value: "4.5 bar" },
        { name: "Weight", value: "11.8 kg" },
        { name: "Colour", value: "Green" },
        { name: "Self-priming", value: "Yes" },
      ],
    },
  },
  {
    page: "cooking",
    schema: object({
      title: "string",
      author: "string",
      published: date,
      ingredients: array("string"),
      steps: array("string"),
      prep_time: "string",
      total_minutes: { type: "number", description: "total time" },
      servings: "integer",
      calories: "number",
      keywords: array("string"),
    }),
    json: {
      title: "Leek soup",
      author: "Mary Holt",
      published: "2023-11-05",
      ingredients: ["3 leeks", "1 l stock", "salt"],
      steps: ["Cut the leeks.", "Simmer for 20 minutes."],
      prep_time: "PT15M",
      total_minutes: 65,
      servings: 4,
      calories: 180,
      keywords: ["soup", "leek", "winter"],
    },
  },
  {
    page: "article",
    schema: object({
      headline: "string",
      author: "string",
      published_at: { type: "string", format: "date-time" },
      publisher: "string",
      summary: "string",
      keywords: array("string"),
      url: uri,
      language: "string",
    }),
    json: {
      headline: "Tides return to the estuary",
      author: "Noor Vance",
      published_at: "2024-02-29T08:30:00+01:00",
      publisher: "The Harbour Post",
      summary: "The estuary fills again.",
      keywords: ["tides", "estuary", "birds"],
      url: "https://post.example/2024/tides",
      language: "en",
    },
  },
  {
    page: "event",
    schema: object({
      event_name: "string",
      date,
      starts: { type: "string", format: "date-time" },
      venue: "string",
      organizer: "string",
      admission: "number",
      performers: { type: "array", title: "Line-up", items: { type: "string" } },
      cancelled: { type: ["boolean", "null"] },
    }),
    json: {
      event_name: "Night of Cellos",
      date: "2025-09-14",
      starts: "2025-09-14T19:30:00Z",
      venue: "Old Mill Hall",
      organizer: "String Society",
      admission: 18.5,
      performers: ["Marta Ruiz", "Duo Kestrel"],
    },
  },
  {
    page: "job",
    schema: object({
      "job_title!": "string",
      company: "string",
      location: object({ addressLocality: "string", postalCode: "string" }),
      salary: "number",
      currency: "string",
      posted: date,
      deadline: date,
      employment_type: { type: "string", enum: ["full_time", "part_time"] },
    }),
    json: {
      job_title: "Lighthouse Keeper",
      company: "Coast Trust",
      location: { addressLocality: "Skerry", postalCode: "IV1" },
      salary: 31000,
      currency: "GBP",
      posted: "2024-06-01",
      deadline: "2024-07-15",
      employment_type: "full_time",
    },
  },
  {
    page: "forum",
    schema: object({
      title: "string",
      posts: array(
        object({
          "author!": "string",
          "message!": "string",
          date: { type: "string", format: "date-time" },
          likes: "integer",
        }),
      ),
    }),
    json: {
      title: "Which moss is this?",
      posts: [
        { author: "fern", message: "Found it on a north wall.", date: "2024-04-02T10:15:00Z", likes: 3 },
        { author: "oakley", message: "Looks like Bryum.", date: "2024-04-02T11:00:00Z", likes: 12 },
        { author: "fern", message: "Thank you!", date: "2024-04-03T07:45:00Z", likes: 0 },
      ],
    },
  },
  {
    page: "german",
    schema: object({
      title: "string",
      price: "number",
      sku: "string",
      weight: "number",
      color: "string",
      manufacturer: "string",
      published: date,
      in_stock: "boolean",
      capacity: { type: "integer", title: "Fassungsvermögen" },
    }),
    json: {
      title: "Wanderrucksack Alm 40",
      price: 1299.9,
      sku: "AL-40-G",
      weight: 1.35,
      color: "Grün",
      manufacturer: "Bergfrei",
      published: "2024-03-12",
      in_stock: true,
      capacity: 1500,
    },
  },
  {
    page: "conflicting",
    schema: object({ title: "string", "price!": "number" }),
    json: { title: "Kettle", price: 34.9 },
  },
  {
    page: "faq",
    schema: object({ questions: array(object({ question: "string", answer: "string" })) }),
    json: {
      questions: [
        { question: "Do you ship abroad?", answer: "Yes, within Europe." },
        { question: "Can I return it?", answer: "Within 30 days." },
        { question: "Is there a shop?", answer: "In Leeds." },
      ],
    },
  },
  {
    page: "contact",
    schema: {
      ...object({
        phone: "string",
        email: { type: "string", format: "email" },
        address: { $ref: "#/$defs/address" },
        author: object({ name: "string", url: uri }),
      }),
      $defs: { address: object({ street: "string", city: "string", postcode: "string" }) },
    },
    json: {
      phone: "+44 1947 000000",
      email: "hello@quay.example",
      address: { street: "4 Quay Road", city: "Whitby", postcode: "YO21" },
      author: { name: "Rae Quill", url: "https://site.example/rae" },
    },
  },
  {
    page: "bookshop",
    schema: object({
      books: array(object({ title: "string", price: "number", url: "string", image_url: "string" })),
    }),
    json: {
      books: [1, 2, 3].map(id => ({
        title: `Book ${id}`,
        price: 50.77 + id,
        url: `https://site.example/shop/b${id}.html`,
        image_url: `https://site.example/shop/m/${id}.jpg`,
      })),
    },
  },
  {
    page: "rows-of-links",
    schema: object({ stories: array(object({ title: "string", url: "string" })) }),
    json: {
      stories: [1, 2, 3].map(id => ({ title: `Story ${id}`, url: `https://x${id}.example/` })),
    },
  },
  {
    page: "quotes",
    schema: object({ quotes: array(object({ text: "string", author: "string", tags: array("string") })) }),
    json: {
      quotes: [
        { text: "One.", author: "Ann", tags: ["short", "old"] },
        { text: "Two.", author: "Bob", tags: ["short", "new"] },
      ],
    },
  },
];
