// What publishing would do: the plan, and the files of the commit.
import { loadPlan, render } from './api.js';
import { counted, h, replace, visible } from './dom.js';
import { plan } from './plan.js';

const MOST_LINES = 5000;

function code(path, text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, MOST_LINES);
  return h(
    'div',
    { class: 'code', tabindex: '0', role: 'region', 'aria-label': `Text of ${path}` },
    shown.map((line, at) =>
      h('div', { class: 'line' }, h('span', { class: 'number', 'aria-hidden': 'true' }, at + 1), h('code', {}, line)),
    ),
    lines.length > shown.length
      ? h('p', { class: 'muted hint' }, `${counted(lines.length - shown.length, 'more line')}`)
      : null,
  );
}

const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// `files`: [{path, text, note}]
function browser(files) {
  const heading = h('h3', { class: 'path' });
  const note = h('p', { class: 'muted' });
  const content = h('div', {});
  const buttons = new Map();
  function choose(file) {
    for (const [path, button] of buttons) {
      if (path === file.path) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    heading.textContent = visible(file.path);
    note.textContent = file.note;
    replace(content, code(file.path, file.text));
  }
  const entries = [];
  let folder = '';
  for (const file of files) {
    if (folderOf(file.path) !== folder) entries.push(h('p', { class: 'folder' }, (folder = folderOf(file.path))));
    const button = h(
      'button',
      { type: 'button', class: 'file', onclick: () => choose(file) },
      h('span', { class: 'name' }, file.path.slice(folder.length)),
    );
    if (file.isRedacted) button.append(h('span', { class: 'badge warning' }, 'redacted'));
    buttons.set(file.path, button);
    entries.push(button);
  }
  const element = h(
    'div',
    { class: 'files' },
    h('nav', { class: 'tree', 'aria-label': 'Files' }, entries),
    h('div', {}, heading, note, content),
  );
  if (files.length > 0) choose(files[0]);
  return element;
}

const STALE =
  'The clone of the server lacks the last publication: the plan compares with the state before it. ' +
  '“Publish…” asks for each consequence.';

// `isChange`: the branch has the cluster. A clone that wasn't pulled would create it.
function planPart(document, isChange) {
  const actions = plan(document);
  const creates = (each) => each.actions.some((one) => one.action === 'create' && one.target === 'cluster');
  const isStale = isChange && document.clusters.some(creates);
  if (isStale) actions.append(h('p', { class: 'message warning' }, STALE));
  if (actions) return actions;
  return h('section', { class: 'plan' }, h('h2', {}, 'Plan'), h('p', { class: 'muted' }, 'Machines stay as they are.'));
}

// `request`: {template, text, shownText, valuesPath, actions, findings, isChange}. Resolves to {element, plan, count}.
export async function loadReview(request) {
  const may = (action) => request.actions.includes(action);
  const [rendered, planned] = await Promise.all([
    may('render') ? render(request.template, request.text) : null,
    may('plan') ? loadPlan(request.template, request.text) : null,
  ]);
  const files = [
    {
      path: request.valuesPath,
      text: request.shownText,
      note: 'The values, as they are committed. Passwords are hidden here.',
    },
    ...Object.entries(rendered ? rendered.files : {})
      .sort(([a], [b]) => compare(folderOf(a), folderOf(b)) || compare(a, b))
      .map(([path, text]) => ({
        path,
        text,
        isRedacted: rendered.redacted.includes(path),
        note: rendered.redacted.includes(path) ? 'Secrets of this file are redacted.' : '',
      })),
  ];
  const refused = (action, what) =>
    may(action) ? null : h('p', { class: 'muted' }, `This token lacks the action “${action}”: ${what} isn’t shown.`);
  return {
    element: h(
      'div',
      { class: 'review' },
      planned ? planPart(planned, request.isChange) : refused('plan', 'the plan'),
      request.findings.length > 0
        ? h(
            'section',
            { class: 'plan' },
            h('h2', {}, 'Findings'),
            h(
              'ul',
              {},
              request.findings.map((finding) =>
                h('li', {}, h('span', { class: `badge ${finding.severity}` }, finding.severity), ' ', finding.detail),
              ),
            ),
          )
        : null,
      h('h2', {}, rendered ? counted(files.length, 'file') : 'Values'),
      refused('render', 'the rendered files'),
      browser(files),
    ),
    plan: planned,
    count: files.length - 1,
  };
}
