import { parseLooseJson } from "../text/loose-json.ts";

/** What the JSON-LD of a page says about its subject; empty where it says nothing. */
export interface LinkedFacts {
  /** Headline and name. */
  titles: string[];
  authors: string[];
  published: string[];
  modified: string[];
  keywords: string[];
  images: string[];
  siteNames: string[];
  descriptions: string[];
  languages: string[];
  /** It is of an event or of something for sale, and of no text: dates that it shows are not of its publication. */
  isThing: boolean;
  /** The text of the page's article; empty where several have one and none is the page's. */
  articleBody: string;
}

interface Entity {
  [property: string]: unknown;
}

const maxScripts = 50;
const maxLength = 2_000_000;
const maxEntities = 500;

/** Reads JSON-LD (schema.org). A script that does not parse counts as none. Time is linear in the texts. */
export function readLinkedFacts(texts: readonly string[], url: string): LinkedFacts {
  const entities = entitiesOf(texts);
  const named = new Map(entities.map(entity => [entity["@id"], entity]));
  const subject = subjectOf(entities, url) ?? {};
  const page = entities.find(entity => hasType(entity, /Page$/)) ?? {};
  const offered = entities.find(entity =>
    hasType(entity, /^(?:Product|ProductGroup|Event|JobPosting|LocalBusiness|Person)$/),
  );
  const site = entities.filter(entity => hasType(entity, /^WebSite$/));
  return {
    titles: [subject.headline, subject.name, page.name, offered?.name, offered?.title].flatMap(textsOf),
    authors: namesOf(subject.author ?? subject.creator, named),
    published: [subject.datePublished, subject.dateCreated, subject.uploadDate, page.datePublished].flatMap(
      textsOf,
    ),
    modified: [subject.dateModified, page.dateModified].flatMap(textsOf),
    keywords: namesOf(subject.keywords ?? page.keywords, named),
    images: [subject.image, page.primaryImageOfPage, subject.thumbnailUrl].flatMap(value =>
      addressesOf(value, named),
    ),
    descriptions: [subject.description, page.description, offered?.description].flatMap(textsOf),
    articleBody: articleBodyOf(subject, entities),
    isThing: !hasType(subject, written) && entities.some(entity => hasType(entity, thing)),
    languages: [subject.inLanguage, page.inLanguage].flatMap(textsOf),
    siteNames: [...namesOf(site, named), ...namesOf(subject.publisher, named)],
  };
}

/** Every top-level entity, lists and `@graph` unfolded, and what a page is about. */
function entitiesOf(texts: readonly string[]): Entity[] {
  const found: Entity[] = [];
  let left = maxLength;
  for (const text of texts.slice(0, maxScripts)) {
    left -= text.length;
    if (left < 0) break;
    const waiting = [parseLooseJson(text)];
    for (let at = 0; at < waiting.length && found.length < maxEntities; at++) {
      const next = waiting[at];
      if (Array.isArray(next)) waiting.push(...next.slice(0, maxEntities));
      else if (isEntity(next)) {
        found.push(next);
        waiting.push(next["@graph"], next.mainEntity);
      }
    }
  }
  return found;
}

const written = /(?:Article|Posting|Report|Recipe|HowTo|Review|Question|Essay|Thesis|Guide|Blog|Story)$/;
const thing = /^(?:Product|ProductGroup|\w*Event)$/;
const made =
  /^(?:Book|Course|CreativeWork|Dataset|VideoObject|PodcastEpisode|Episode|SoftwareSourceCode|MusicRecording|Photograph|LearningResource|(?!Profile|Collection)\w*Page)$/;

/** The text or work that the page holds. Of several, the one that names the page's address; else the first. */
function subjectOf(entities: Entity[], url: string): Entity | undefined {
  for (const kind of [written, made]) {
    const fitting = entities.filter(entity => hasType(entity, kind) && !hasType(entity, /^JobPosting$/));
    const own = fitting.find(entity => [entity.url, entity.mainEntityOfPage, entity["@id"]].some(names(url)));
    if (fitting.length > 0) return own ?? fitting[0];
  }
  return undefined;
}

function articleBodyOf(subject: Entity, entities: readonly Entity[]): string {
  const bodies = entities.flatMap(({ articleBody }) => textsOf(articleBody));
  const own = textsOf(subject.articleBody)[0];
  return new Set(bodies).size > 1 ? "" : (own ?? bodies[0] ?? "");
}

function names(url: string): (value: unknown) => boolean {
  const plain = (address: string) =>
    address.replace(/^https?:\/\/(?:www\.)?|[#?].*$/gs, "").replace(/\/$/, "");
  const wanted = plain(url);
  return value => {
    const address = isEntity(value) ? (value["@id"] ?? value.url) : value;
    return typeof address === "string" && address.length < 2048 && plain(address) === wanted;
  };
}

function hasType(entity: Entity, wanted: RegExp): boolean {
  return [entity["@type"]]
    .flat()
    .some(type => typeof type === "string" && type.length < 200 && wanted.test(type));
}

type Known = Map<unknown, Entity>;

/** Names of people, things or words: texts, entities, references to entities, or lists of them. */
function namesOf(value: unknown, known: Known): string[] {
  return [value]
    .flat()
    .slice(0, maxEntities)
    .flatMap(each => {
      if (!isEntity(each)) return textsOf(each);
      const whole = each.name === undefined ? (known.get(each["@id"]) ?? each) : each;
      return [whole.name ?? whole["@value"]].flat().flatMap(textsOf);
    });
}

function addressesOf(value: unknown, known: Known): string[] {
  return [value]
    .flat()
    .slice(0, maxEntities)
    .flatMap(each => {
      if (!isEntity(each)) return textsOf(each);
      const whole =
        each.url ?? each.contentUrl ?? known.get(each["@id"])?.url ?? known.get(each["@id"])?.contentUrl;
      return textsOf(whole);
    });
}

function textsOf(value: unknown): string[] {
  return typeof value === "string" && value.trim() !== "" ? [value] : [];
}

function isEntity(value: unknown): value is Entity {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
