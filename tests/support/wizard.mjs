// What scripts do with the page of `serve --wizard`, as a person who types fast would.
import { expect, settings } from './browser.mjs';

export const TOKEN = 'all-all';

// What a cluster on OpenStack needs besides its name, where no layer sets it.
export const BASICS = [
  ['kubernetes_type', 'rke2'],
  ['kubernetes_version', 'v1.35.7+rke2r1'],
  ['image_name', 'rke2-node-v1.35-20260407'],
  ['control_plane_count', '3'],
  ['flavor_control_plane', 'm1.large'],
  ['worker_count', '3'],
  ['flavor_worker', 'm1.xlarge'],
];
export const CLOUD = [
  ['openstack.auth_url', 'https://keystone.example.com:5000/v3'],
  ['openstack.region', 'RegionOne'],
  ['openstack.ssh_key_name', 'platform'],
  ['network.node_cidr', '10.6.0.0/24'],
  ['network.external_network_id', '3f1c0f5e-6c3d-4c2a-9a26-7a9d0f6f1b11'],
  ['secrets.store.name', 'platform-vault'],
  ['argocd.repo_url', 'https://git.example.com/platform/clusters.git'],
];

export const ready = (page, selector) => page.waitForSelector(selector, { timeout: 15000 });
export const text = (page, selector) => page.textContent(selector);
export const input = (page, key) => page.locator(`[data-path="${key}"]`);

export async function signIn(page, token = TOKEN) {
  await page.goto(settings.address);
  await ready(page, 'dialog.sign-in');
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
}

// The server has answered for the values as they are.
export async function checked(page) {
  await page.waitForFunction(() => document.getElementById('state').dataset.fresh === 'true', null, { timeout: 15000 });
}

// Opens a setting by the search, as a person with a keyboard does; its field has the focus.
export async function go(page, path) {
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('/');
  await page.keyboard.insertText(path);
  const words = page.locator('.results button', { has: page.locator(`code:text-is("${path}")`) });
  await words.first().focus();
  await page.keyboard.press('Enter');
}

export async function enter(page, path, value) {
  await go(page, path);
  const field = page.locator(':focus');
  if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption({ label: value });
  else await page.keyboard.insertText(value);
}

// One value more in a list of texts.
export async function addTo(page, path, value) {
  await go(page, path);
  await input(page, path).getByRole('button', { name: 'Add a value' }).click();
  await page.keyboard.type(value);
}

export async function openForm(page, template = 'capo') {
  await signIn(page);
  await ready(page, '.templates');
  await page.locator('.templates button', { has: page.locator(`code:text-is("${template}")`) }).click();
  await ready(page, '.form');
  await checked(page);
}

export async function review(page) {
  await checked(page);
  await page.click('#review');
  await ready(page, '.review').catch(async () => expect(false, `no review: ${await text(page, '#findings')}`));
}

export async function published(page) {
  await page.waitForSelector('.published', { timeout: 20000 }).catch(async () => {
    throw new Error(`not published: ${await text(page, 'dialog')}`);
  });
}
