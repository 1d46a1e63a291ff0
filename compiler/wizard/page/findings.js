// What the server says about the values: a list with links to the fields.
import { counted, h, replace } from './dom.js';
import { prose } from './fields.js';
import { tokensOf } from './schema.js';

const ORDER = ['error', 'warning', 'note'];

// As the form has them, from the top.
function byPlace(a, b) {
  if (!a || !b || a === b) return 0;
  return a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

// Each finding with the field that it is about, and the keys on the way to it.
export function placed(findings, form) {
  return findings
    .map((finding) => {
      const pointer = finding.missing || finding.pointer;
      const tokens = pointer ? tokensOf(pointer) : [];
      return {
        ...finding,
        severity: finding.severity || 'error',
        tokens,
        field: finding.missing ? form.findMissing(tokens) : form.find(tokens),
      };
    })
    .sort(
      (a, b) =>
        Number(Boolean(a.missing)) - Number(Boolean(b.missing)) ||
        ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity) ||
        byPlace(a.field, b.field),
    );
}

// "2 errors, 1 to fill in"
export function summary(findings) {
  const missing = findings.filter((finding) => finding.missing).length;
  const parts = ORDER.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity && !finding.missing).length;
    return count > 0 ? counted(count, severity) : '';
  });
  if (missing > 0) parts.push(`${missing} to fill in`);
  return parts.filter(Boolean).join(', ');
}

export const isValid = (findings) => findings.every((finding) => finding.severity !== 'error');

function entry(finding) {
  const path = finding.tokens.join('.');
  const where = finding.field
    ? h('button', { type: 'button', class: 'link', onclick: () => finding.field.reveal() }, path)
    : path || (finding.path ? `${finding.path}${finding.start ? `:${finding.start.line}` : ''}` : '');
  return h(
    'li',
    { class: `finding ${finding.missing ? 'needed' : finding.severity}` },
    h(
      'p',
      {},
      h(
        'span',
        { class: `badge ${finding.missing ? 'needed' : finding.severity}` },
        finding.missing ? 'to fill in' : finding.severity,
      ),
      ' ',
      where,
    ),
    h('p', {}, prose(finding.detail), finding.code ? h('span', { class: 'muted' }, ` ${finding.code}`) : null),
    (finding.notes || []).map((note) => h('p', { class: 'muted' }, prose(note))),
    finding.help ? h('p', {}, h('strong', {}, 'help: '), prose(finding.help)) : null,
  );
}

export function findingsList() {
  const title = h('h2', {}, 'Findings');
  const list = h('ul', { class: 'findings' });
  const state = h('p', { class: 'muted' });
  return {
    element: h('aside', { class: 'side', 'aria-label': 'Findings', id: 'findings' }, title, state, list),
    show(findings, words) {
      state.textContent = words;
      replace(list, findings.map(entry));
    },
  };
}
