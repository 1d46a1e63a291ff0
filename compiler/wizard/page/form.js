// The form for the values of one template: basics first, then a section for each group of keys.
import { h, replace } from './dom.js';
import { addonPicker } from './addons.js';
import { makeField } from './containers.js';
import { newId } from './fields.js';
import { isSimple, kindOf, pointerOf, propertiesOf, resolver, titleOf } from './schema.js';

const FEW = 6; // optional basics, which needn't be folded

// Keys that other parts of the form set.
const PRESET = ['provider', 'addons', 'addon_values'];

// `template`: of `cluster-templates`. `schema`: of its values. `flat`: the schema that also has flat keys.
// `refused`: pointers that the server refuses. `changed`: called after each input.
export function valuesForm(template, schema, flat, refused, changed) {
  const root = resolver(schema)(schema);
  const fields = new Map(); // by key
  const short = new Map(); // keys to the flat keys that replace them
  let missing = []; // pointers
  let isChecked = false;
  const form = {
    resolve: resolver(schema),
    isRefused: (pointer) => refused.includes(pointer),
    isChecked: () => isChecked,
    changed,
    kubernetesType: () => fields.get('kubernetes_type')?.value(),
    values: () => text(),
  };
  const scope = (key, open = () => {}) => ({ tokens: () => [key], changed, open });
  const properties = propertiesOf(root)
    .filter(([key]) => !PRESET.includes(key) && !form.isRefused(pointerOf([key])))
    .map(([key, property]) => [key, form.resolve(property)]);
  const required = root.required || [];
  const addons = template.addons.length > 0 ? root.properties?.addons : null;
  const picker = addons ? addonPicker(form, form.resolve(addons), template.addons, scope('addons')) : null;

  function add(key, property, options) {
    const field = makeField(form, property, key, scope(key, options.open), options);
    fields.set(key, field);
    return field.element;
  }

  // Flat keys that replace a required key, such as `worker_count`.
  function shortForms() {
    const elements = [];
    for (const [key, property] of properties) {
      const names = (property['x-normalized-from'] || []).filter(
        (name) => flat?.properties?.[name] && !fields.has(name),
      );
      if (names.length > 0) short.set(key, names);
      for (const name of names) {
        // The first alternative is the value, the others are references to values, and none.
        const field = { ...flat.properties[name], ...flat.properties[name].anyOf?.[0] };
        const type = [field.type].flat().filter((each) => each !== 'null');
        const isMissing = () => missing.includes(pointerOf([key]));
        elements.push(add(name, { ...field, type }, { isNeeded: required.includes(key), isMissing }));
      }
    }
    return elements;
  }

  function basics() {
    const simple = properties.filter(([, property]) => isSimple(kindOf(property)));
    const first = simple.filter(([key]) => required.includes(key));
    const others = simple.filter(([key]) => !required.includes(key));
    first.sort(([a], [b]) => (b === 'cluster_name') - (a === 'cluster_name'));
    const elements = first.map(([key, property]) => add(key, typed(key, property), { isNeeded: true }));
    elements.push(...shortForms());
    const fold = h('details', { class: 'group', open: others.length <= FEW }, h('summary', {}, 'More basics'));
    const open = () => (fold.open = true);
    fold.append(
      h(
        'div',
        { class: 'body' },
        others.map(([key, property]) => add(key, property, { open })),
      ),
    );
    return h(
      'section',
      { class: 'section open basics' },
      h('h2', { class: 'title' }, 'Basics'),
      h('div', { class: 'fields' }, elements),
      others.length > 0 ? fold : null,
    );
  }

  // The types that the template has.
  function typed(key, property) {
    return key === 'kubernetes_type' && template.kubernetes_types.length > 0
      ? { ...property, enum: template.kubernetes_types }
      : property;
  }

  function sections() {
    const large = properties.filter(([, property]) => !isSimple(kindOf(property)));
    const isNeeded = ([key]) => required.includes(key) && !short.has(key);
    const part = ([key, property]) => add(key, property, { isSection: true, isNeeded: isNeeded([key]) });
    return [
      large.filter(isNeeded).map(part),
      picker ? picker.element : null,
      h('h2', {}, 'More settings'),
      large.filter((each) => !isNeeded(each)).map(part),
    ];
  }

  function values() {
    const all = template.provider ? { provider: template.provider } : {};
    for (const [key, field] of fields) {
      const value = field.value();
      if (value !== undefined) all[key] = value;
    }
    const { cluster_name: name, ...others } = all;
    const chosen = picker?.value(),
      charts = picker?.chartValues();
    return {
      ...(name === undefined ? {} : { cluster_name: name }),
      ...others,
      ...(chosen ? { addons: chosen } : {}),
      ...(charts ? { addon_values: charts } : {}),
    };
  }

  const text = (name) =>
    `${JSON.stringify(name === undefined ? values() : { ...values(), cluster_name: name }, null, 2)}\n`;

  // Without passwords.
  function shownText() {
    const shown = structuredClone(values());
    each([...fields.values()], (field) => {
      if (!field.isSecret || field.value() === undefined) return;
      const path = field.tokens();
      const holder = path.slice(0, -1).reduce((at, token) => at?.[token], shown);
      if (holder) holder[path.at(-1)] = '<secret>';
    });
    return `${JSON.stringify(shown, null, 2)}\n`;
  }

  // The innermost field of a pointer; null: the form has none.
  function find(tokens) {
    if (tokens.length === 0) return null;
    if (tokens[0] === 'addons') return picker ? picker.find(tokens.slice(1)) : null;
    if (tokens[0] === 'addon_values' && picker) return picker.findChartValues(tokens[1]) || picker;
    return fields.get(tokens[0])?.find(tokens.slice(1)) || null;
  }

  // The same for a missing key, which a flat key may replace.
  const findMissing = (tokens) =>
    tokens.length === 1 && short.has(tokens[0]) ? fields.get(short.get(tokens[0])[0]) : find(tokens);

  const element = h(
    'div',
    { class: 'form' },
    searchBox(
      form,
      root,
      find,
      (key) => fields.has(key),
      () => [...short.values()].flat(),
    ),
    basics(),
    sections(),
  );
  return {
    element,
    name: () => String(fields.get('cluster_name')?.value() ?? ''),
    values,
    text,
    shownText,
    find,
    findMissing,
    set: (key, value) => fields.get(key)?.set?.(value),
    focus: () => fields.get('cluster_name')?.input?.focus(),
    touchAll: () => each([...fields.values()], (field) => field.touch?.()),
    showAddons: () => picker?.show(),
    // Shows each finding at its field. `findings`: with `tokens` and, if the form has one, `field`.
    mark(findings, checked) {
      isChecked = checked;
      missing = findings.map((finding) => finding.missing).filter(Boolean);
      const all = [...fields.values(), ...(picker ? [picker] : [])];
      each(all, (field) =>
        field.mark(
          findings.filter((finding) => finding.field === field),
          findings,
        ),
      );
    },
  };
}

function each(fields, visit) {
  for (const field of fields) {
    visit(field);
    if (field.fields)
      each(
        field.fields().filter((inner) => inner !== field),
        visit,
      );
  }
}

const MOST = 12; // results

// All keys with their titles, without those of list items.
function indexOf(form, schema, tokens, found, depth) {
  for (const [key, property] of propertiesOf(schema)) {
    const resolved = form.resolve(property);
    const path = [...tokens, key];
    if (form.isRefused(pointerOf(path))) continue;
    found.push({
      path,
      words: `${path.join('.')} ${titleOf(resolved, key)}`.toLowerCase(),
      title: titleOf(resolved, key),
    });
    if (depth < 5) indexOf(form, resolved, path, found, depth + 1);
  }
}

// Finds a setting by its key or title.
function searchBox(form, root, find, isKnown, shortForms) {
  const id = newId();
  let index = null;
  const results = h('ul', { class: 'results', 'aria-label': 'Settings' });
  const input = h('input', {
    id,
    type: 'search',
    placeholder: 'Find a setting',
    'aria-label': 'Find a setting',
    'data-search': true,
    autocomplete: 'off',
    oninput: () => show(),
    onkeydown: (event) => event.key === 'Enter' && results.querySelector('button')?.click(),
  });
  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!index) {
      index = shortForms().map((name) => ({
        path: [name],
        words: name.toLowerCase(),
        title: name.replaceAll('_', ' '),
      }));
      indexOf(form, root, [], index, 0);
    }
    const known = index.filter((entry) => isKnown(entry.path[0]));
    const matches =
      words.length === 0 ? [] : known.filter((entry) => words.every((word) => entry.words.includes(word)));
    replace(
      results,
      matches
        .slice(0, MOST)
        .map((entry) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', onclick: () => go(entry) },
              entry.title,
              ' ',
              h('code', {}, entry.path.join('.')),
            ),
          ),
        ),
      matches.length > MOST ? h('li', { class: 'muted' }, `${matches.length - MOST} more`) : null,
      words.length > 0 && matches.length === 0 ? h('li', { class: 'muted' }, 'No setting has these words.') : null,
    );
  }
  function go(entry) {
    input.value = '';
    replace(results);
    find(entry.path)?.reveal();
  }
  return h('div', { class: 'search' }, input, results);
}
