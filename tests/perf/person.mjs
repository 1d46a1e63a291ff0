// A person at the form of `serve --wizard`; wizard_bench.py starts it. It prints what the person did and how long it took.
import { expect, open, runPart, settings } from '../support/browser.mjs';
import { BASICS, CLOUD, TOKEN, checked, input, ready } from '../support/wizard.mjs';

// Milliseconds. 5 characters a second are 60 words a minute. A label with its description has 10 to 30 words, which a person
// who knows the values only skims.
const CHARACTER = 200;
const POINT = 1100;
const READ = 2000;
const READ_REVIEW = 15000;
const READ_DIALOG = 4000;

const LISTS = {
  'network.dns_nameservers': '10.10.0.53',
  'network.ntp_servers': 'ntp.example.com',
  'api_server.allowed_cidrs': '10.0.0.0/8',
};
const ANSWERS = new Map([...BASICS, ...CLOUD]);
// A finding about a missing group, and the field in it that the person fills in first.
const GROUPS = {
  argocd: 'argocd.repo_url',
  openstack: 'openstack.auth_url',
  network: 'network.node_cidr',
  secrets: 'secrets.store.name',
  'secrets.store': 'secrets.store.name',
};

const did = { fields: 0, characters: 0, reading: 0, typing: 0 };

async function pause(page, milliseconds) {
  did.reading += milliseconds / 1000;
  await page.waitForTimeout(milliseconds);
}

async function click(page, target) {
  await pause(page, POINT);
  await target.click();
}

async function type(page, value) {
  const begin = Date.now();
  for (const character of value) {
    const next = page.waitForTimeout(CHARACTER);
    await page.keyboard.insertText(character);
    await next;
  }
  did.characters += value.length;
  did.typing += (Date.now() - begin) / 1000;
}

async function answer(page, field, value) {
  did.fields += 1;
  await pause(page, READ);
  if ((await field.evaluate((element) => element.tagName)) !== 'SELECT') return type(page, value);
  await pause(page, POINT);
  return field.selectOption({ label: value });
}

// The fields at the top of the form, one after the other.
async function fillBasics(page) {
  await answer(page, input(page, 'cluster_name'), settings.name);
  for (const [path, value] of BASICS) {
    const field = input(page, path);
    // What a layer sets is optional, and the person leaves it.
    const note = await page.locator('.field', { has: field }).locator('.badge').first().textContent();
    if (note === 'set by a layer') continue;
    await click(page, field);
    await answer(page, field, value);
  }
}

// Follows the list of what is missing until it is empty.
async function fillMissing(page) {
  for (let round = 0; round < 20; round += 1) {
    await checked(page);
    const next = page.locator('#findings .finding.needed button, #findings .finding.error button').first();
    if ((await next.count()) === 0) return;
    const listed = await next.textContent();
    const path = GROUPS[listed] || listed;
    expect(path in LISTS || ANSWERS.has(path), `no answer for ${await page.locator('#findings').innerText()}`);
    await pause(page, READ); // the finding
    await click(page, next);
    if (path in LISTS) {
      await click(page, input(page, path).getByRole('button', { name: 'Add a value' }));
      await answer(page, page.locator(':focus'), LISTS[path]);
    } else {
      await openGroups(page, path);
      await answer(page, input(page, path), ANSWERS.get(path));
    }
  }
}

// Opens the groups on the way to a field, and clicks on it.
async function openGroups(page, path) {
  const parts = path.split('.');
  for (let length = 1; length < parts.length; length += 1) {
    const group = input(page, parts.slice(0, length).join('.'));
    if (!(await group.evaluate((element) => element.open))) await click(page, group.locator('> summary'));
  }
  const isThere = await input(page, path).evaluate((element) => element === document.activeElement);
  if (!isThere) await click(page, input(page, path));
}

async function create() {
  const page = await open({}, /Failed to load resource/); // the browser's words about the request without a token
  await page.goto(settings.address);
  await ready(page, 'dialog.sign-in');
  const begin = Date.now();
  await pause(page, READ);
  await page.keyboard.insertText(TOKEN); // pasted
  await page.keyboard.press('Enter');
  await ready(page, '.templates');
  await pause(page, READ);
  await click(page, page.locator('.templates button', { has: page.locator('code:text-is("capo")') }));
  await ready(page, '.form');
  await fillBasics(page);
  await fillMissing(page);
  const csi = page.getByRole('checkbox', { name: 'cinder-csi' });
  await pause(page, READ);
  await click(page, csi);
  await checked(page);
  await click(page, page.locator('#review'));
  await page.waitForSelector('.review', { timeout: 60000 }).catch(async () => {
    throw new Error(`no review: ${await page.textContent('#problem')} ${await page.textContent('#findings')}`);
  });
  await pause(page, READ_REVIEW);
  await click(page, page.locator('#publish'));
  await pause(page, READ_DIALOG);
  await click(page, page.locator('dialog .main'));
  await page.waitForSelector('.published', { timeout: 60000 });
  const all = (Date.now() - begin) / 1000;
  expect(await page.isVisible('.commit'), 'the commit is shown');
  console.log(JSON.stringify({ ...did, all, waiting: all - did.reading - did.typing }));
}

await runPart({ create });
