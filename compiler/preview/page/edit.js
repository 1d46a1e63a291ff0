// The text of the values file or a layer. What a change does is shown beside it, before it is written.
import { get, send } from './api.js';
import { h, pausing, refresh, replace, showProblem } from './dom.js';
import { diff, findings } from './changes.js';
import { plan } from './plan.js';

export function editView(container, go) {
  let place = {};
  let path = '';
  let sending = 0;
  const choice = h('select', {
    'aria-label': 'File',
    onchange: () => go({ view: 'values', input: choice.value, line: undefined }),
  });
  const why = h('p', { class: 'muted' });
  const area = h('textarea', {
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    wrap: 'off',
    oninput: () => {
      sending += 1;
      change();
    },
  });
  const effects = h('div', { class: 'effects', 'aria-label': 'Effects', role: 'region', tabindex: '0' });
  replace(container, h('div', { class: 'heading' }, choice, why), h('div', { class: 'editor' }, area, effects));

  const change = pausing(60, async () => {
    const sent = sending;
    try {
      await send('PUT', 'draft', { values: place.values, path }, area.value);
      if (sent === sending) sending = 0;
      showProblem('');
    } catch (error) {
      showProblem(error.message);
    }
  });

  function select(line) {
    const begin =
      area.value
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    const end = area.value.indexOf('\n', begin);
    area.setSelectionRange(begin, end < 0 ? area.value.length : end);
    area.scrollTop = Math.max(0, (line - 5) * parseFloat(getComputedStyle(area).lineHeight));
    area.focus({ preventScroll: true });
  }

  return {
    async update(wanted, cluster) {
      const isOther = wanted.line !== place.line || wanted.input !== place.input;
      place = wanted;
      path = place.input || place.values;
      replace(
        choice,
        (cluster.inputs.includes(path) ? cluster.inputs : [path, ...cluster.inputs]).map((each) =>
          h('option', { value: each, selected: each === path }, each),
        ),
      );
      choice.value = path;
      const text = await get('text', { values: place.values, path });
      area.readOnly = !text.editable;
      area.setAttribute('aria-label', `Text of ${path}`);
      why.textContent = text.editable ? '' : `Read only: ${text.why}.`;
      // What is typed is newer than what the server has.
      if (sending === 0 && area.value !== text.text) {
        const { selectionStart, selectionEnd, scrollTop } = area;
        area.value = text.text;
        area.setSelectionRange(selectionStart, selectionEnd);
        area.scrollTop = scrollTop;
      }
      if (isOther && place.line) select(Number(place.line));
      const parts = [findings(cluster.findings, place, cluster), plan(cluster.plan), diff(cluster)]
        .flat()
        .filter(Boolean);
      refresh(
        effects,
        parts.length ? parts : h('p', { class: 'muted hint' }, 'A render changes nothing, and there are no findings.'),
      );
    },
  };
}
