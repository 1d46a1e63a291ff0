// Reads a JSON Schema (2020-12) as far as a form needs it; the server validates.

const MERGED = ['properties', 'required', 'allOf', '$ref', 'both'];
// Parts of `allOf` without these only say more about the values, often in words for their errors.
const SHAPES = ['type', 'properties', 'enum', 'const'];

// The schema without `$ref` and `allOf`, as far as these add properties and words. Keys beside a `$ref` override it.
export function resolver(root) {
  const known = new WeakMap();

  function target(reference) {
    if (!reference.startsWith('#')) return {};
    let found = root;
    for (const part of decodeURIComponent(reference.slice(1)).split('/').slice(1))
      found = found && found[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    return found && typeof found === 'object' ? found : {};
  }

  function merge(into, part) {
    for (const [key, value] of Object.entries(part)) if (!MERGED.includes(key)) into[key] = value;
    for (const [name, property] of Object.entries(part.properties || {})) {
      const before = into.properties?.[name];
      const both = before && typeof before === 'object' && typeof property === 'object';
      const merged = both ? { both: [before, property] } : property;
      into.properties = { ...into.properties, [name]: before === false ? false : merged };
    }
    if (Array.isArray(part.required)) into.required = [...new Set([...(into.required || []), ...part.required])];
  }

  const shaping = (part) => (SHAPES.some((key) => key in part) ? part : {});

  function resolve(schema, depth) {
    if (!schema || typeof schema !== 'object' || depth > 16) return {};
    if (known.has(schema)) return known.get(schema);
    const result = {};
    known.set(schema, result); // a schema may refer to itself
    if (typeof schema.$ref === 'string') merge(result, resolve(target(schema.$ref), depth + 1));
    for (const part of Array.isArray(schema.allOf) ? schema.allOf : [])
      if (part && typeof part === 'object' && !part.if) merge(result, shaping(resolve(part, depth + 1)));
    for (const part of schema.both || []) merge(result, resolve(part, depth + 1));
    merge(result, schema);
    return result;
  }

  return (schema) => resolve(schema, 0);
}

// The properties that a value can have: the schema `false` refuses one of a common set.
export const propertiesOf = (schema) =>
  Object.entries(schema.properties || {}).filter(([, property]) => property !== false);

export const typesOf = (schema) => [schema.type].flat().filter((type) => type && type !== 'null');

const isForm = (schema) => schema && typeof schema === 'object' && (schema.type || schema.enum || schema.properties);

// The alternatives of which a value has one; empty: it has one form.
export function formsOf(schema) {
  if (typesOf(schema).length > 0 || schema.enum || schema.properties) return [];
  const forms = (schema.oneOf || schema.anyOf || []).filter((form) => isForm(form) || form?.$ref);
  return forms.length > 1 ? forms : [];
}

const LONG = 1000; // characters, from which a text may have several lines

// Which kind of field the schema has. `resolve`d before.
export function kindOf(schema) {
  if (formsOf(schema).length > 0) return 'forms';
  if (Array.isArray(schema.enum)) return 'choice';
  if (schema['x-secret'] || schema.writeOnly || schema.format === 'password') return 'secret';
  const types = typesOf(schema);
  const has = (type) => types.includes(type);
  if (types.length > 1 && (has('object') || has('array'))) return 'document';
  if (has('boolean') && types.length === 1) return 'boolean';
  if (has('array')) return 'list';
  if (has('object') || schema.properties) {
    if (Object.keys(schema.properties || {}).length > 0) return 'group';
    return schema.additionalProperties && typeof schema.additionalProperties === 'object' ? 'map' : 'document';
  }
  if (types.length > 0 && !has('string')) return 'number';
  if (types.length === 0) return 'document';
  if (types.length > 1) return 'mixed';
  const isLong = schema.maxLength === undefined || schema.maxLength > LONG;
  return isLong && /PEM|certificate|YAML|content|text of/i.test(`${schema.title} ${schema.description}`)
    ? 'text'
    : 'line';
}

export const isSimple = (kind) => !['group', 'map', 'list', 'forms'].includes(kind);

export const titleOf = (schema, key) => schema.title || String(key).replaceAll('_', ' ');

// What the value is without one: a text, or empty.
export function defaultText(schema) {
  const value = schema.default;
  if (value === undefined || value === null || value === '') return '';
  if (typeof value === 'object') return Object.keys(value).length > 0 ? JSON.stringify(value) : '';
  return String(value);
}

export function exampleTexts(schema) {
  const texts = (schema.examples || []).map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)));
  return texts.slice(0, 3);
}

// Tokens of a JSON Pointer that is a URI fragment: `#/worker_pools/0`.
export function tokensOf(pointer) {
  let decoded = pointer.slice(1);
  try {
    decoded = decodeURIComponent(decoded);
  } catch {
    // as it is
  }
  return decoded
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const pointerOf = (tokens) =>
  `#${tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;
