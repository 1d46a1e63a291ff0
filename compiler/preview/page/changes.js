// What a render changes: machines first, then the bytes of files. And the findings.
import { link } from './api.js';
import { h, refresh } from './dom.js';
import { plan } from './plan.js';

// The unified diff, a section for each file.
export function diff(cluster) {
  const sections = [];
  let code = null;
  for (const line of cluster.diff.split('\n')) {
    if (line.startsWith('--- ')) {
      code = null;
    } else if (line.startsWith('+++ ') && code === null) {
      code = h('div', { class: 'code', tabindex: '0', role: 'region', 'aria-label': `diff of ${line.slice(4)}` });
      sections.push(h('section', { class: 'diff' }, h('h3', { class: 'path' }, line.slice(4)), code));
    } else if (code !== null && line !== '') {
      const kind = { '+': 'added', '-': 'removed', '@': 'hunk' }[line[0]] || '';
      code.append(h('div', { class: `line ${kind}` }, h('code', {}, line)));
    }
  }
  return sections;
}

export function changesView(container) {
  return {
    async update(place, cluster) {
      const parts = [
        cluster.comparison_error ? h('p', { class: 'finding error' }, cluster.comparison_error) : null,
        plan(cluster.plan),
        diff(cluster),
      ];
      const isEmpty = parts.flat().filter(Boolean).length === 0;
      refresh(
        container,
        isEmpty
          ? h('p', { class: 'muted hint' }, cluster.clean ? 'A render changes nothing.' : 'Fix the findings first.')
          : parts,
      );
    },
  };
}

// Where a finding is, as a link to the page that shows the place.
function placeOf(finding, place, cluster) {
  if (!finding.path) return null;
  const text = `${finding.path}${finding.start ? `:${finding.start.line}` : ''}`;
  const line = finding.start && finding.start.line;
  if (cluster.files.some((file) => file.path === finding.path))
    return h(
      'a',
      { href: link('cluster', { values: place.values, base: place.base, file: finding.path, line }) },
      text,
    );
  if (cluster.inputs.includes(finding.path))
    return h(
      'a',
      { href: link('cluster', { values: place.values, base: place.base, view: 'values', input: finding.path, line }) },
      text,
    );
  return text;
}

export function findings(list, place, cluster) {
  return list.map((finding) =>
    h(
      'section',
      { class: `finding ${finding.severity}` },
      h('h3', {}, h('span', { class: `badge ${finding.severity}` }, finding.severity), ' ', finding.message),
      h('p', {}, placeOf(finding, place, cluster), h('span', { class: 'muted' }, ` ${finding.code} ${finding.name}`)),
      finding.label ? h('p', {}, finding.label) : null,
      (finding.notes || []).map((note) => h('p', { class: 'muted' }, note)),
      (finding.labels || []).map((label) => h('p', {}, label.text, ': ', placeOf(label, place, cluster))),
      finding.help ? h('p', {}, h('strong', {}, 'help: '), finding.help) : null,
    ),
  );
}

export function findingsView(container) {
  return {
    async update(place, cluster) {
      refresh(
        container,
        cluster.findings.length
          ? findings(cluster.findings, place, cluster)
          : h('p', { class: 'muted hint' }, 'No findings.'),
      );
    },
  };
}
