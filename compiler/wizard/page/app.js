// From a token and a template to the form, the review and the publication.
import { Failure, loadSchema, loadTemplates, token, validate } from './api.js';
import { counted, h, pausing, replace, say, showProblem, visible } from './dom.js';
import { findingsList, isValid, placed, summary } from './findings.js';
import { valuesForm } from './form.js';
import { loadReview } from './review.js';
import { publishDialog, publishedPage } from './publish.js';
import { plan } from './plan.js';

const top = document.getElementById('top');
const main = document.getElementById('main');
// The form has many stops of the Tab key before its end.
const SHORTCUT = { title: 'Ctrl+Enter', 'aria-keyshortcuts': 'Control+Enter' };
const AGAIN = 3000; // milliseconds until values are checked again after a lost connection

let offer = null; // the document of `cluster-templates`
let current = null; // {template, form, side, findings, isFresh, valuesId, publishedName, controller}

// Resolves when there is a token that the server accepts.
function signIn(problem = '') {
  const open = document.querySelector('dialog.sign-in');
  if (open) return open.done;
  let resolve;
  const input = h('input', {
    type: 'password',
    id: 'token',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'token-problem',
  });
  const why = h('p', { id: 'token-problem', class: 'message error', role: 'alert' }, problem);
  const button = h('button', { type: 'submit', class: 'main' }, 'Sign in');
  const dialog = h(
    'dialog',
    { class: 'sign-in', 'aria-labelledby': 'sign-in-title', oncancel: (event) => event.preventDefault() },
    h('h2', { id: 'sign-in-title' }, 'Sign in'),
    h('p', {}, 'The server asks for a bearer token. It is kept in this tab until you close it or sign out.'),
    h(
      'form',
      { onsubmit: (event) => (event.preventDefault(), submit()) },
      h('label', { for: 'token' }, 'Token'),
      input,
      why,
      h('div', { class: 'buttons' }, button),
    ),
  );
  dialog.done = new Promise((done) => (resolve = done));

  async function submit() {
    token.set(input.value.trim());
    button.disabled = true;
    why.textContent = '';
    try {
      offer = await loadTemplates();
      dialog.close();
      dialog.remove();
      header();
      resolve();
    } catch (failure) {
      token.set('');
      why.textContent =
        failure.status === 401
          ? 'The server doesn’t accept this token (401).'
          : `${failure.title || 'Error'}: ${failure.message}`;
      input.setAttribute('aria-invalid', 'true');
      input.select();
    }
    button.disabled = false;
  }
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
  return dialog.done;
}

function signOut() {
  if (!mayLeave()) return;
  token.set('');
  window.removeEventListener('beforeunload', keep);
  window.location.reload();
}

// Whether values of the person may be dropped.
function mayLeave() {
  return !current || !current.isEdited || window.confirm('Drop the values that you entered?');
}
function keep(event) {
  if (current?.isEdited) event.preventDefault();
}

function header() {
  const form = current?.form;
  const state = h('p', { class: 'state', id: 'state' });
  replace(
    top,
    h(
      'div',
      { class: 'bar' },
      h('h1', {}, current ? current.form.name() || 'New cluster' : 'New cluster'),
      current
        ? h(
            'span',
            { class: 'muted of-template' },
            [current.template.title, current.template.id].filter(Boolean).join(' · '),
          )
        : null,
      form && offer.templates.length > 1
        ? h(
            'button',
            { type: 'button', class: 'link', onclick: () => mayLeave() && chooseTemplate() },
            'Change template',
          )
        : null,
      state,
      form
        ? h('button', { type: 'button', class: 'main', id: 'review', onclick: () => review(), ...SHORTCUT }, 'Review')
        : null,
      h(
        'span',
        { class: 'muted account' },
        h('span', { class: 'name' }, offer && token.get() ? `Token ${offer.caller.name} ` : ''),
        token.get() ? h('button', { type: 'button', class: 'link', onclick: signOut }, 'Sign out') : null,
      ),
    ),
  );
  showState();
}

function showState(text) {
  const place = document.getElementById('state');
  if (!place) return;
  place.dataset.fresh = String(Boolean(current?.isFresh));
  const isBad = current?.findings.some((finding) => finding.severity === 'error' && !finding.missing);
  const words = text || (!current || !current.isFresh ? '' : summary(current.findings) || 'valid');
  const isDone = current?.isFresh && isValid(current.findings);
  place.className = `state ${text ? 'muted' : isBad ? 'bad' : isDone ? 'good' : 'muted'}`;
  replace(
    place,
    words && document.getElementById('findings') && current.findings.length > 0
      ? h('a', { href: '#findings' }, words)
      : words,
  );
}

function chooseTemplate() {
  current = null;
  header();
  const templates = offer.templates;
  if (templates.length === 1) return start(templates[0]);
  replace(
    main,
    h(
      'section',
      { class: 'start' },
      h('h2', {}, 'Which template?'),
      h('p', { class: 'muted' }, `The values of new clusters go to ${offer.folder}/.`),
      h(
        'ul',
        { class: 'templates' },
        templates.map((template) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', onclick: () => start(template) },
              h('strong', {}, template.title || template.id),
              h('code', {}, template.id),
              h(
                'span',
                { class: 'muted' },
                [template.kubernetes_types.join(', '), template.version && `version ${template.version}`]
                  .filter(Boolean)
                  .join(' · '),
              ),
            ),
          ),
        ),
      ),
    ),
  );
  main.querySelector('button')?.focus();
  return undefined;
}

async function start(template) {
  replace(main, h('p', { class: 'muted hint' }, 'Loading the form…'));
  try {
    const schema = template.has_schema
      ? await loadSchema(template.id)
      : { properties: { cluster_name: { type: 'string' } } };
    const flat = template.addons.length > 0 ? await loadSchema(template.id, '?for=values') : null;
    show(template, schema, flat);
  } catch (failure) {
    await trouble(failure, () => start(template));
  }
}

function show(template, schema, flat) {
  const form = valuesForm(template, schema, flat, offer.refused, () => changed());
  current = {
    template,
    form,
    side: findingsList(),
    findings: [],
    isFresh: false,
    isEdited: false,
    valuesId: '',
    publishedName: '',
  };
  if (template.kubernetes_types.length === 1) form.set('kubernetes_type', template.kubernetes_types[0]);
  showProblem('');
  showForm();
  header();
  form.focus();
  check();
}

function showForm() {
  replace(main, h('div', { class: 'wizard' }, current.form.element, current.side.element));
}

function changed() {
  current.isEdited = true;
  current.isFresh = false;
  current.controller?.abort(); // its findings would be those of older values
  current.form.showAddons();
  replace(top.querySelector('h1'), visible(current.form.name() || 'New cluster'));
  showState('Checking…');
  check();
}

// The name that values are checked with before they have one: what they lack doesn't depend on it.
function trialName() {
  const glob = offer.caller.clusters.find((each) => each.includes('*')) || '*';
  return glob === '*' ? 'new-cluster' : glob.replaceAll('*', 'new').replaceAll('?', 'x');
}

// The findings of the server. When the signal is aborted, newer values are checked meanwhile.
async function findingsOf(values, signal) {
  try {
    return (await validate(current.template.id, values, signal)).findings;
  } catch (failure) {
    if (signal.aborted) throw failure;
    if (failure.status === 403) return [{ detail: failure.message, pointer: '#/cluster_name', severity: 'error' }];
    if (failure.errors?.length > 0) return failure.errors;
    if (failure.status === 400 || failure.status === 422) return [{ detail: failure.message, severity: 'error' }];
    throw failure;
  }
}

const check = pausing(200, async () => {
  if (!current) return;
  const checked = current;
  checked.controller?.abort();
  const { signal } = (checked.controller = new AbortController());
  const name = checked.form.name();
  try {
    const found = await findingsOf(checked.form.text(name || trialName()), signal);
    if (signal.aborted || checked !== current) return;
    if (!name) found.unshift({ missing: '#/cluster_name', detail: '`cluster_name` is missing', severity: 'error' });
    accept(found);
  } catch (failure) {
    if (signal.aborted) return;
    if (failure.status === 401) return void signIn('The token isn’t valid any more (401).').then(check);
    showState(failure.status === 0 ? 'The connection is lost' : failure.message);
    setTimeout(check, AGAIN);
  }
});

function accept(found) {
  current.findings = placed(found, current.form);
  current.isFresh = true;
  const isComplete = current.findings.every((finding) => finding.missing || finding.severity !== 'error');
  current.form.mark(current.findings, isComplete);
  const words = summary(current.findings) || 'No findings: the values are valid.';
  current.side.show(current.findings, words);
  showProblem('');
  showState();
  say(words);
}

async function review() {
  const { form, template } = current;
  form.touchAll();
  form.mark(current.findings, current.isFresh);
  if (!current.isFresh || !isValid(current.findings)) {
    current.findings.find((finding) => finding.severity === 'error' && finding.field)?.field.reveal();
    showProblem(
      current.isFresh ? `Not complete: ${summary(current.findings)}.` : 'The values are still being checked.',
    );
    return;
  }
  showProblem('');
  const request = {
    template: template.id,
    text: form.text(),
    shownText: form.shownText(),
    valuesPath: `${offer.folder}/${form.name()}.json`,
    actions: offer.caller.actions,
    findings: current.findings,
    isChange: current.publishedName === form.name(),
  };
  replace(main, h('p', { class: 'muted hint' }, 'Rendering…'));
  try {
    showReview(request, await loadReview(request));
  } catch (failure) {
    showForm();
    if (failure.status === 422 || failure.status === 400) return accept(failure.errors);
    await trouble(failure, () => review());
  }
}

function showReview(request, reviewed) {
  const mayPublish = offer.caller.actions.includes('publish');
  const button = h(
    'button',
    {
      type: 'button',
      class: 'main',
      id: 'publish',
      disabled: !mayPublish,
      onclick: () => ask(request, reviewed),
      ...SHORTCUT,
    },
    'Publish…',
  );
  replace(
    main,
    h(
      'div',
      { class: 'buttons steps' },
      h('button', { type: 'button', onclick: () => (showForm(), header()) }, 'Back to the values'),
      button,
      mayPublish ? null : h('p', { class: 'muted' }, `The token “${offer.caller.name}” lacks the action “publish”.`),
    ),
    reviewed.element,
  );
  document.getElementById('review')?.remove();
  showState();
  window.scrollTo(0, 0);
  (mayPublish ? button : main).focus();
  say(`${counted(reviewed.count, 'file')} rendered`);
}

function ask(request, reviewed) {
  const name = current.form.name();
  const valuesId = current.publishedName === name ? current.valuesId : '';
  publishDialog(
    {
      template: request.template,
      name,
      text: request.text,
      valuesId,
      count: reviewed.count,
      summary: plan(reviewed.plan),
    },
    {
      signIn: () => signIn('The token isn’t valid any more (401).'),
      back(errors) {
        showForm();
        header();
        accept(errors);
      },
      done,
    },
  );
}

function done(published) {
  current.valuesId = published.values_id;
  current.publishedName = published.cluster;
  current.isEdited = false;
  const page = publishedPage(published, () => (showForm(), header(), check()), chooseTemplate);
  replace(main, page);
  page.focus();
  say(`Published as commit ${published.commit}`);
}

async function trouble(failure, again) {
  if (!(failure instanceof Failure)) throw failure;
  if (failure.status === 401) return signIn().then(again);
  showProblem(`${failure.title || 'Error'}: ${failure.message}`);
  replace(
    main,
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', onclick: () => (showProblem(''), again()) }, 'Try again'),
    ),
    current ? current.form.element : null,
  );
  return undefined;
}

async function begin() {
  header();
  try {
    offer = await loadTemplates();
  } catch (failure) {
    if (failure.status !== 401) return trouble(failure, begin);
    token.set('');
    await signIn();
  }
  header();
  return chooseTemplate();
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !document.querySelector('dialog')) {
    const next = document.getElementById('publish') || document.getElementById('review');
    next?.focus();
    return next?.click();
  }
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return undefined;
  const search = document.querySelector('[data-search]');
  if (!search) return undefined;
  event.preventDefault();
  return search.focus();
});
window.addEventListener('beforeunload', keep);
begin();
