// One cluster: its files, and views of them. Each view draws into the same place.
import { get, link, send } from './api.js';
import { counted, h, refresh, replace, showProblem } from './dom.js';
import { manifestView } from './manifest.js';
import { changesView, findingsView } from './changes.js';
import { editView } from './edit.js';
import { graphView } from './graph.js';

const VIEWS = [
  ['manifests', 'Manifests', manifestView],
  ['values', 'Values', editView],
  ['changes', 'Changes', changesView],
  ['findings', 'Findings', findingsView],
  ['objects', 'Objects', graphView],
];
const SIGNS = { added: '+', removed: '−', changed: '~', same: '' };

function machines(count, most, known) {
  if (known !== false) return `${count}`;
  return most === undefined ? `${count} or more` : `${count} to ${most}`;
}

export function planSummary(cluster) {
  if (!cluster.clean) return 'The cluster can’t be rendered; its findings say why.';
  const plan = cluster.plan;
  if (!plan) return cluster.comparison_error || '';
  const changed = cluster.files.filter((file) => file.status !== 'same').length;
  if (plan.failed) return `${plan.before} can't be rendered.`;
  const files = changed
    ? `${counted(changed, 'file')} differ${changed === 1 ? 's' : ''} from ${plan.before}`
    : `Equal to ${plan.before}`;
  const replaced = machines(plan.replaced, plan.replaced_most, plan.replaced_known);
  return replaced === '0'
    ? `${files}.`
    : `${files}; ${replaced} of ${machines(plan.machines, plan.machines_most, plan.machines_known)} machines replaced.`;
}

export function clusterPage(top, main) {
  let place = {};
  let cluster = null;
  let view = null;
  let viewName = '';
  const title = h('h1');
  const set = h('span', { class: 'muted' });
  const base = h('input', {
    list: 'revisions',
    placeholder: 'the tree',
    'aria-label': 'Compare with a revision',
    size: 14,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const compare = h(
    'form',
    {
      class: 'compare',
      onsubmit: (event) => {
        event.preventDefault();
        go({ base: base.value.trim() });
      },
    },
    h('label', {}, 'Compare with ', base),
    h(
      'datalist',
      { id: 'revisions' },
      ['HEAD', 'HEAD~1', 'origin/main'].map((name) => h('option', { value: name })),
    ),
  );
  const drafts = h('div', { class: 'drafts' });
  const tabs = h('nav', { class: 'tabs', 'aria-label': 'Views' });
  const summary = h('p', { class: 'summary' });
  const tree = h('nav', { class: 'tree', 'aria-label': 'Files' });
  const content = h('div', { class: 'content' });
  replace(
    top,
    h(
      'div',
      { class: 'bar' },
      h('nav', { 'aria-label': 'Position' }, h('a', { href: link('fleet') }, 'Clusters'), ' /'),
      title,
      set,
      compare,
    ),
  );
  replace(main, drafts, tabs, summary, h('div', { class: 'cluster' }, tree, content));

  const go = (changes) => {
    window.location.hash = link('cluster', { ...place, page: undefined, ...changes });
  };

  async function act(method, name, path) {
    try {
      await send(method, name, { path });
      showProblem('');
    } catch (error) {
      showProblem(error.message);
    }
  }

  function showDrafts() {
    refresh(
      drafts,
      cluster.drafts.map((path) =>
        h(
          'p',
          {},
          h('strong', {}, path),
          ' has changes that aren’t written. ',
          h(
            'button',
            { class: 'main', onclick: () => act('POST', 'write', path), 'data-key': `write ${path}` },
            'Write',
          ),
          ' ',
          h('button', { onclick: () => act('DELETE', 'draft', path), 'data-key': `revert ${path}` }, 'Revert'),
        ),
      ),
    );
  }

  function showTabs() {
    const counts = {
      findings: cluster.findings.length,
      changes: cluster.files.filter((file) => file.status !== 'same').length,
    };
    refresh(
      tabs,
      VIEWS.map(([name, label]) =>
        h(
          'a',
          {
            href: link('cluster', {
              values: place.values,
              base: place.base,
              file: place.file,
              line: place.line,
              view: name,
            }),
            'aria-current': name === viewName ? 'page' : null,
            'data-key': name,
          },
          label,
          counts[name] ? h('span', { class: 'count' }, counts[name]) : null,
        ),
      ),
    );
  }

  // Folders are headings of their files: a cluster has few.
  function showTree() {
    let folder = null;
    const parts = [];
    const prefix = cluster.files.length ? /^(.*?clusters\/[^/]+\/)/.exec(cluster.files[0].path)?.[1] || '' : '';
    for (const file of cluster.files) {
      const name = file.path.startsWith(prefix) ? file.path.slice(prefix.length) : file.path;
      const cut = name.lastIndexOf('/') + 1;
      if (name.slice(0, cut) !== folder) {
        folder = name.slice(0, cut);
        parts.push(h('h3', { class: 'folder' }, folder || prefix || './'));
      }
      const found = cluster.marks.get(file.path) || [];
      parts.push(
        h(
          'a',
          {
            href: link('cluster', { values: place.values, base: place.base, file: file.path }),
            'data-key': file.path,
            class: `file ${file.status}`,
            'aria-current': file.path === place.file && viewName === 'manifests' ? 'page' : null,
          },
          h('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[file.status]),
          h('span', { class: 'name' }, name.slice(cut)),
          file.status === 'same' ? null : h('span', { class: 'unseen' }, ` (${file.status})`),
          file.added || file.removed
            ? h(
                'span',
                { class: 'lines' },
                file.added ? h('ins', {}, `+${file.added}`) : null,
                file.removed ? h('del', {}, `−${file.removed}`) : null,
              )
            : null,
          found.length
            ? h('span', { class: `badge ${worst(found)}`, title: counted(found.length, 'finding') }, found.length)
            : null,
        ),
      );
    }
    refresh(
      tree,
      parts.length ? parts : h('p', { class: 'muted' }, 'No files: the cluster can’t be rendered. See its findings.'),
    );
  }

  // Findings by the files that they point to, with each place.
  function addMarks() {
    cluster.marks = new Map();
    const add = (path, start, finding, text) => {
      if (!path || !start) return;
      if (!cluster.marks.has(path)) cluster.marks.set(path, []);
      cluster.marks.get(path).push({ line: start.line, severity: finding.severity, code: finding.code, text });
    };
    for (const finding of cluster.findings) {
      add(finding.path, finding.start, finding, finding.message);
      for (const label of finding.labels || []) {
        if (/(^|\/)clusters\//.test(label.path || '') && label.path !== finding.path)
          add(label.path, label.start, finding, finding.message);
      }
    }
  }

  return {
    items: () => (view && view.items && view.items().length ? view.items() : [...tree.querySelectorAll('a')]),
    keys: {
      '[': () => turn(-1),
      ']': () => turn(1),
      e: () => go({ view: 'values' }),
      u: () => {
        window.location.hash = link('fleet');
      },
    },
    async update(wanted) {
      place = wanted;
      cluster = await get('cluster', { values: place.values, base: place.base || '' });
      addMarks();
      if (!place.file || !cluster.files.some((file) => file.path === place.file)) {
        const first =
          cluster.files.find((file) => file.status !== 'same') ||
          cluster.files.find((file) => file.path.endsWith('/cluster.yaml')) ||
          cluster.files[0];
        place = { ...place, file: first ? first.path : '', line: undefined };
      }
      const isKnown = VIEWS.some(([name]) => name === place.view);
      const wantedView = isKnown ? place.view : cluster.clean ? 'manifests' : 'findings';
      document.title = `${cluster.name} · capwright preview`;
      title.textContent = cluster.name;
      set.textContent = cluster.set || '';
      if (document.activeElement !== base) base.value = place.base || '';
      summary.textContent = planSummary(cluster);
      summary.classList.toggle('bad', Boolean(cluster.comparison_error) || !cluster.clean);
      main.querySelector('.cluster').dataset.view = wantedView;
      if (wantedView !== viewName) {
        viewName = wantedView;
        view = VIEWS.find(([name]) => name === viewName)[2](content, go);
      }
      showDrafts();
      showTabs();
      showTree();
      await view.update(place, cluster);
    },
  };

  function turn(step) {
    const files = cluster.files.map((file) => file.path);
    const next = files[files.indexOf(place.file) + step];
    if (next) go({ file: next, line: undefined, view: 'manifests' });
  }
}

export function worst(findings) {
  return (
    ['error', 'warning', 'note'].find((severity) => findings.some((finding) => finding.severity === severity)) || 'note'
  );
}
