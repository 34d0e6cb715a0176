import type { ServiceBroker } from "moleculer";
import type { Dispatcher } from "undici";
import { type OpenSpan, openSpan } from "./open-span.ts";

/**
 * A dispatcher whose requests are spans that their receivers can continue: each has the header `traceparent`. A request
 * that comes with that header continues the trace that it names. While no traces are kept it is the dispatcher itself.
 */
export function traced(
  dispatcher: Dispatcher,
  broker: Pick<ServiceBroker, "tracer" | "nodeID">,
  name: string,
): Dispatcher {
  if (!broker.tracer.isEnabled()) return dispatcher;
  return dispatcher.compose(dispatch => (request, handler) => {
    const headers = request.headers as Record<string, string>;
    const span = openSpan(broker, name, { parent: headers.traceparent, isRequest: true });
    if (!span) return dispatch(request, handler);
    return dispatch(
      { ...request, headers: { ...headers, traceparent: span.traceparent } },
      ended(handler, span),
    );
  });
}

/** The handler, which ends the span with the answer. */
function ended(handler: Dispatcher.DispatchHandler, span: OpenSpan): Dispatcher.DispatchHandler {
  let status: number | undefined;
  return {
    onRequestStart: (...start) => handler.onRequestStart?.(...start),
    onResponseStart: (...start) => {
      [, status] = start;
      const error = status >= 400 ? { error: String(status) } : {};
      span.end({ "http.response.status_code": status, ...error });
      handler.onResponseStart?.(...start);
    },
    onResponseData: (...data) => handler.onResponseData?.(...data),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (...failure) => {
      // The message may hold an address.
      if (status === undefined) span.end({ error: "no answer" });
      handler.onResponseError?.(...failure);
    },
  };
}
