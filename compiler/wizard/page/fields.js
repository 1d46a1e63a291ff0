// Fields with one value. Each field has: element, value(), find(tokens), tokens(), reveal(), mark(findings).
import { h, replace, visible } from './dom.js';
import { defaultText, exampleTexts, kindOf, titleOf, typesOf } from './schema.js';

let count = 0;
export const newId = () => `f${(count += 1)}`;

// Words with `code` in backticks.
export const prose = (text) =>
  String(text)
    .split('`')
    .map((part, at) => (at % 2 ? h('code', {}, part) : part));

// What is below a field: its description, the expected form, the default and examples.
export function hint(schema, id) {
  const lines = [];
  if (schema.description) lines.push(prose(schema.description));
  const examples = exampleTexts(schema);
  const facts = [];
  if (schema['x-expected']) facts.push(['Expected: ', prose(schema['x-expected']), '. ']);
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    facts.push(`From ${schema.minimum} to ${schema.maximum}. `);
  if (defaultText(schema)) facts.push(['Default: ', h('code', {}, defaultText(schema)), '. ']);
  if (examples.length > 0)
    facts.push(['Example: ', examples.map((text, at) => [at ? ', ' : '', h('code', {}, text)]), '. ']);
  if (facts.length > 0) lines.push(facts);
  return h(
    'div',
    { class: 'hint-text', id },
    lines.map((line) => h('p', {}, line)),
  );
}

// The messages at a field. Returns {element, show(findings)}.
export function messages(id) {
  const element = h('div', { class: 'messages', id });
  return {
    element,
    show(findings) {
      replace(
        element,
        findings.map((finding) =>
          h(
            'p',
            { class: `message ${finding.severity || 'error'}` },
            h('span', { class: 'unseen' }, `${finding.severity || 'error'}: `),
            prose(finding.detail),
            finding.help ? h('span', { class: 'muted' }, ' ', prose(finding.help)) : null,
          ),
        ),
      );
    },
  };
}

function choices(schema, isNeeded) {
  const options = schema.enum || [true, false];
  const chosen = defaultText(schema);
  const none = chosen ? `Default: ${chosen}` : isNeeded ? 'Choose' : 'Not set';
  return [
    h('option', { value: '' }, none),
    ...options
      .filter((option) => option !== null)
      .map((option) => h('option', { value: JSON.stringify(option) }, String(option))),
  ];
}

function inputFor(kind, schema, isNeeded, attributes) {
  const placeholder = visible(defaultText(schema));
  const common = { ...attributes, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', placeholder };
  if (kind === 'choice' || kind === 'boolean') return h('select', attributes, choices(schema, isNeeded));
  if (kind === 'text' || kind === 'document') return h('textarea', { ...common, rows: kind === 'text' ? '4' : '3' });
  if (kind === 'secret') return h('input', { ...common, type: 'password', autocomplete: 'new-password' });
  return h('input', { ...common, type: 'text', inputmode: kind === 'number' ? 'numeric' : null });
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

// The value that the text means; what isn't of the type stays a text, and the server says what is wrong with it.
function valueOf(text, kind, schema) {
  const types = typesOf(schema);
  if (kind === 'choice' || kind === 'boolean') return JSON.parse(text);
  if ((kind === 'number' || kind === 'mixed') && NUMBER.test(text.trim())) return Number(text);
  if (kind === 'mixed' && types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  if (kind !== 'document') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const SECRET_NOTE = 'The values are committed: a secret in plain text can be refused. Prefer a secret store.';

// `scope`: {tokens(), changed()} of what contains the field, with its key or index as the last token.
export function leaf(schema, key, scope, options = {}) {
  const kind = kindOf(schema);
  const id = newId();
  const notes = messages(`${id}-messages`);
  const needed = h('span', { class: 'badge needed', hidden: !options.isNeeded }, 'required');
  let isTouched = false;
  let found = [];
  const input = inputFor(kind, schema, options.isNeeded, {
    id,
    'aria-describedby': `${id}-hint ${id}-messages`,
    oninput: () => scope.changed(),
    onblur: () => {
      isTouched = true;
      self.mark(found);
    },
  });
  const label = h('label', { for: id }, titleOf(schema, key), ' ', options.isItem ? null : h('code', {}, String(key)));
  const secret = kind === 'secret' ? h('p', { class: 'muted' }, SECRET_NOTE) : null;
  const element = h(
    'div',
    { class: 'field' },
    h('div', { class: options.isItem ? 'unseen' : 'label' }, label, ' ', needed),
    input,
    notes.element,
    options.isItem ? h('div', { id: `${id}-hint` }) : hint(schema, `${id}-hint`),
    secret,
  );
  const self = {
    element,
    input,
    isSecret: kind === 'secret',
    tokens: scope.tokens,
    value: () => (input.value === '' ? undefined : valueOf(input.value, kind, schema)),
    set(value) {
      const isText = typeof value === 'string' && kind !== 'choice' && kind !== 'boolean';
      input.value = value === undefined ? '' : isText ? value : JSON.stringify(value);
    },
    find: () => self,
    touch: () => (isTouched = true),
    // A missing value is only an error after its field was left. A layer may set a required key: then nothing is missing.
    mark(findings) {
      found = findings;
      input.dataset.path = self.tokens().join('.');
      const shown = findings.filter((finding) => !finding.missing || isTouched);
      notes.show(shown);
      const isBad = shown.some((finding) => (finding.severity || 'error') === 'error');
      input.setAttribute('aria-invalid', String(isBad));
      element.classList.toggle('bad', isBad);
      const isMissing = findings.some((finding) => finding.missing) || options.isMissing?.();
      if (options.isNeeded)
        needed.textContent = isMissing || input.value || !options.isLayered() ? 'required' : 'set by a layer';
      else needed.hidden = !isMissing;
    },
    reveal() {
      scope.open();
      input.focus({ preventScroll: true });
      element.scrollIntoView({ block: 'center' });
    },
  };
  return self;
}
