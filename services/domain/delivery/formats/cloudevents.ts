import { newsOf } from "./news.ts";

/**
 * Events as CloudEvents 1.0 (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md), in the modes of its HTTP
 * binding: structured, structured as a batch, or binary.
 */
export interface CloudEventsMessage {
  contentType: string;
  body: string;
  headers: Record<string, string>;
}

interface Attributes {
  specversion: "1.0";
  id: string;
  source: string;
  type: string;
  time: string;
  /** The address that the event is about. */
  subject?: string;
  datacontenttype: "application/json";
  /** The position in the key's log, in digits of one width: the extension says that sequences compare as texts. */
  sequence?: string;
}

/** Each event as an object of its own; `inBatches` has an array, also of one. */
export function structured(events: readonly string[], inBatches: boolean): CloudEventsMessage {
  const all = events.map(json => ({ ...attributesOf(json), data: dataOf(json) }));
  const [only] = all;
  return inBatches || !only
    ? {
        contentType: "application/cloudevents-batch+json; charset=utf-8",
        body: JSON.stringify(all),
        headers: {},
      }
    : { contentType: "application/cloudevents+json; charset=utf-8", body: JSON.stringify(only), headers: {} };
}

/** A single event: its attributes are headers, its data the body. */
export function binary(json: string): CloudEventsMessage {
  const { datacontenttype, ...attributes } = attributesOf(json);
  const headers = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, headerValue(value)]);
  return {
    contentType: datacontenttype,
    body: JSON.stringify(dataOf(json)),
    headers: Object.fromEntries(headers),
  };
}

const sequenceDigits = 16;

function attributesOf(json: string): Attributes {
  const { id, type, seq, time, url, source } = newsOf(json);
  return {
    specversion: "1.0",
    id,
    source: source.id === "" ? "/magpie" : `/magpie/sources/${encodeURIComponent(source.id)}`,
    type: `magpie.${type}`,
    time,
    ...(url !== null && { subject: url }),
    datacontenttype: "application/json",
    ...(seq !== null && { sequence: String(seq).padStart(sequenceDigits, "0") }),
  };
}

function dataOf(json: string): unknown {
  return (JSON.parse(json) as { data: unknown }).data;
}

/** Space, double quote, percent and what is not printable ASCII are escaped (HTTP binding 1.0.2, section 3.1.3.2). */
function headerValue(text: string): string {
  return [...text].map(char => (/[!#$&-~]/.test(char) ? char : encodeURIComponent(char))).join("");
}
