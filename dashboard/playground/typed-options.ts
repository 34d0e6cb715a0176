/*
 * The typed options, and the address that keeps them. Cookies, headers and actions are not in the address.
 *
 *   const typed = useTypedOptions(fields);
 *   typed.values, typed.change("output.formats", ["links"])
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { query, setQuery } from "../shell/address.ts";
import type { Field } from "./option-fields.ts";
import { fromQuery, isPrivate, toQuery, type Value, type Values } from "./option-values.ts";

export interface TypedOptions {
  values: Values;
  change: (path: string, value: Value) => void;
}

const typingMs = 300;

export function useTypedOptions(fields: Field[]): TypedOptions {
  const values = useSignal<Values>(fromQuery(fields, query));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const inAddress = JSON.stringify(fromQuery(fields, query));
  const written = useRef(inAddress);
  useEffect(() => {
    // A link or the back button led to an address that was not written here.
    if (inAddress === written.current) return;
    written.current = inAddress;
    values.value = { ...privateOf(fields, values.peek()), ...fromQuery(fields, query) };
  }, [inAddress]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (path: string, value: Value) => {
    values.value = { ...values.value, [path]: value };
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const next = toQuery(fields, values.peek());
      written.current = JSON.stringify(fromQuery(fields, name => next[name] ?? ""));
      setQuery(next);
    }, typingMs);
  };
  return { values: values.value, change };
}

function privateOf(fields: Field[], values: Values): Values {
  const names = new Set(fields.filter(isPrivate).map(({ path }) => path));
  return Object.fromEntries(Object.entries(values).filter(([path]) => names.has(path)));
}
