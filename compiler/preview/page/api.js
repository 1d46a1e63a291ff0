// Requests to the server. All addresses are relative, so that they contain the token of the page's address.

async function request(method, path, parameters, body) {
  const address = `api/${path}?${new URLSearchParams(parameters)}`;
  const response = await fetch(address, { method, body, redirect: 'error' });
  const document = await response.json();
  if (response.ok) return document;
  const errors = (document.errors || []).map((error) => (error.path ? `${error.path}: ` : '') + error.message);
  throw new Error([document.detail || document.title, ...errors].join('\n'));
}

export const get = (path, parameters = {}) => request('GET', path, parameters);
export const send = (method, path, parameters, body) => request(method, path, parameters, body);

// Calls `changed` with the generation after each change of files or drafts, and `lost` when the connection ends or is back.
export function follow(changed, lost) {
  const events = new EventSource('api/events');
  events.onmessage = (event) => changed(Number(event.data));
  events.onerror = () => lost(true);
  events.onopen = () => lost(false);
}

// Addresses of pages: `#cluster?values=…&view=…`. Empty values are left out.
export function link(page, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '' && value !== undefined && value !== null);
  return `#${page}?${new URLSearchParams(given)}`;
}

export function location_() {
  const [page, query] = window.location.hash.slice(1).split('?');
  return { page: page || 'fleet', ...Object.fromEntries(new URLSearchParams(query || '')) };
}
