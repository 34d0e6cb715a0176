import type { Client } from "openapi-fetch";
import { dataOf } from "./errors.ts";
import { itemsOf } from "./lists.ts";
import { type Filter, partSize, type RequestOptions } from "./requests.ts";
import type { paths } from "./schema.ts";
import type {
  Delivery,
  DeliveryWithBody,
  EventTypeDescription,
  NewWebhook,
  ReplayRequest,
  RetriedDelivery,
  TransformTest,
  TransformTestRequest,
  Webhook,
  WebhookChanges,
  WebhookRequest,
} from "./types.ts";

export type DeliveryFilter = Filter<"listEndpointDeliveries">;

/** The endpoints that the key's events are posted to: `magpie.webhooks`. */
export class Webhooks {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /** Has events posted to a URL, or mailed to a `mailto:` address. The answer holds the signing secret, once. */
  async create(request: WebhookRequest, { signal }: RequestOptions = {}): Promise<NewWebhook> {
    return dataOf(await this.#raw.POST("/webhooks", { body: request, signal })).data;
  }

  /** Reads the endpoints of the key. */
  async *list(): AsyncGenerator<Webhook, void, void> {
    // The service answers all of them at once: a key has at most 20.
    yield* dataOf(await this.#raw.GET("/webhooks")).data;
  }

  /** Gets an endpoint: its options, its status, and what waits for it. */
  async get(id: string, { signal }: RequestOptions = {}): Promise<Webhook> {
    return dataOf(await this.#raw.GET("/webhooks/{id}", { params: { path: { id } }, signal })).data;
  }

  /** Changes an endpoint: what is not named stays. One that has failed starts again, unless it is disabled. */
  async update(id: string, changes: WebhookChanges): Promise<Webhook & { secret?: string }> {
    return dataOf(await this.#raw.PATCH("/webhooks/{id}", { params: { path: { id } }, body: changes })).data;
  }

  /** Makes another signing secret, and answers it. For a time both secrets sign: change the receiver meanwhile. */
  async rotateSecret(id: string): Promise<string> {
    const { secret } = await this.update(id, { rotate_secret: true });
    if (secret === undefined) throw new TypeError("The service answered without the new secret.");
    return secret;
  }

  /** Deletes an endpoint. Events that wait for it are not delivered. */
  async delete(id: string): Promise<void> {
    dataOf(await this.#raw.DELETE("/webhooks/{id}", { params: { path: { id } } }));
  }

  /** Sends a test event to an endpoint, whatever events it takes, and answers the id of the event. */
  async test(id: string): Promise<string> {
    return dataOf(await this.#raw.POST("/webhooks/{id}/test", { params: { path: { id } } })).data.event_id;
  }

  /** Shows what an endpoint's filter and transform, or others, make of an event of the key. Nothing is sent. */
  async tryTransform(id: string, tried: TransformTestRequest = {}): Promise<TransformTest> {
    const asked = this.#raw.POST("/webhooks/{id}/transform/test", { params: { path: { id } }, body: tried });
    return dataOf(await asked).data;
  }

  /** Sends events to an endpoint again: since a time, or those that are named. Answers how many. */
  async replay(id: string, wanted: ReplayRequest): Promise<number> {
    const asked = this.#raw.POST("/webhooks/{id}/replay", { params: { path: { id } }, body: wanted });
    return dataOf(await asked).data.events;
  }

  /** Reads the attempts to deliver to an endpoint, the latest first. */
  deliveries(id: string, filter: DeliveryFilter = {}): AsyncGenerator<Delivery, void, void> {
    return itemsOf(cursor => {
      const query = { ...filter, cursor, limit: partSize };
      return this.#raw.GET("/webhooks/{id}/deliveries", { params: { path: { id }, query } });
    });
  }

  /** Sends the event of one attempt again. */
  async retry(id: string, deliveryId: string): Promise<RetriedDelivery> {
    const params = { path: { id, delivery_id: deliveryId } };
    return dataOf(await this.#raw.POST("/webhooks/{id}/deliveries/{delivery_id}/retry", { params })).data;
  }

  /** Lists the types that events can have, with what each carries. */
  async eventTypes(): Promise<EventTypeDescription[]> {
    return dataOf(await this.#raw.GET("/event-types")).data;
  }
}

/** The attempts to deliver to any endpoint of the key: `magpie.deliveries`. */
export class Deliveries {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /** Reads the attempts, the latest first. */
  list(filter: Filter<"listDeliveries"> = {}): AsyncGenerator<Delivery, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/webhook/deliveries", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Gets an attempt, with what was sent and answered. */
  async get(id: string, { signal }: RequestOptions = {}): Promise<DeliveryWithBody> {
    return dataOf(await this.#raw.GET("/webhook/deliveries/{id}", { params: { path: { id } }, signal })).data;
  }

  /** Sends the event of an attempt again. */
  async retry(id: string): Promise<RetriedDelivery> {
    return dataOf(await this.#raw.POST("/webhook/deliveries/{id}/retry", { params: { path: { id } } })).data;
  }
}
