/*
 * A dialog over the page. The browser keeps the focus inside and gives it back to what opened the dialog.
 *
 *   ${isOpen && html`<${Dialog} title="New key" onClose=${close}>…<//>`}      exists only while it is open
 *   ${isOpen && html`<${Confirm} title="Delete this key?" action="Delete" typed="production"
 *       onConfirm=${() => remove(path)} onClose=${close}>It stops working at once.<//>`}
 *
 * `typed` is what has to be typed before the button works. `onConfirm` may refuse: its sentence is shown, and the dialog stays.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { html } from "../html.ts";
import { Field, Form } from "./form.ts";

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Whether the dialog is wide, for tables and code. */
  isWide?: boolean;
  children?: ComponentChildren;
}

/** The elements that get the focus first. The first element of a dialog is the button that closes it, which is a bad start. */
const begins = ["[autofocus]", "input, select, textarea", ".form-actions button"];

export function Dialog({ title, onClose, isWide = false, children }: DialogProps): VNode {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the browser paints: what a person types right after the click must not go to the page below.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    const fields = begins.map(each => shown?.querySelector<HTMLElement>(each));
    fields.find(Boolean)?.focus();
    // Closed while it is still in the page, so that the browser gives the focus back.
    return () => shown?.close();
  }, []);
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return html`<dialog ref=${dialog} class=${isWide ? "is-wide" : ""} aria-labelledby=${id}
    onCancel=${(event: Event) => {
      event.preventDefault();
      onClose();
    }} onMouseDown=${closeOnBackdrop}>
    <div class="dialog-body">
      <header class="dialog-head">
        <h2 id=${id}>${title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button>
      </header>
      ${children}
    </div>
  </dialog>`;
}

interface ConfirmProps {
  title: string;
  /** The word on the button: "Delete". */
  action: string;
  typed?: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children?: ComponentChildren;
}

export function Confirm({ title, action, typed, onConfirm, onClose, children }: ConfirmProps): VNode {
  const text = useSignal("");
  const submit = async () => {
    await onConfirm();
    onClose();
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <${Form} onSubmit=${submit} action=${action} isDangerous onCancel=${onClose}
      isReady=${typed === undefined || text.value === typed}>
      <div class="prose">${children}</div>
      ${
        typed !== undefined &&
        html`<${Field} label=${html`To confirm, type <strong class="breaks">${typed}</strong>`}>
          <input value=${text.value} autocomplete="off" spellcheck=${false}
            onInput=${(event: InputEvent) => {
              text.value = (event.currentTarget as HTMLInputElement).value;
            }} />
        <//>`
      }
    <//>
  <//>`;
}
