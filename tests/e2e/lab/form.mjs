// A person at the form of `serve --wizard`; form.py starts it. It reads a step from each line of its input, as JSON, and writes
// a line of JSON with what the page showed.
import { createInterface } from 'node:readline';

import { browser, check, failed, open, settings } from '../../support/browser.mjs';
import { checked, enter, input, openForm, published, ready, review, text } from '../../support/wizard.mjs';

const REFUSED = /Failed to load resource/; // the browser's words about the status 409, which asks for a consent

// Types a wrong value first. Returns what its field says.
async function showWrong(page, key, value) {
  await enter(page, key, value);
  await page.keyboard.press('Tab');
  await checked(page);
  const said = await text(page, `#${(await input(page, key).getAttribute('aria-describedby')).split(' ').at(-1)}`);
  await input(page, key).fill('');
  return said;
}

async function fill(page, step) {
  const said = {};
  for (const [key, value] of Object.entries(step.wrong || {})) said[key] = await showWrong(page, key, value);
  for (const [key, value] of Object.entries(step.values)) {
    const field = input(page, key);
    if (step.isFirst) await enter(page, key, String(value));
    else if ((await field.evaluate((element) => element.tagName)) === 'SELECT')
      await field.selectOption({ label: String(value) });
    else await field.fill(String(value));
  }
  await checked(page);
  return said;
}

// The verbs that the server asks a consent for, which the person gives.
async function consent(page) {
  await page.waitForSelector('.published, dialog fieldset', { timeout: 30000 });
  if (await page.isVisible('.published')) return [];
  const verbs = await page.locator('dialog fieldset strong').allTextContents();
  for (const box of await page.locator('dialog fieldset input').all()) await box.check();
  await page.click('dialog .main');
  return verbs;
}

async function run(page, step) {
  const begin = Date.now();
  if (step.isFirst) await openForm(page, step.template);
  else await page.click('text=Change this cluster');
  const said = await fill(page, step);
  await check(page, `${step.values.cluster_name || 'form'}-form`);
  await review(page);
  const plan = await text(page, '.plan');
  const files = await page.locator('.tree .file').count();
  await check(page, 'form-review');
  await page.click('#publish');
  await ready(page, 'dialog');
  await page.keyboard.press('Enter');
  const verbs = await consent(page);
  await published(page);
  return { said, plan, files, verbs, commit: await text(page, '.commit'), seconds: (Date.now() - begin) / 1000 };
}

const page = await open({}, REFUSED);
for await (const line of createInterface({ input: process.stdin })) {
  const shown = await run(page, JSON.parse(line)).catch((error) => ({ error: error.message }));
  console.log(JSON.stringify({ ...shown, failed: failed.splice(0) }));
}
await browser.close();
