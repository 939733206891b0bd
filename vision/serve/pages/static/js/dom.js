// Elements in one line. No HTML is ever built from text: names and messages cannot turn into markup.

const SVG = "http://www.w3.org/2000/svg";

export const find = (selector, root = document) => root.querySelector(selector);
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element. `on` holds listeners, `data` the dataset; true sets a bare attribute, null and false none. */
export function h(tag, { on = {}, data = {}, ...attributes } = {}, ...children) {
  return filled(document.createElement(tag), on, data, attributes, children);
}

/** An SVG element, like `h`. */
export function s(tag, { on = {}, data = {}, ...attributes } = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), on, data, attributes, children);
}

function filled(element, on, data, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  Object.assign(element.dataset, data);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Draw `children` into `parent` in place of what is there, and leave the focus where it was by its id. */
export function refill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.id : "";
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Run `act` once things have been quiet for `delay` milliseconds. */
export function settled(act, delay) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, delay);
  };
}
