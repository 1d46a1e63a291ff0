// The objects of a cluster and their references. The server places them.
import { get, link } from './api.js';
import { h, refresh, replace, svg } from './dom.js';

const WIDTH = 224,
  HEIGHT = 44,
  GAP_X = 80,
  GAP_Y = 12,
  EDGE = 8;

const clipped = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text);
const left = (object) => EDGE + object.column * (WIDTH + GAP_X);
const above = (object) => EDGE + object.row * (HEIGHT + GAP_Y);

// The end of a path says more than its beginning.
const nameOf = (object) => (object.kind === 'File' ? object.name.split('/').slice(-2).join('/') : object.name);

// Between the sides that face each other; the arrow is at the object that is referred to.
function edge(reference, objects) {
  const from = objects[reference.from],
    to = objects[reference.to];
  const isForward = from.column <= to.column;
  const [first, second] = isForward ? [from, to] : [to, from];
  const x1 = left(first) + WIDTH,
    y1 = above(first) + HEIGHT / 2,
    x2 = left(second),
    y2 = above(second) + HEIGHT / 2;
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return svg(
    'path',
    {
      class: 'edge',
      d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
      'data-from': reference.from,
      'data-to': reference.to,
      [isForward ? 'marker-end' : 'marker-start']: 'url(#arrow)',
    },
    svg('title', {}, `${from.kind} ${from.name} ${reference.label} ${to.kind} ${to.name}`),
  );
}

const arrow = () =>
  svg(
    'defs',
    {},
    svg(
      'marker',
      {
        id: 'arrow',
        viewBox: '0 0 8 8',
        refX: 7,
        refY: 4,
        markerWidth: 7,
        markerHeight: 7,
        markerUnits: 'userSpaceOnUse',
        orient: 'auto-start-reverse',
      },
      svg('path', { d: 'M0 0 8 4 0 8z', class: 'arrow' }),
    ),
  );

export function graphView(container) {
  const heading = h('h2', {}, 'Objects');
  const drawing = h('div', { class: 'drawing', role: 'region', tabindex: '0', 'aria-label': 'Objects and references' });
  replace(container, heading, drawing);

  function vertex(object, number, place) {
    const shape = svg(
      'g',
      {
        class: `vertex ${object.mark ? 'marked' : ''} ${object.mark === 'missing' ? 'missing' : ''}`,
        transform: `translate(${left(object)} ${above(object)})`,
      },
      svg('title', {}, `${object.kind} ${object.name}${object.mark ? ` (${object.mark})` : ''}`),
      svg('rect', { width: WIDTH, height: HEIGHT, rx: 6 }),
      svg('text', { x: 10, y: 18, class: 'kind' }, clipped(object.kind + (object.mark ? ` · ${object.mark}` : ''), 32)),
      svg('text', { x: 10, y: 34 }, clipped(nameOf(object), 28)),
    );
    const light = (on) => {
      for (const path of drawing.querySelectorAll(`[data-from="${number}"], [data-to="${number}"]`))
        path.classList.toggle('on', on);
    };
    shape.addEventListener('mouseenter', () => light(true));
    shape.addEventListener('mouseleave', () => light(false));
    if (!object.file) return shape;
    const target = link('cluster', {
      values: place.values,
      base: place.base,
      file: object.file,
      line: object.line || undefined,
    });
    return svg(
      'a',
      { href: target, 'data-key': `object ${number}`, onfocus: () => light(true), onblur: () => light(false) },
      shape,
    );
  }

  return {
    items: () => [...drawing.querySelectorAll('a')],
    async update(place) {
      const { objects, references } = await get('graph', { values: place.values });
      heading.textContent = `${objects.length} objects, ${references.length} references`;
      const width = Math.max(0, ...objects.map(left)) + WIDTH + EDGE,
        height = Math.max(0, ...objects.map(above)) + HEIGHT + EDGE;
      refresh(
        drawing,
        svg(
          'svg',
          {
            width,
            height,
            viewBox: `0 0 ${width} ${height}`,
            role: 'group',
            'aria-label': 'References between objects',
          },
          arrow(),
          references.map((reference) => edge(reference, objects)),
          objects.map((object, i) => vertex(object, i, place)),
        ),
      );
    },
  };
}
