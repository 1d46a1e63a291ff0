// Requests to the API beside the page. The token is kept for this tab only, and isn't part of an address.
const API = '../api/v1/'; // relative, as a reverse proxy may have the server below another path
const TOKEN = 'capwright.token';

export const token = {
  get: () => sessionStorage.getItem(TOKEN) || '',
  set: (text) => (text ? sessionStorage.setItem(TOKEN, text) : sessionStorage.removeItem(TOKEN)),
};

// A response that isn't a success, or none: then `status` is 0.
export class Failure extends Error {
  constructor(status, document, retryAfter) {
    super(document.detail || document.title || `the server answered with status ${status}`);
    this.status = status;
    this.kind = String(document.type || '').replace('/problems/', '');
    this.title = document.title || '';
    this.errors = Array.isArray(document.errors) ? document.errors : [];
    this.retryAfter = retryAfter;
  }
}

const LOST = { title: 'The connection is lost', detail: 'the server can’t be reached' };

// The document of the response, and whether it was stored for an earlier request with the same key.
async function exchange(method, path, { values, headers = {}, signal } = {}) {
  const sent = { ...headers };
  if (token.get()) sent.Authorization = `Bearer ${token.get()}`;
  if (values !== undefined) sent['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch(API + path, {
      method,
      headers: sent,
      body: values,
      signal,
      redirect: 'error',
      credentials: 'same-origin',
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Failure(0, LOST, 0);
  }
  const text = await response.text().catch(() => null);
  if (text === null) throw new Failure(0, LOST, 0);
  let document = null;
  try {
    document = JSON.parse(text);
  } catch {
    document = null; // a proxy's page
  }
  if (response.ok && document) return { document, replayed: response.headers.get('Idempotency-Replayed') === 'true' };
  throw new Failure(response.status, document || {}, Number(response.headers.get('Retry-After')) || 0);
}

const of = (template, what) => `cluster-templates/${encodeURIComponent(template)}/${what}`;
const document_ = async (...request) => (await exchange(...request)).document;

export const loadTemplates = () => document_('GET', 'cluster-templates');
export const loadSchema = (id, query = '') => document_('GET', `schemas/${encodeURIComponent(id)}${query}`);
export const validate = (id, values, signal) => document_('POST', of(id, 'validate'), { values, signal });
export const render = (id, values) => document_('POST', of(id, 'render?redact=true'), { values });
export const loadPlan = (id, values) => document_('POST', of(id, 'plan'), { values });
export const addonDefaults = (addon, values) =>
  document_('POST', `clusters/addon-defaults/${encodeURIComponent(addon)}`, { values });

// `change`: {values, key, allowed, valuesId}. `valuesId`: of the values file that it replaces; empty: a new cluster.
export const publish = (id, change) =>
  exchange('POST', of(id, 'publish') + (change.allowed.length ? `?allow=${change.allowed.join(',')}` : ''), {
    values: change.values,
    headers: {
      'Idempotency-Key': `"${change.key}"`,
      ...(change.valuesId ? { 'If-Match': `"${change.valuesId}"` } : { 'If-None-Match': '*' }),
    },
  });

// crypto.randomUUID needs a secure context, which a page by plain HTTP in a private network isn't.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
