// Builds elements. Texts become text nodes, never markup.

// Characters that change the order of others, or that nobody sees, as escapes: a text must look like what it is.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
export const visible = (text) =>
  String(text).replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

function build(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
  return element;
}

export const h = (tag, properties, ...children) => build(document.createElement(tag), properties, children);
export const svg = (tag, properties, ...children) =>
  build(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);

export function replace(container, ...children) {
  container.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

// The same for content that is loaded again: it stays scrolled, and the element with the same `data-key` has the focus.
// Reading the place lays the page out, which is too slow for a thousand cells.
export function refresh(container, ...children) {
  const active = document.activeElement;
  const key = container.contains(active) ? active.dataset.key : undefined;
  const { scrollTop, scrollLeft } = container;
  replace(container, ...children);
  container.scrollTop = scrollTop;
  container.scrollLeft = scrollLeft;
  if (key === undefined) return;
  for (const element of container.querySelectorAll('[data-key]')) {
    if (element.dataset.key === key) return element.focus({ preventScroll: true });
  }
}

export const counted = (count, what) => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

// Calls `run` once the calls have paused for that time.
export function pausing(milliseconds, run) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...values), milliseconds);
  };
}

export function say(text) {
  document.getElementById('status').textContent = text;
}

export function showProblem(text) {
  const place = document.getElementById('problem');
  place.textContent = text;
  place.hidden = !text;
}
