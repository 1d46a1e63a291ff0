// Fields that contain fields: groups, maps, lists, and values of several forms. Their fields are made when they are opened.
import { counted, h, replace } from './dom.js';
import { hint, leaf, messages, newId, prose } from './fields.js';
import { formsOf, isSimple, kindOf, pointerOf, propertiesOf, titleOf } from './schema.js';

// For links to a field; the place in a list changes with the rows before it.
export function showPath(field) {
  (field.input || field.element).dataset.path = field.tokens().join('.');
}

// What all fields of a form share: {resolve, isRefused(pointer), changed(), isChecked()}.
export function makeField(form, schema, key, scope, options = {}) {
  const resolved = form.resolve(schema);
  const kind = kindOf(resolved);
  const makers = { group, map, list, forms };
  const field = isSimple(kind)
    ? leaf(resolved, key, scope, { ...options, isLayered: form.isChecked })
    : makers[kind](form, resolved, key, scope, options);
  // Later, as fields of an open part are made before the part itself.
  queueMicrotask(() => showPath(field));
  return field;
}

// A part that opens and closes. `fill` makes the content when it is opened for the first time.
function foldable(schema, key, scope, options, fill) {
  let isFilled = false;
  const notes = messages(newId());
  const needed = h('span', { class: 'badge needed', hidden: !options.isNeeded }, 'required');
  const state = h('span', { class: 'badges' });
  const body = h('div', { class: 'body' });
  const title = h(options.isSection ? 'h2' : 'span', { class: 'title' }, titleOf(schema, key));
  const element = h(
    'details',
    { class: options.isSection ? 'section' : 'group', open: Boolean(options.isOpen) },
    h('summary', {}, title, ' ', h('code', {}, String(key)), ' ', needed, ' ', state, options.extra || null),
    schema.description ? h('p', { class: 'description' }, prose(schema.description)) : null,
    notes.element,
    body,
  );
  function open() {
    scope.open();
    element.open = true;
    make();
  }
  function make() {
    if (isFilled) return;
    isFilled = true;
    fill(body);
  }
  element.addEventListener('toggle', () => element.open && make());
  if (options.isOpen) make();
  return {
    element,
    open,
    make,
    isFilled: () => isFilled,
    // `own`: findings about the part itself; `all`: also those inside of it.
    mark(own, all, isSet) {
      notes.show(own.filter((finding) => !finding.missing));
      const errors = all.filter((finding) => (finding.severity || 'error') === 'error');
      const missing = errors.filter((finding) => finding.missing).length;
      replace(state, [
        isSet ? h('span', { class: 'badge set' }, 'set') : null,
        missing ? h('span', { class: 'badge needed' }, `${missing} missing`) : null,
        errors.length > missing ? h('span', { class: 'badge error' }, counted(errors.length - missing, 'error')) : null,
      ]);
      if (options.isNeeded) needed.hidden = missing > 0 || isSet || options.isChecked();
    },
    reveal() {
      open();
      element.querySelector('summary').focus({ preventScroll: true });
      element.scrollIntoView({ block: 'start' });
    },
  };
}

const startsWith = (tokens, start) => start.every((token, at) => String(token) === tokens[at]);

// The findings below a container, for its summary.
function marker(self, fold) {
  return (own, all) => {
    const mine = self.tokens();
    showPath(self);
    fold.mark(
      own,
      all.filter((finding) => startsWith(finding.tokens, mine)),
      self.value() !== undefined,
    );
  };
}

export function group(form, schema, key, scope, options) {
  const children = new Map();
  const required = schema.required || [];
  const names = propertiesOf(schema).map(([name]) => name);
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ];
  const shown = ordered.filter((name) => !form.isRefused(pointerOf([...scope.tokens(), name])));
  let others = null;
  const fold = foldable(schema, key, scope, { ...options, isChecked: form.isChecked }, (body) => {
    for (const name of shown) {
      const tokens = () => [...scope.tokens(), name];
      const inner = { tokens, changed: scope.changed, open: () => fold.open() };
      // What a group needs is only needed once the group is, unless it is needed itself.
      const isNeeded = required.includes(name) && Boolean(options.isNeeded);
      const field = makeField(form, schema.properties[name], name, inner, { isNeeded });
      children.set(name, field);
      body.append(field.element);
    }
    if (typeof schema.additionalProperties !== 'object') return;
    others = map(
      form,
      { ...schema, title: 'Other keys', description: '' },
      '…',
      { ...scope, open: () => fold.open() },
      {},
    );
    body.append(others.element);
  });
  const self = {
    element: fold.element,
    tokens: scope.tokens,
    fields: () => [...children.values(), ...(others ? [others] : [])],
    value() {
      const value = { ...(others ? others.value() : {}) };
      for (const [name, field] of children) {
        const part = field.value();
        if (part !== undefined) value[name] = part;
      }
      return Object.keys(value).length > 0 || options.isItem ? value : undefined;
    },
    find(tokens) {
      if (tokens.length === 0) return self;
      if (!shown.includes(tokens[0]) && !others) return self;
      fold.make();
      const child = children.get(tokens[0]);
      if (child) return child.find(tokens.slice(1));
      return others ? others.find(tokens) : self;
    },
    reveal: fold.reveal,
  };
  self.mark = marker(self, fold);
  if (options.isItem) fold.make();
  return self;
}

// A row of a list or a map, with a button that removes it.
function row(content, name, remove, className) {
  return h(
    'li',
    { class: className },
    content,
    h(
      'button',
      { type: 'button', class: 'remove', 'aria-label': `Remove ${name}`, title: 'Remove', onclick: remove },
      '×',
    ),
  );
}

function addButton(words, add) {
  return h('button', { type: 'button', class: 'add', onclick: add }, words);
}

export function map(form, schema, key, scope, options) {
  const rows = [];
  const list = h('ul', { class: 'rows' });
  const kind = kindOf(form.resolve(schema.additionalProperties));

  function add(isByPerson) {
    const id = newId();
    const name = h('input', {
      id,
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
      'aria-label': `Name in ${titleOf(schema, key)}`,
      placeholder: 'name',
      oninput: () => scope.changed(),
    });
    const inner = { tokens: () => [...scope.tokens(), name.value], changed: scope.changed, open: fold.open };
    const field = makeField(form, schema.additionalProperties, 'value', inner, { isItem: true, isNeeded: false });
    const each = { name, field };
    each.element = row(
      [h('div', { class: 'name' }, name), field.element],
      'this entry',
      () => {
        rows.splice(rows.indexOf(each), 1);
        each.element.remove();
        button.focus();
        scope.changed();
      },
      isSimple(kind) ? 'pair' : 'part',
    );
    rows.push(each);
    list.append(each.element);
    if (isByPerson) name.focus();
  }

  const button = addButton('Add an entry', () => add(true));
  const names = form.resolve(schema.propertyNames || {});
  const expected = names['x-expected'] ? h('p', { class: 'muted' }, 'Names: ', prose(names['x-expected'])) : null;
  const fold = foldable(schema, key, scope, options, (body) =>
    body.append(...[expected, list, button].filter(Boolean)),
  );
  const self = {
    element: fold.element,
    tokens: scope.tokens,
    fields: () => rows.map((each) => each.field),
    value() {
      const named = rows.filter((each) => each.name.value !== '');
      if (named.length === 0) return undefined;
      return Object.fromEntries(named.map((each) => [each.name.value, each.field.value() ?? '']));
    },
    find(tokens) {
      const each = rows.find((known) => known.name.value === tokens[0]);
      return each ? each.field.find(tokens.slice(1)) : self;
    },
    reveal: fold.reveal,
  };
  self.mark = marker(self, fold);
  return self;
}

export function list(form, schema, key, scope, options) {
  const rows = [];
  const items = h('ol', { class: 'rows' });
  const itemSchema = form.resolve(schema.items || {});
  const isPlain = isSimple(kindOf(itemSchema));
  // Empty rows of plain values aren't sent.
  const sent = () => rows.filter((each) => !isPlain || each.field.value() !== undefined);

  function add(isByPerson) {
    const each = {};
    const inner = {
      tokens: () => [...scope.tokens(), String(Math.max(0, sent().indexOf(each)))],
      changed: scope.changed,
      open: fold.open,
    };
    const name = `${titleOf(schema, key)} ${rows.length + 1}`;
    each.field = makeField(
      form,
      { ...itemSchema, title: isPlain ? name : itemSchema.title || name },
      rows.length + 1,
      inner,
      {
        isItem: true,
        isNeeded: !isPlain,
        isOpen: true,
      },
    );
    each.element = row(
      each.field.element,
      name,
      () => {
        rows.splice(rows.indexOf(each), 1);
        each.element.remove();
        button.focus();
        scope.changed();
      },
      isPlain ? 'plain' : 'part',
    );
    rows.push(each);
    items.append(each.element);
    if (!isByPerson) return;
    each.element.querySelector('input, select, textarea')?.focus();
    if (!isPlain) scope.changed();
  }

  const button = addButton(isPlain ? 'Add a value' : 'Add one', () => add(true));
  const what = isPlain ? hint({ ...itemSchema, description: '' }, newId()) : null;
  const fold = foldable(schema, key, scope, options, (body) => body.append(...[what, items, button].filter(Boolean)));
  const self = {
    element: fold.element,
    tokens: scope.tokens,
    fields: () => rows.map((each) => each.field),
    value() {
      const values = sent().map((each) => each.field.value());
      return values.length > 0 ? values : undefined;
    },
    find(tokens) {
      const each = tokens.length > 0 ? sent()[Number(tokens[0])] : undefined;
      return each ? each.field.find(tokens.slice(1)) : self;
    },
    reveal: fold.reveal,
  };
  self.mark = marker(self, fold);
  return self;
}

// A value that has one of several forms: the person chooses which.
export function forms(form, schema, key, scope, options) {
  const all = formsOf(schema).map((each) => form.resolve(each));
  const id = newId();
  const place = h('div', {});
  let field = null;
  const choice = h(
    'select',
    { id, onchange: () => (show(choice.value), scope.changed()) },
    h('option', { value: '' }, options.isNeeded ? 'Choose' : 'Not set'),
    all.map((each, at) => h('option', { value: String(at) }, titleOf(each, [each.type].flat()[0] || `form ${at + 1}`))),
  );
  const element = h(
    'div',
    { class: options.isSection ? 'section open' : 'field' },
    h('div', { class: 'label' }, h('label', { for: id }, titleOf(schema, key), ' ', h('code', {}, String(key)))),
    choice,
    schema.description ? h('div', { class: 'hint-text' }, h('p', {}, prose(schema.description))) : null,
    place,
  );
  function show(at) {
    field =
      at === ''
        ? null
        : makeField(form, { ...all[Number(at)] }, key, scope, { ...options, isSection: false, isOpen: true });
    replace(place, field ? field.element : null);
  }
  const self = {
    element,
    input: choice,
    tokens: scope.tokens,
    fields: () => (field ? [field] : []),
    value: () => (field ? field.value() : undefined),
    find: (tokens) => (field ? field.find(tokens) : self),
    mark() {},
    reveal() {
      scope.open();
      choice.focus();
    },
  };
  return self;
}
