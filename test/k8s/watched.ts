/** A value that looks like another one and remembers what was read of it. */
export interface Watched {
  value: object;
  /** Paths of the fields that nobody has read, beside others that somebody has. */
  unread(): string[];
}

/**
 * The compiled schemas let unknown fields pass. But they read each field that they know, so what they leave unread is
 * unknown to them. An object of which nothing is read is free in form.
 */
export function watched(target: object): Watched {
  const seen = new Map<object, Set<string>>();
  const views = new Map<object, object>();
  const view = (object: object): object => {
    const known = views.get(object);
    if (known) return known;
    const read = new Set<string>();
    seen.set(object, read);
    const proxy = new Proxy(object, {
      get(of, key) {
        if (typeof key === "string") read.add(key);
        const value: unknown = Reflect.get(of, key);
        return typeof value === "object" && value !== null ? view(value) : value;
      },
    });
    views.set(object, proxy);
    return proxy;
  };
  return { value: view(target), unread: () => unreadIn(target, "", seen) };
}

function unreadIn(object: object, path: string, seen: Map<object, Set<string>>): string[] {
  const read = seen.get(object);
  if (!read || read.size === 0) return [];
  return Object.entries(object).flatMap(([key, value]) => {
    const at = `${path}/${key}`;
    if (!read.has(key)) return [at];
    return typeof value === "object" && value !== null ? unreadIn(value, at, seen) : [];
  });
}
