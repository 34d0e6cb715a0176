/*
 * Forms that show what the API says.
 *
 *   html`<${Form} action="Generate" onSubmit=${async values => { await post("/internal/keys", values); }}>
 *     <${Field} label="Name" hint="To recognise the key by."><input name="name" required /><//>
 *   <//>`
 *
 * `onSubmit` gets the named values as strings. While it runs the button waits; when it throws an `ApiError` its sentence is
 * shown, and the sentence of each field below the field of that name.
 */
import { signal, useSignal } from "@preact/signals";
import { type ComponentChildren, cloneElement, createContext, isValidElement, type VNode } from "preact";
import { useContext, useId } from "preact/hooks";
import { html } from "../html.ts";
import { ApiError, type ErrorDetail } from "../shell/client.ts";

const Refusals = createContext(signal<ErrorDetail[]>([]));

interface FormProps {
  action: string;
  onSubmit: (values: Record<string, string>, form: HTMLFormElement) => Promise<unknown>;
  onCancel?: () => void;
  isDangerous?: boolean;
  isReady?: boolean;
  children?: ComponentChildren;
}

export function Form({
  action,
  onSubmit,
  onCancel,
  isDangerous = false,
  isReady = true,
  children,
}: FormProps): VNode {
  const isBusy = useSignal(false);
  const refusal = useSignal("");
  const details = useSignal<ErrorDetail[]>([]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy.value || !isReady) return;
    const form = event.currentTarget as HTMLFormElement;
    isBusy.value = true;
    refusal.value = "";
    details.value = [];
    try {
      await onSubmit(valuesOf(form), form);
    } catch (error) {
      refusal.value = sentence(error);
      details.value = error instanceof ApiError ? error.details : [];
    }
    isBusy.value = false;
  };
  return html`<form class="form" onSubmit=${submit} novalidate=${false} aria-busy=${isBusy.value}>
    <${Refusals.Provider} value=${details}>${children}<//>
    <p class="form-error" role="alert">${refusal.value}</p>
    <div class="form-actions">
      ${onCancel && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
      <button type="submit" class=${isDangerous ? "is-dangerous" : "is-main"} disabled=${!isReady}
        aria-disabled=${isBusy.value}>${action}</button>
    </div>
  </form>`;
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** The message of an error, with the time to wait if the API names it. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ApiError && error.retryAfter && !/\d+ s/.test(error.message))
    return `${error.message} Try again in ${error.retryAfter} s.`;
  return error.message;
}

interface FieldProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  /** An input, a select or a textarea. */
  children?: ComponentChildren;
}

/** A control with its label, its hint, and the error that the API answered for it. */
export function Field({ label, hint, children }: FieldProps): VNode {
  const id = useId();
  const refusals = useContext(Refusals).value;
  const control = (Array.isArray(children) ? children : [children]).find(isValidElement) as VNode<
    Record<string, unknown>
  >;
  const name = String(control?.props?.name ?? "");
  const error = name === "" ? undefined : refusals.find(({ field }) => isOf(name, field))?.message;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${cloneElement(control, {
      id,
      "aria-describedby": described || undefined,
      "aria-invalid": error ? "true" : undefined,
    })}
    ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${error && html`<p class="field-error" id="${id}-error">${error}</p>`}
  </div>`;
}

/**
 * Whether the field that an API error names is that of a control: `options.keep.days`; an entry of it, as
 * `options.select.1` of `options.select`; or its last part, where the control has a name without dots.
 */
function isOf(name: string, field: string): boolean {
  return field === name || field.startsWith(`${name}.`) || field.split(".").at(-1) === name;
}
