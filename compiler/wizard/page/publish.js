// Asks before it publishes, sends the request until it has an answer, and says what can be done about a refusal.
import { newKey, publish } from './api.js';
import { counted, h, replace } from './dom.js';
import { prose } from './fields.js';

const MOST_ATTEMPTS = 6;
const PASSING = ['request-in-progress', 'busy', 'locked', 'not-ready'];
const TOO_MANY = 429;

// Whether the request may have been lost on the way, or has to wait: the same request is sent again.
const passes = (failure) =>
  failure.status === 0 ||
  failure.status === TOO_MANY ||
  PASSING.includes(failure.kind) ||
  (failure.status >= 502 && failure.kind === '');

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

// Sends it with the same key until there is an answer. `say` gets what happens meanwhile.
async function send(template, change, say) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await publish(template, change);
    } catch (failure) {
      if (!(failure.status >= 0) || !passes(failure) || attempt === MOST_ATTEMPTS) throw failure;
      const seconds = failure.retryAfter || Math.min(8, 2 ** (attempt - 1));
      const why = failure.status === 0 ? 'The connection is lost.' : `${failure.title || 'The server is busy'}.`;
      say(`${why} The same request is sent again in ${counted(seconds, 'second')}; nothing is published twice.`);
      await pause(seconds);
      say('Sending the request again…');
    }
  }
}

const ADVICE = {
  unauthorized: 'The token isn’t valid any more. Sign in again; the same request is sent.',
  'precondition-failed':
    'The branch has another values file of this cluster. Choose another name, or change the existing file in the repository.',
  conflict: 'The branch moved, or the file of this name belongs to another cluster. Try again.',
  'protected-branch': 'The host refuses pushes to this branch. Ask the owners of the repository.',
  'key-reused': 'The key of the request belongs to another one. Try again with a new key.',
  'limit-exceeded': 'The change exceeds a limit of the server.',
  remote: 'The remote can’t be reached, or refuses the push. Try again later.',
};

function errorList(errors) {
  if (errors.length === 0) return null;
  return h(
    'ul',
    { class: 'findings' },
    errors.map((error) =>
      h(
        'li',
        { class: `finding ${error.severity || 'error'}` },
        h('p', {}, prose(error.detail)),
        error.help ? h('p', { class: 'muted' }, prose(error.help)) : null,
      ),
    ),
  );
}

const VALUES_PROBLEMS = ['invalid-values', 'lint-errors', 'malformed-values'];

// `request`: {template, name, text, valuesId, count, summary}. `actions`: {signIn(), done(document), back(errors)}.
export function publishDialog(request, actions) {
  const change = { values: request.text, key: newKey(), allowed: [], valuesId: request.valuesId };
  const news = h('div', { class: 'news', role: 'status' });
  const consent = h('div', {});
  const summary = h('div', { class: 'summary-plan' }, request.summary);
  const go = h('button', { type: 'button', class: 'main', onclick: () => run() }, 'Publish');
  const cancel = h('button', { type: 'button', onclick: () => close() }, 'Cancel');
  const dialog = h(
    'dialog',
    {
      'aria-labelledby': 'publish-title',
      oncancel: (event) => (isSending ? event.preventDefault() : null),
      onclose: () => dialog.remove(),
    },
    h('h2', { id: 'publish-title' }, `Publish ${request.name}?`),
    h(
      'p',
      {},
      `The values and ${counted(request.count, 'rendered file')} become one commit on the branch of the repository.`,
    ),
    summary,
    consent,
    news,
    h('div', { class: 'buttons' }, cancel, go),
  );
  let isSending = false;

  function close() {
    dialog.close();
  }
  function say(text) {
    replace(news, h('p', {}, text));
  }

  // The verbs that the server wants consent to.
  function askConsent(failure) {
    const verbs = [...new Set(failure.errors.map((error) => error.allow).filter(Boolean))];
    const boxes = verbs.map((verb) => h('input', { type: 'checkbox', id: `allow-${verb}`, onchange: () => decide() }));
    const decide = () => {
      go.disabled = boxes.some((box) => !box.checked);
    };
    // The plan is that of the server's clone, these are the branch's.
    replace(summary);
    replace(
      consent,
      h(
        'fieldset',
        {},
        h('legend', {}, 'This changes machines. Allow it?'),
        verbs.map((verb, at) =>
          h(
            'div',
            { class: 'choice' },
            boxes[at],
            h(
              'label',
              { for: `allow-${verb}` },
              h('strong', {}, verb),
              ': ',
              failure.errors
                .filter((error) => error.allow === verb)
                .map((error) => error.detail)
                .join('; '),
            ),
          ),
        ),
      ),
    );
    change.allowed = [...change.allowed, ...verbs];
    change.key = newKey(); // another request
    replace(news);
    decide();
  }

  async function refused(failure) {
    if (failure.kind === 'consent-required') return askConsent(failure);
    const hasBadValues = VALUES_PROBLEMS.includes(failure.kind);
    const advice =
      ADVICE[failure.kind] ||
      (passes(failure)
        ? 'The server doesn’t answer. Try again: the same request is sent, and nothing is published twice.'
        : '');
    replace(news, [
      h(
        'p',
        { class: 'message error' },
        h('strong', {}, `${failure.title || 'Not published'}: `),
        prose(failure.message),
      ),
      advice ? h('p', {}, advice) : null,
      errorList(failure.errors),
      hasBadValues
        ? h('button', { type: 'button', onclick: () => (close(), actions.back(failure.errors)) }, 'Back to the values')
        : null,
    ]);
    if (failure.kind === 'key-reused') change.key = newKey();
    go.hidden = hasBadValues || ['precondition-failed', 'protected-branch', 'forbidden'].includes(failure.kind);
    go.textContent = 'Try again';
    cancel.textContent = go.hidden ? 'Close' : 'Cancel';
    if (failure.status === 401) await actions.signIn();
    return undefined;
  }

  async function run() {
    isSending = true;
    go.disabled = cancel.disabled = true;
    say('Publishing…');
    try {
      const { document: published } = await send(request.template, change, say);
      isSending = false;
      close();
      actions.done(published);
    } catch (failure) {
      isSending = false;
      go.disabled = cancel.disabled = false;
      await refused(failure);
    }
  }

  document.body.append(dialog);
  dialog.showModal();
  go.focus();
}

// The page after a publication.
export function publishedPage(published, again, another) {
  const row = (name, value) => [h('dt', {}, name), h('dd', {}, value)];
  return h(
    'section',
    { class: 'published', tabindex: '-1' },
    h('h2', {}, published.changed ? `${published.cluster} is published` : `${published.cluster} was published already`),
    h(
      'p',
      {},
      published.changed
        ? 'The values and the rendered files are one commit on the branch.'
        : 'The branch has these values and files; nothing changed.',
    ),
    h(
      'dl',
      { class: 'facts' },
      row('Commit', h('code', { class: 'commit' }, published.commit)),
      row('Branch', h('code', {}, published.branch)),
      row('Values', h('code', {}, published.values_path)),
      row(
        'Files',
        h(
          'ul',
          {},
          published.files.map((path) => h('li', {}, h('code', {}, path))),
        ),
      ),
    ),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', onclick: again }, 'Change this cluster'),
      h('button', { type: 'button', class: 'main', onclick: another }, 'Create another cluster'),
    ),
  );
}
