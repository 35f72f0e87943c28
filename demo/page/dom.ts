/** Builds elements. Text only ever becomes text nodes, so that nothing a memory says can become markup. */

export type Child = Node | string | undefined | false;

/** An attribute by its HTML name (true: present, false or undefined: absent), or a listener as `onclick`. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/** Puts these children in the place of those that are there. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...present(children));
}

/** The same for what is drawn anew while a person may be in it: what was open stays open, and the focus goes to the same control as it
 * is now, both by `data-key`.
 * @returns false where the focus was inside and its control is gone */
export function redraw(element: Element, ...children: readonly Child[]): boolean {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const open = new Set([...element.querySelectorAll<HTMLElement>("details[open]")].map(({ dataset }) => dataset.key));
  fill(element, ...children);
  for (const details of element.querySelectorAll("details")) details.open ||= open.has(details.dataset.key ?? "");
  const key = focused?.closest<HTMLElement>("[data-key]")?.dataset.key;
  if (key !== undefined) focusOn(key, element);
  return !focused || element.contains(document.activeElement);
}

/** Puts the focus on the control of this `data-key`, where there is one. */
export function focusOn(key: string, within: ParentNode = document): void {
  const found = within.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  (found instanceof HTMLDetailsElement ? found.querySelector("summary") : found)?.focus();
}

/** A button that does `act`; its listener's failures are the caller's to report. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return el("button", { type: "button", ...attributes, onclick: act }, label);
}

let serial = 0;

/** An id that no other element of this page has, to tie a label to its field. */
export function freshId(prefix: string): string {
  serial += 1;
  return `${prefix}-${serial}`;
}

/** A field with its visible label. */
export function labelled(text: string, field: HTMLElement, attributes: Attributes = {}): HTMLElement {
  field.id ||= freshId("field");
  return el("div", { class: "field", ...attributes }, el("label", { for: field.id }, text), field);
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child !== undefined && child !== false);
}
