// The choice of add-ons, with their chart values. It makes the values `addons` and `addon_values`.
import { addonDefaults } from './api.js';
import { h, replace } from './dom.js';
import { messages, newId, prose } from './fields.js';
import { makeField } from './containers.js';
import { propertiesOf } from './schema.js';

// `schema`: of `addons`. `addons`: those of the template. `form`: also has kubernetesType() and values(), the text of
// all values.
export function addonPicker(form, schema, addons, scope) {
  const rows = addons.map((addon) => addonRow(form, form.resolve(schema.items || {}), addon, scope));
  const notes = messages(newId());
  const list = h(
    'ul',
    { class: 'addons' },
    rows.map((row) => row.element),
  );
  const search = h('input', {
    type: 'search',
    'aria-label': 'Search add-ons',
    placeholder: 'Search add-ons',
    oninput: () => show(),
  });
  const element = h(
    'section',
    { class: 'section open' },
    h('h2', { class: 'title' }, 'Add-ons ', h('code', {}, 'addons')),
    h('p', { class: 'description' }, prose(schema.description || 'What is installed on the cluster.')),
    notes.element,
    search,
    list,
  );

  function show() {
    const wanted = search.value.toLowerCase();
    for (const row of rows) row.show(form.kubernetesType(), wanted);
  }

  const chosen = () => rows.filter((row) => row.isChosen());
  show();
  return {
    element,
    show,
    tokens: scope.tokens,
    fields: () => rows.flatMap((row) => row.fields()),
    value() {
      const items = chosen().map((row) => row.item());
      return items.length > 0 ? items : undefined;
    },
    chartValues() {
      const texts = chosen().flatMap((row) => (row.chartText() === undefined ? [] : [[row.id, row.chartText()]]));
      return texts.length > 0 ? Object.fromEntries(texts) : undefined;
    },
    find(tokens) {
      const row = chosen()[Number(tokens[0])];
      return tokens.length > 0 && row ? row.find(tokens.slice(1)) : this;
    },
    findChartValues: (id) => rows.find((row) => row.id === id)?.chart,
    mark: (own) => notes.show(own),
    reveal: () => element.scrollIntoView({ block: 'start' }),
  };
}

function chartEditor(form, addon, inner) {
  const id = newId();
  const notes = messages(`${id}-messages`);
  const text = h('textarea', {
    id,
    rows: '12',
    spellcheck: 'false',
    autocomplete: 'off',
    wrap: 'off',
    'aria-describedby': `${id}-messages`,
    oninput: () => inner.changed(),
  });
  const place = h('div', { hidden: true }, h('label', { for: id }, `Chart values of ${addon.id} (YAML)`), text);
  let shown = '';
  const button = h('button', { type: 'button', onclick: () => load() }, 'Edit chart values');
  async function load() {
    button.disabled = true;
    try {
      shown = (await addonDefaults(addon.id, form.values())).values;
      text.value = shown;
      place.hidden = false;
      button.textContent = 'Reset chart values';
      notes.show([]);
      inner.changed();
      text.focus();
    } catch (error) {
      notes.show([
        { detail: `The chart values can’t be shown yet: ${error.message}. Fill in the required fields first` },
      ]);
    }
    button.disabled = false;
  }
  const self = {
    element: h('div', { class: 'field' }, button, place, notes.element),
    tokens: () => ['addon_values', addon.id],
    // What was shown and not changed is the template's.
    value: () => (place.hidden || text.value === shown ? undefined : text.value),
    find: () => self,
    mark: (findings) => notes.show(findings),
    reveal() {
      inner.open();
      (place.hidden ? button : text).focus();
    },
  };
  return self;
}

function addonRow(form, schema, addon, scope) {
  const id = newId();
  const notes = messages(`${id}-messages`);
  const box = h('input', {
    type: 'checkbox',
    id,
    'aria-describedby': `${id}-title ${id}-messages`,
    onchange: () => {
      replace(settings, box.checked ? fold : null);
      scope.changed();
    },
  });
  const settings = h('div', { class: 'settings' });
  const body = h('div', { class: 'body' });
  const fold = h('details', { class: 'group' }, h('summary', {}, 'Settings of ', h('code', {}, addon.id)), body);
  const inner = {
    tokens: () => [...scope.tokens(), String(index())],
    changed: scope.changed,
    open() {
      scope.open();
      fold.open = true;
    },
  };
  const index = () =>
    [...element.parentElement.children].filter((each) => each.querySelector('input').checked).indexOf(element);
  const chart = addon.has_values ? chartEditor(form, addon, inner) : null;
  const fields = new Map();
  for (const [name, property] of propertiesOf(schema)) {
    // The editor of chart values replaces these two.
    if (['id', 'values', 'merge'].includes(name)) continue;
    const tokens = () => [...inner.tokens(), name];
    fields.set(name, makeField(form, property, name, { ...inner, tokens }, {}));
  }
  body.append(...[...fields.values()].map((field) => field.element));
  if (chart) body.prepend(chart.element);
  const needs = addon.needs.length > 0 ? ` · needs ${addon.needs.join(', ')}` : '';
  const element = h(
    'li',
    {},
    h('div', { class: 'choice' }, box, h('label', { for: id }, h('code', {}, addon.id))),
    h(
      'div',
      { class: 'about' },
      h('p', { id: `${id}-title` }, prose(addon.title)),
      h('p', { class: 'muted' }, `${addon.version}${addon.role ? ` · ${addon.role}` : ''}${needs}`),
      addon.implied
        ? h('p', { class: 'muted' }, 'Installed on every cluster; choose it to change its settings.')
        : null,
      notes.element,
      settings,
    ),
  );
  const self = {
    id: addon.id,
    element,
    chart,
    tokens: inner.tokens,
    isChosen: () => box.checked,
    fields: () => [self, ...fields.values(), ...(chart ? [chart] : [])],
    item() {
      const more = [...fields].map(([name, field]) => [name, field.value()]).filter(([, value]) => value !== undefined);
      return more.length > 0 ? { id: addon.id, ...Object.fromEntries(more) } : addon.id;
    },
    chartText: () => (chart ? chart.value() : undefined),
    find: (tokens) => (fields.has(tokens[0]) ? fields.get(tokens[0]).find(tokens.slice(1)) : self),
    mark: (own) => notes.show(own),
    show(type, wanted) {
      const fits = !type || addon.kubernetes_types.includes(type);
      const matches = `${addon.id} ${addon.title} ${addon.role}`.toLowerCase().includes(wanted);
      element.hidden = !box.checked && !(fits && matches);
    },
    reveal() {
      scope.open();
      element.hidden = false;
      box.focus({ preventScroll: true });
      element.scrollIntoView({ block: 'center' });
    },
  };
  return self;
}
