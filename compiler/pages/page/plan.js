// What a change does to machines: the document of `capwright plan -f json`.
import { counted, h } from './dom.js';

const MOST = 200; // characters of a value

function textOf(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function reason(each) {
  const change = [
    each.before !== undefined ? textOf(each.before) : null,
    each.after !== undefined ? textOf(each.after) : null,
  ];
  const values =
    change[0] === null
      ? change[1] === null
        ? ''
        : `+ ${change[1]}`
      : change[1] === null
        ? `− ${change[0]}`
        : `${change[0]} → ${change[1]}`;
  const by = [each.template, each.value].filter(Boolean).join(', from ');
  return h(
    'li',
    {},
    h('code', {}, [each.kind, each.path].filter(Boolean).join(' ')),
    values ? `: ${values}` : '',
    each.note ? `. ${each.note}` : '',
    by ? h('span', { class: 'muted by' }, `by ${by}`) : null,
  );
}

function action(each) {
  const machines =
    each.machines_known === false
      ? `${each.machines}${each.machines_most === undefined ? ' or more' : ` to ${each.machines_most}`} machines`
      : each.machines
        ? counted(each.machines, 'machine')
        : '';
  return h(
    'li',
    {},
    h('span', { class: `badge verb-${each.action}` }, each.action),
    ' ',
    h('strong', {}, `${each.target.replace('-', ' ')} ${each.name || ''}`),
    machines ? ` · ${machines}` : '',
    each.from || each.to ? ` · ${each.from || ''} → ${each.to || ''}` : '',
    each.reasons.length ? h('ul', {}, each.reasons.map(reason)) : null,
  );
}

// Null: there is no plan, or it has no actions.
export function plan(document) {
  const actions = document ? document.clusters.flatMap((each) => each.actions) : [];
  if (actions.length === 0) return null;
  return h('section', { class: 'plan' }, h('h2', {}, 'Plan'), h('ul', {}, actions.map(action)));
}
