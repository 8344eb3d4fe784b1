/** All elements that match, as an array. */
export const findAll = <T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T[] => [...within.querySelectorAll<T>(selector)];

export function find<T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T {
  const element = within.querySelector<T>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

/** An element with text, and nothing that is read as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string, className = ""): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}
