// Chooses the page for the address, loads it again when files change, and handles the keys that all pages share.
import { follow, location_ } from './api.js';
import { say, showProblem } from './dom.js';
import { fleetPage } from './fleet.js';
import { clusterPage } from './cluster.js';

const pages = { fleet: fleetPage, cluster: clusterPage };
let page = null;
let shown = '';
let isLoading = false;
let isStale = false;
let lost = '';

async function load() {
  isStale = true;
  if (isLoading) return;
  isLoading = true;
  while (isStale) {
    isStale = false;
    const place = location_();
    const key = `${place.page} ${place.values || ''}`;
    try {
      if (key !== shown) {
        page = (pages[place.page] || fleetPage)(document.getElementById('top'), document.getElementById('main'));
        shown = key;
        window.scrollTo(0, 0);
      }
      await page.update(place);
      showProblem(lost);
    } catch (error) {
      showProblem(lost || error.message);
    }
  }
  isLoading = false;
}

// Moves the focus among the elements that the page lists.
function move(step) {
  const items = page.items ? page.items() : [];
  if (items.length === 0) return;
  const at = items.indexOf(document.activeElement);
  const current = at >= 0 ? at : items.findIndex((item) => item.getAttribute('aria-current'));
  const next = items[Math.min(items.length - 1, Math.max(0, current + step))];
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea, select');
  if (event.key === 'Escape') return void document.activeElement.blur();
  if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
  const keys = { j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) };
  const search = document.querySelector('[data-search]');
  if (search)
    keys['/'] = () => {
      search.focus();
      search.select();
    };
  if (page && page.keys && page.keys[event.key]) keys[event.key] = page.keys[event.key];
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

window.addEventListener('hashchange', load);
follow(
  () => {
    say('updated');
    load();
  },
  (isLost) => {
    if (isLost === Boolean(lost)) return;
    lost = isLost ? 'The connection is lost. Is `capwright preview` still running?' : '';
    showProblem(lost);
    if (!isLost) load();
  },
);
load();
