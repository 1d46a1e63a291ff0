// A rendered file, colored by the server, and where a line comes from.
import { get, link, send } from './api.js';
import { h, pausing, refresh, replace, showProblem } from './dom.js';

const SYNTAX = { k: 'key', s: 'string', n: 'numeral', l: 'literal', c: 'comment', m: 'more' };
const ORIGIN = { v: 'from-value', d: 'from-default', x: 'secret' };
const TITLES = { v: 'from a value', d: 'a default of the schema', x: 'a secret' };

// Lines break after the slashes of a path.
function where(place) {
  if (!place) return 'unknown';
  const parts = `${place.path}:${place.start.line}:${place.start.column}`.split('/');
  return parts.flatMap((part, i) => (i + 1 < parts.length ? [`${part}/`, h('wbr')] : [part]));
}

export function manifestView(container, go) {
  let place = {};
  let cluster = null;
  let file = null;
  let shownPanel = '';
  const heading = h('h2', { class: 'path' });
  const lines = h('div', { class: 'code', role: 'region', tabindex: '0' });
  const panel = h('aside', { class: 'panel', 'aria-label': 'Where the line comes from' });
  const legend = h(
    'p',
    { class: 'legend muted', 'aria-hidden': 'true' },
    h('span', { class: 'from-value' }, 'value'),
    h('span', { class: 'from-default' }, 'default'),
    h('span', {}, 'template text'),
  );
  replace(container, h('div', { class: 'heading' }, heading, legend), h('div', { class: 'split' }, lines, panel));

  function line(runs, number) {
    const marks = (cluster.marks.get(place.file) || []).filter((mark) => mark.line === number);
    const isNew = file.newLines.has(number);
    const isChosen = number === Number(place.line);
    const address = link('cluster', { values: place.values, base: place.base, file: place.file, line: number });
    const parts = runs.map(([begin, kind, text]) =>
      h(
        'span',
        {
          class: [SYNTAX[kind[0]], ORIGIN[kind[1]]].filter(Boolean).join(' ') || null,
          title: TITLES[kind[1]],
          'data-begin': begin,
        },
        text,
      ),
    );
    return [
      h(
        'div',
        {
          class: `line${isNew ? ' new' : ''}${isChosen ? ' chosen' : ''}`,
          onclick: (event) => {
            if (!window.getSelection().toString())
              go({ view: undefined, file: place.file, line: number, at: event.target.dataset.begin });
          },
        },
        h(
          'a',
          {
            href: address,
            class: 'number',
            tabindex: isChosen || (!place.line && number === 1) ? '0' : '-1',
            'aria-current': isChosen ? 'true' : null,
            'aria-label': `line ${number}${isNew ? ', new' : ''}`,
            'data-key': `line ${number}`,
            onclick: (event) => event.stopPropagation(),
          },
          number,
        ),
        h('code', {}, parts.length ? parts : ' '),
      ),
      marks.map((mark) =>
        h('p', { class: `mark ${mark.severity}` }, h('span', { class: 'badge-code' }, mark.code), ' ', mark.text),
      ),
    ];
  }

  // The field changes the text of a value in its file; the server keeps it as a draft.
  function field(source) {
    let sent = source.text;
    const change = pausing(40, async (input) => {
      const after = input.value;
      if (after === sent || after === '') return;
      const body = JSON.stringify({ path: source.path, begin: source.begin, before: sent, after });
      sent = after;
      try {
        await send('PUT', 'value', { values: place.values }, body);
        showProblem('');
      } catch (error) {
        showProblem(error.message);
      }
    });
    return h(
      'label',
      { class: 'edit' },
      h('span', { class: 'muted' }, `Edit in ${source.path}`),
      h('input', {
        value: source.text,
        spellcheck: 'false',
        autocomplete: 'off',
        oninput: (event) => change(event.target),
      }),
    );
  }

  function input(value) {
    const verb = value.default ? 'default at' : 'set at';
    return [
      h('dt', {}, 'value'),
      h(
        'dd',
        {},
        h('code', {}, value.value || '(file)'),
        value.secret ? h('span', { class: 'badge' }, 'secret') : null,
      ),
      h('dt', {}, verb),
      h('dd', {}, where(value.set_at)),
      value.overrides.map((below) => [h('dt', {}, 'overrides'), h('dd', {}, where(below))]),
      value.source && !value.source.text.includes('\n')
        ? [h('dt', { class: 'unseen' }, 'edit'), h('dd', { class: 'whole' }, field(value.source))]
        : null,
    ];
  }

  function piece(explained) {
    const by = explained.literal ? 'template text' : 'printed by';
    return h(
      'section',
      { class: 'piece' },
      h('h3', {}, h('code', {}, explained.text.trim() || explained.text)),
      h(
        'dl',
        {},
        h('dt', {}, by),
        h('dd', {}, where(explained.template)),
        explained.inputs.map(input),
        explained.trace.map((frame) => [h('dt', {}, frame.what), h('dd', {}, frame.at ? where(frame.at) : '')]),
      ),
    );
  }

  async function explain() {
    const key = `${place.file} ${place.line} ${place.at}`;
    if (key === shownPanel && panel.contains(document.activeElement)) return;
    shownPanel = key;
    if (!place.line) {
      refresh(
        panel,
        h(
          'p',
          { class: 'muted hint' },
          'Select a line to see the template, the values and the conditions that made it. ',
          h('kbd', {}, 'j'),
          ' ',
          h('kbd', {}, 'k'),
          ' move, ',
          h('kbd', {}, 'Enter'),
          ' selects, ',
          h('kbd', {}, '['),
          ' ',
          h('kbd', {}, ']'),
          ' change the file.',
        ),
      );
      return;
    }
    const found = await get('explain', { values: place.values, path: place.file, line: place.line });
    const at = Number(place.at);
    const isChosen = (each) => place.at !== undefined && each.begin <= at && at < each.end;
    // Values first: they are what people edit.
    const told = found.pieces.filter((each) => each.text.trim() !== '' || found.pieces.length === 1);
    const order = told.sort((a, b) => isChosen(b) - isChosen(a) || (b.inputs.length > 0) - (a.inputs.length > 0));
    refresh(panel, h('h2', {}, `Line ${place.line}`), order.map(piece));
  }

  return {
    items: () => [...lines.querySelectorAll('a.number')],
    async update(wanted, of) {
      const isOther = wanted.file !== place.file || wanted.line !== place.line;
      place = wanted;
      cluster = of;
      const entry = cluster.files.find((each) => each.path === place.file);
      heading.textContent = place.file;
      lines.setAttribute('aria-label', place.file || 'no file');
      if (!entry || entry.status === 'removed' || !cluster.clean) {
        refresh(
          lines,
          h('p', { class: 'muted hint' }, entry ? 'A render removes this file.' : 'There is no file to show.'),
        );
        replace(panel);
        return;
      }
      const loaded = await get('file', { values: place.values, path: place.file });
      file = { newLines: new Set(loaded.new_lines) };
      refresh(
        lines,
        loaded.lines.map((runs, i) => line(runs, i + 1)),
      );
      const chosen = lines.querySelector('.chosen');
      if (isOther && chosen) lines.scrollTop = chosen.offsetTop - lines.clientHeight / 2;
      // On a narrow page the files are above.
      if (isOther && lines.getBoundingClientRect().top > window.innerHeight / 2) heading.scrollIntoView();
      await explain();
    },
  };
}
