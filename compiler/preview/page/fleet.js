// The list of clusters. Names are there at once; states follow in parts, so that others can ask between them.
import { get, link } from './api.js';
import { counted, h, pausing, refresh, replace } from './dom.js';

const PART = 48; // clusters of one request for states

function findings(state) {
  const marks = [
    ['error', state.errors],
    ['warning', state.warnings],
    ['note', state.notes],
  ]
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => h('span', { class: `badge ${severity}` }, counted(count, severity)));
  return marks.length ? marks : h('span', { class: 'muted' }, 'no findings');
}

function plan(state) {
  if (!state.clean) return h('span', { class: 'badge error' }, "can't be rendered");
  const changes = { added: 'new cluster', removed: 'removed', changed: 'changed' };
  const parts = [];
  if (state.replaced) parts.push(h('span', { class: 'badge roll' }, `replaces ${state.replaced}`));
  else if (state.worst && state.worst !== 'no-op') parts.push(h('span', { class: 'badge change' }, state.worst));
  if (changes[state.change])
    parts.push(h('span', { class: parts.length ? 'muted' : 'badge change' }, changes[state.change]));
  return parts.length ? parts : h('span', { class: 'muted' }, 'up to date');
}

export function fleetPage(top, main) {
  let clusters = [];
  let generation = 0;
  const states = new Map(); // by values file
  const rows = new Map();
  const search = h('input', {
    type: 'search',
    placeholder: 'Search   /',
    'aria-label': 'Search clusters',
    'data-search': true,
    autocomplete: 'off',
    oninput: () => filter(),
    onkeydown: (event) => {
      if (event.key === 'Enter') body.querySelector('tr:not([hidden]) a')?.click();
    },
  });
  const summary = h('p', { class: 'summary', 'aria-live': 'polite' });
  const body = h('tbody');
  const empty = h('p', { class: 'muted', hidden: true }, 'No cluster has this in its name, path or state.');
  const title = h('h1', {}, 'Clusters');
  replace(top, h('div', { class: 'bar' }, title, search));
  replace(
    main,
    summary,
    h(
      'table',
      { class: 'fleet' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'Cluster'),
          h('th', { scope: 'col' }, 'Findings'),
          h('th', { scope: 'col' }, 'Plan'),
          h('th', { scope: 'col', class: 'wide' }, 'Values'),
        ),
      ),
      body,
    ),
    empty,
  );

  function words(cluster) {
    const state = states.get(cluster.values);
    const of = !state
      ? ''
      : [state.errors && 'error', state.warnings && 'warning', state.change, state.worst].filter(Boolean).join(' ');
    return `${cluster.name} ${cluster.values} ${of}`.toLowerCase();
  }

  function filter() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const cluster of clusters) {
      const text = words(cluster);
      const matches = wanted.every((word) => text.includes(word));
      rows.get(cluster.values).row.hidden = !matches;
      count += matches ? 1 : 0;
    }
    empty.hidden = count > 0 || clusters.length === 0;
    summarize(count);
  }

  function summarize(count) {
    const known = [...states.values()];
    const sum = (key) => known.reduce((all, state) => all + (state[key] || 0), 0);
    const parts = [
      count === clusters.length ? counted(count, 'cluster') : `${count} of ${counted(clusters.length, 'cluster')}`,
    ];
    if (known.length < clusters.length) parts.push(`${known.length} checked`);
    parts.push(counted(sum('errors'), 'error'), counted(sum('warnings'), 'warning'));
    const changed = known.filter((state) => state.change && state.change !== 'same').length;
    parts.push(changed === 1 ? '1 differs from the tree' : `${changed} differ from the tree`);
    summary.textContent = parts.join(' · ');
  }

  function show(cluster) {
    const state = states.get(cluster.values);
    const { name, found, planned } = rows.get(cluster.values);
    name.textContent = state.name;
    replace(found, findings(state));
    replace(planned, plan(state));
  }

  function list() {
    rows.clear();
    refresh(
      body,
      clusters.map((cluster) => {
        const name = h('a', { href: link('cluster', { values: cluster.values }), 'data-key': cluster.values });
        const found = h('td', {}, '…');
        const planned = h('td', {}, '…');
        const row = h(
          'tr',
          {},
          h('th', { scope: 'row' }, name),
          found,
          planned,
          h('td', { class: 'wide muted' }, cluster.values),
        );
        rows.set(cluster.values, { row, name, found, planned });
        return row;
      }),
    );
    for (const cluster of clusters) if (states.has(cluster.values)) show(cluster);
    filter();
  }

  const filterSoon = pausing(100, filter);

  // Ends when the fleet has changed: the next update begins again.
  async function loadStates(begun) {
    for (let from = 0; from < clusters.length && begun === generation; from += PART) {
      const part = await get('states', { from, count: PART });
      if (begun !== generation || !body.isConnected) return;
      for (const state of part.states) {
        states.set(state.values, state);
        const row = rows.get(state.values);
        if (row) show({ values: state.values, name: state.name });
      }
      filterSoon();
    }
  }

  return {
    items: () => [...body.querySelectorAll('tr:not([hidden]) a')],
    async update() {
      const fleet = await get('fleet');
      generation = fleet.generation;
      const isSame =
        fleet.clusters.length === clusters.length &&
        fleet.clusters.every((cluster, i) => cluster.values === clusters[i].values);
      clusters = fleet.clusters;
      document.title = `${fleet.repository} · capwright preview`;
      title.textContent = fleet.repository;
      for (const known of [...states.keys()])
        if (!clusters.some((cluster) => cluster.values === known)) states.delete(known);
      if (!isSame) list();
      loadStates(generation).catch(() => {}); // the next update shows why
    },
  };
}
