// Drives the page of `serve --wizard`; wizard_browser_test.py starts it with its settings as JSON.
import { check, countHits, expect, expectPolicy, open, runPart, settings } from '../support/browser.mjs';
import {
  BASICS,
  CLOUD,
  TOKEN,
  addTo,
  checked,
  enter,
  go,
  input,
  openForm,
  published,
  ready,
  review,
  signIn,
  text,
} from '../support/wizard.mjs';

const REFUSED = /Failed to load resource/; // what the browser says about each status of 400 or more
const PUBLISH = '**/publish*';

async function fill(page, name) {
  await enter(page, 'cluster_name', name);
  for (const [path, value] of [...BASICS, ...CLOUD]) await enter(page, path, value);
  await addTo(page, 'network.dns_nameservers', '10.10.0.53');
  await addTo(page, 'network.ntp_servers', 'ntp.example.com');
  await addTo(page, 'api_server.allowed_cidrs', '10.0.0.0/8');
}

// A wrong token, then the right one.
async function checkToken(page) {
  await signIn(page, 'wrong');
  await page.waitForFunction(() => document.getElementById('token-problem').textContent.includes('401'));
  expect(!page.url().includes('wrong'), 'the token isn’t in the address');
  await check(page, 'wizard-token');
  await page.fill('#token', TOKEN);
  await page.keyboard.press('Enter');
  await ready(page, '.templates');
  const kept = await page.evaluate(() => [document.cookie, localStorage.length]);
  expect(kept[0] === '' && kept[1] === 0, `no cookie, and nothing outlives the tab: ${kept}`);
  await check(page, 'wizard-templates-light');
  await page.locator('.templates button', { has: page.locator('code:text-is("capo")') }).click();
  await ready(page, '.form');
}

// Findings of older values, whose answer comes late, aren't shown as those of the values now.
async function checkLateAnswer(page, field) {
  let arrive;
  const isLate = new Promise((resolve) => (arrive = resolve));
  const asked = page.waitForRequest('**/validate');
  await page.route(
    '**/validate',
    async (route) => {
      const response = await route.fetch();
      await isLate;
      await route.fulfill({ response }).catch(() => {}); // the page doesn't wait for it any more
    },
    { times: 1 },
  );
  await field.fill('older');
  await asked;
  await field.fill('newer');
  arrive();
  await checked(page);
  expect((await text(page, '#findings')).includes('newer'), 'the findings are those of the newer values');
}

// A wrong value has its message at its field, and the list leads there.
async function checkFindings(page) {
  await checked(page);
  expect((await text(page, '#findings')).includes('cluster_name'), 'a missing name is listed');
  await enter(page, 'cluster_name', 'first');
  await enter(page, 'control_plane_count', 'three');
  await page.keyboard.press('Tab');
  await checked(page);
  const field = input(page, 'control_plane_count');
  expect((await field.getAttribute('aria-invalid')) === 'true', 'the field is marked');
  const messages = (await field.getAttribute('aria-describedby')).split(' ').find((id) => id.endsWith('-messages'));
  expect((await text(page, `#${messages}`)).includes('three'), 'its message names the value');
  await check(page, 'wizard-error-light');
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.locator('#findings button', { hasText: 'control_plane_count' }).click();
  expect(await field.evaluate((element) => element === document.activeElement), 'the list leads to the field');
  await page.click('#review');
  expect((await text(page, '#problem')).includes('error'), 'an incomplete form isn’t reviewed');
  await checkLateAnswer(page, field);
  await page.evaluate(() => document.activeElement.blur());
  await field.fill('');
}

async function chooseAddon(page) {
  await page.getByRole('checkbox', { name: 'cinder-csi' }).check();
  await page.click('summary:has-text("Settings of")');
  await page.click('text=Edit chart values');
  const area = page.getByLabel('Chart values of cinder-csi');
  await area.waitFor();
  const before = await area.inputValue();
  expect(before.length > 20, `the chart values of the template: ${before}`);
  await area.fill(`${before.trimEnd()}\nreplicas: 2\n`);
}

// The response of the first attempt gets lost; the same request is sent again, and the commit is made once.
async function publishWithLoss(page) {
  const keys = [];
  await page.route(PUBLISH, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.click('#publish');
  await ready(page, 'dialog');
  await check(page, 'wizard-confirm-light');
  await page.keyboard.press('Enter'); // the button has the focus
  await page.waitForFunction(() => document.querySelector('.news').textContent.includes('again'));
  await published(page);
  await page.unroute(PUBLISH);
  expect(keys.length === 2 && keys[0] === keys[1], `the same key twice: ${keys}`);
  expect(/^[0-9a-f]{40}$/.test(await text(page, '.commit')), 'the commit is shown');
}

// A change that replaces machines needs a consent.
async function changePublished(page) {
  await page.click('text=Change this cluster');
  await input(page, 'flavor_worker').fill('m1.2xlarge');
  await review(page);
  expect((await text(page, '.plan')).includes('lacks the last publication'), 'the plan of an old clone says so');
  await page.click('#publish');
  await page.keyboard.press('Enter');
  await ready(page, 'dialog fieldset');
  expect(!(await text(page, 'dialog')).includes('create'), 'no plan of an old clone beside the consents');
  expect(await page.isDisabled('dialog .main'), 'nothing is sent without the consent');
  await check(page, 'wizard-consent-light');
  for (const box of await page.locator('dialog fieldset input').all()) await box.check();
  await page.click('dialog .main');
  await published(page);
}

async function create() {
  const began = Date.now();
  const page = await open({}, REFUSED);
  await checkToken(page);
  await checkFindings(page);
  await fill(page, '');
  await chooseAddon(page);
  await checked(page);
  await check(page, 'wizard-form-light');
  await review(page);
  expect((await text(page, '.plan')).includes('create'), 'the plan is shown');
  await page.locator('.tree button', { hasText: 'machine-templates.yaml' }).click();
  expect((await text(page, '.code')).includes('m1.xlarge'), 'a rendered file is shown');
  await check(page, 'wizard-review-light');
  await publishWithLoss(page);
  console.log(
    `from an empty repository to a commit in ${((Date.now() - began) / 1000).toFixed(1)} s, with all checks on the way`,
  );
  await check(page, 'wizard-published-light');
  await changePublished(page);
}

// The answer of the server to the next request to publish.
const refuseOnce = (page, status, problem, headers = {}) =>
  page.route(
    PUBLISH,
    (route) =>
      route.fulfill({
        status,
        headers,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status, ...problem }),
      }),
    { times: 1 },
  );

async function refusals() {
  const page = await open({}, REFUSED);
  await openForm(page);
  await fill(page, 'first');
  await review(page);
  const news = async (words) => {
    await page.waitForFunction((wanted) => document.querySelector('.news')?.textContent.includes(wanted), words, {
      timeout: 30000,
    });
  };
  await page.click('#publish');
  await page.click('dialog .main');
  await news('another values file of this cluster'); // 412 of the server
  expect(!(await page.isVisible('dialog .main')), '412 can’t be sent again');
  await check(page, 'wizard-exists');
  await page.keyboard.press('Escape');
  await page.click('text=Back to the values');
  await input(page, 'cluster_name').fill('second');
  await review(page);
  await page.click('#publish');
  await refuseOnce(page, 429, { title: 'Too many requests' }, { 'Retry-After': '1' });
  await page.click('dialog .main');
  await news('sent again in 1 second');
  await published(page);
  await page.click('text=Change this cluster');
  await input(page, 'worker_count').fill('4');
  await review(page);
  await page.click('#publish');
  await refuseOnce(page, 401, { type: '/problems/unauthorized', title: 'A valid bearer token is required' });
  await page.click('dialog .main');
  await ready(page, 'dialog.sign-in');
  await page.fill('#token', TOKEN);
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog.sign-in', { state: 'detached' });
  await refuseOnce(page, 409, { type: '/problems/conflict', title: 'The branch has changed', detail: 'it moved' });
  await page.click('dialog .main');
  await news('it moved');
  await refuseOnce(page, 422, {
    type: '/problems/lint-errors',
    title: 'The cluster has lint errors',
    errors: [{ detail: 'too few', pointer: '#/worker_count', severity: 'error' }],
  });
  await page.click('dialog .main');
  await page.click('dialog >> text=Back to the values');
  const field = input(page, 'worker_count');
  expect((await field.getAttribute('aria-invalid')) === 'true', 'an error of a publication is shown at its field');
  await page.context().close();
}

const dark = async () => looks(await open({ colorScheme: 'dark' }, REFUSED), 'dark');
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };
const phone = async () => looks(await open(PHONE, REFUSED), 'phone');
const phoneDark = async () => looks(await open({ ...PHONE, colorScheme: 'dark' }, REFUSED), 'phone-dark');

async function looks(page, suffix) {
  await openForm(page);
  await check(page, `wizard-empty-${suffix}`);
  await checkHostileName(page);
  await check(page, `wizard-hostile-name-${suffix}`);
  await input(page, 'cluster_name').fill('');
  await fill(page, `looks-${suffix}`);
  await input(page, 'control_plane_count').fill('two');
  await checked(page);
  await check(page, `wizard-error-${suffix}`);
  await input(page, 'control_plane_count').fill('1');
  await page.getByRole('checkbox', { name: 'cinder-csi' }).check();
  await page.getByRole('checkbox', { name: 'cinder-csi' }).scrollIntoViewIfNeeded();
  await check(page, `wizard-addons-${suffix}`);
  await review(page);
  await check(page, `wizard-review-${suffix}`);
  await page.click('#publish');
  await check(page, `wizard-confirm-${suffix}`);
  await page.context().close();
}

// Without a mouse, where layers set the cloud: the focus is seen at each stop, and nothing needs more than keys.
async function keyboard() {
  const page = await open({}, REFUSED);
  const press = (key) => page.keyboard.press(key);
  await signIn(page);
  await ready(page, '.templates');
  await tabTo(page, () => document.activeElement.querySelector('code')?.textContent === 'capo', 12);
  await press('Enter');
  await ready(page, '.form');
  await checked(page);
  const values = { cluster_name: 'keys', kubernetes_type: 'rke2', ...KEYBOARD };
  let stops = 0;
  for (const [key, value] of Object.entries(values)) {
    stops += await tabTo(page, (wanted) => document.activeElement.dataset.path === wanted, 40, key);
    await page.keyboard.type(value); // of a list of choices, too
  }
  await checked(page);
  console.log(`${stops} stops from the name to the last of ${Object.keys(values).length} fields`);
  await check(page, 'wizard-keyboard-form');
  await press('Control+Enter');
  await ready(page, '.review').catch(async () => expect(false, `no review: ${await text(page, '#findings')}`));
  await tabTo(page, () => document.activeElement.textContent === 'machine-templates.yaml', 20);
  await press('Enter');
  expect((await text(page, '.code')).includes('m1.xlarge'), 'a rendered file is shown');
  await press('Control+Enter');
  await ready(page, 'dialog');
  await press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  expect((await page.evaluate(() => document.activeElement.id)) === 'publish', 'the focus is back at its button');
  await press('Enter');
  await ready(page, 'dialog');
  await press('Enter');
  await published(page);
  await check(page, 'wizard-keyboard-published');
}

const KEYBOARD = {
  image_name: 'rke2-node-v1.35-20260407',
  control_plane_count: '3',
  flavor_control_plane: 'm1.large',
  worker_count: '3',
  flavor_worker: 'm1.xlarge',
};

// Presses Tab until `isThere` holds; the number of presses. Each stop is in the window, and not below the head of the page.
async function tabTo(page, isThere, most, argument) {
  for (let presses = 0; presses <= most; presses += 1) {
    if (await page.evaluate(isThere, argument)) return presses;
    await page.keyboard.press('Tab');
    const problem = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === document.body) return ''; // the end of the page
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const isSeen = box.bottom > 0 && box.top < window.innerHeight && box.width > 0;
      const hasOutline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
      const at = document.elementFromPoint(box.left + Math.min(5, box.width / 2), box.top + Math.min(5, box.height / 2));
      const isCovered = isSeen && at && at.closest('#top') && !element.closest('#top');
      if (isSeen && hasOutline && !isCovered) return '';
      return `${element.outerHTML.slice(0, 120)} at ${box.top}: ${isSeen} ${hasOutline} ${isCovered}`;
    });
    expect(problem === '', `the focus isn’t seen: ${problem}`);
  }
  throw new Error(`not reached in ${most} presses: ${isThere} ${argument}`);
}

// A hostile name is refused by the server, and shown as text.
async function checkHostileName(page) {
  await input(page, 'cluster_name').fill(settings.hostile);
  await checked(page);
  expect((await input(page, 'cluster_name').getAttribute('aria-invalid')) === 'true', 'a hostile name is an error');
  expect(!(await text(page, 'h1')).includes('\u202e'), 'the head shows no character that changes the order');
  const head = await page.locator('#top').evaluate((element) => element.offsetHeight);
  expect(head < 100, `a long name leaves the window to the form: the head has ${head} pixels`);
}

const hostile = async () => hostileValues(await open({}, REFUSED), 'hostile');
const hostilePhone = async () =>
  hostileValues(await open({ ...PHONE, colorScheme: 'dark' }, REFUSED), 'hostile-phone-dark');

async function hostileValues(page, name) {
  await countHits(page);
  await signIn(page);
  await ready(page, '.form');
  expect((await page.locator('label', { hasText: 'refused' }).count()) === 0, 'a key that can have no value has no field');
  await input(page, 'cluster_name').fill(name);
  await input(page, 'note').fill(settings.long);
  await input(page, 'choice').selectOption({ index: 1 });
  await input(page, 'token').fill('a-canary');
  await go(page, 'labels');
  await input(page, 'labels').getByRole('button', { name: 'Add an entry' }).click();
  await page.keyboard.type(settings.hostile);
  await page.keyboard.press('Tab');
  await page.keyboard.type(settings.hostile);
  await input(page, 'labels').getByRole('button', { name: 'Add an entry' }).click();
  await page.keyboard.type('__proto__');
  await page.keyboard.press('Tab');
  await page.keyboard.type('polluted');
  await go(page, 'pools');
  await input(page, 'pools').getByRole('button', { name: 'Add one' }).click();
  await page.keyboard.type('three');
  await checked(page);
  expect((await text(page, '#findings')).includes('pools.0.size'), 'an error in an item of a list');
  await input(page, 'pools.0.size').fill('3');
  await input(page, 'pools.0.spot').selectOption({ label: 'true' });
  await input(page, 'disk').selectOption({ label: 'Details' });
  await page.locator('summary', { hasText: 'Details' }).waitFor();
  await input(page, 'disk.size').fill('5');
  await checked(page);
  await check(page, `wizard-${name}-form`);
  await input(page, 'token').fill('');
  await review(page);
  expect((await text(page, '.review')).includes('<script>hit()'), 'the text is shown as text');
  const shown = await page.evaluate(() => document.body.innerText);
  expect(!shown.includes('\u202e'), 'no character that changes the order is shown');
  await check(page, `wizard-${name}-review`);
  await page.click('#publish');
  await page.keyboard.press('Enter');
  await published(page);
  await check(page, `wizard-${name}-published`);
  expect((await page.evaluate(() => window.hits)) === 0, 'no text runs as a script');
  await expectPolicy(page);
}

await runPart({ create, refusals, dark, phone, phoneDark, keyboard, hostile, hostilePhone });
