interface PageRequest {
  output: { json?: object };
  request: { cookies?: object };
  js_render: object;
  proxy: object;
  webhook?: object;
}

/**
 * The request without its nulls. The validator lets null pass for whatever is optional, and clients send it for what
 * they leave out; past this point a field is there or missing. Schemas and recipes stay as they are: null has a meaning
 * in them.
 */
export function withoutNulls<Request extends PageRequest>(request: Request): Request {
  const whole = dropNulls(request);
  const { output, request: page } = whole;
  return {
    ...whole,
    output: dropNulls({ ...output, ...(output.json && { json: dropNulls(output.json) }) }),
    request: dropNulls({
      ...page,
      ...(Array.isArray(page.cookies) && { cookies: page.cookies.map(dropNulls) }),
    }),
    js_render: dropNulls(whole.js_render),
    proxy: dropNulls(whole.proxy),
    ...(whole.webhook && { webhook: dropNulls(whole.webhook) }),
  };
}

function dropNulls<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) as T;
}
