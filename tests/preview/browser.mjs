// Drives the pages of a preview; browser_test.py starts it with its settings as JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, check, countHits, expect, expectPolicy, open, runPart, settings } from '../support/browser.mjs';

const PROD = 'values=values%2Fprod-a.yaml';
const MACHINES = 'file=clusters%2Fprod-a%2Fmachine-templates.yaml';
const go = (page, hash) =>
  page.goto(settings.address + hash).then(() => page.waitForLoadState('networkidle').catch(() => {}));
const ready = (page, selector) => page.waitForSelector(selector, { timeout: 20000 });

async function visit(page, suffix) {
  await page.goto(settings.address);
  await ready(page, '.fleet tbody tr');
  await page.waitForFunction(() => !document.querySelector('.fleet tbody').textContent.includes('…'));
  await check(page, `fleet-${suffix}`);
  const views = [
    ['manifest', `&${MACHINES}&line=44&at=18`, '.panel .edit input'],
    ['changes', '&view=changes&base=HEAD', '.content > .diff'],
    ['findings', '&view=findings', '.finding'],
    ['values', '&view=values', '.effects > *'],
    ['objects', '&view=objects', '.drawing rect'],
  ];
  for (const [name, query, selector] of views) {
    await page.goto(`${settings.address}#cluster?${PROD}${query}`);
    await ready(page, selector);
    await check(page, `${name}-${suffix}`);
  }
}

async function paths() {
  const values = join(settings.folder, 'values', 'prod-a.yaml');
  const before = readFileSync(values, 'utf8');
  const page = await open();
  await page.goto(settings.address);
  await ready(page, '.fleet tbody tr');
  expect((await page.locator('.fleet tbody tr').count()) === 3, 'three clusters are listed');

  // Keys only: search, open, move over the lines, select one.
  await page.keyboard.press('/');
  await page.keyboard.type('prod');
  expect((await page.locator('.fleet tbody tr:visible').count()) === 1, 'the search leaves one cluster');
  await page.keyboard.press('Enter');
  await ready(page, '.split .line');
  expect((await page.textContent('h1')) === 'prod-a', 'Enter opens it');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect((await page.evaluate(() => document.activeElement.dataset.key)) === 'line 2', 'j moves over the lines');
  await page.keyboard.press('Enter');
  await ready(page, '.panel h2');
  expect((await page.textContent('.panel h2')) === 'Line 2', 'Enter explains a line');
  await page.keyboard.press(']');
  await page.waitForFunction(() => !document.querySelector('h2.path').textContent.endsWith('cluster.yaml'));
  await page.keyboard.press('u');
  await ready(page, '.fleet tbody tr');

  // A click on a value shows its origin; the field changes it without touching the file.
  await page.goto(`${settings.address}#cluster?${PROD}&${MACHINES}`);
  await ready(page, '.split .line');
  await page.locator('.split .line', { hasText: 'm1.2xlarge' }).locator('.from-value').first().click();
  await ready(page, '.panel .edit input');
  expect((await page.textContent('.panel')).includes('worker_pools[0].flavor'), 'the value is named');
  await page.fill('.panel .edit input', 'm1.4xlarge');
  await ready(page, '.tree .changed');
  await page.waitForFunction(() =>
    document.querySelector('.summary').textContent.includes('3 to 10 of 8 to 15 machines replaced'),
  );
  await ready(page, '.split .line.new');
  expect(readFileSync(values, 'utf8') === before, 'the file is as before');
  expect((await page.evaluate(() => document.activeElement.tagName)) === 'INPUT', 'the field keeps the focus');
  await visit(page, 'light');
  await visit(await open({ colorScheme: 'dark' }), 'dark');
  await visit(await open({ viewport: { width: 360, height: 740 }, hasTouch: true }), 'phone');

  // Write, then a change on disk appears by itself.
  await go(page, `#cluster?${PROD}&view=changes`);
  await page.click('text=Write');
  await page.waitForFunction(() => document.querySelectorAll('.drafts p').length === 0);
  expect(readFileSync(values, 'utf8') === before.replace('m1.2xlarge', 'm1.4xlarge'), 'the file is written');
  writeFileSync(values, before.replace('m1.2xlarge', 'm1.16xlarge'));
  await page.waitForFunction(() => document.body.textContent.includes('m1.16xlarge'), null, { timeout: 10000 });

  // The text of the file: an error appears while it is typed.
  await go(page, `#cluster?${PROD}&view=values`);
  await ready(page, '.effects > *');
  await page.fill('textarea', before.replace('control_plane_count: 3', 'control_plane_count: three'));
  await ready(page, '.effects .finding.error');
  expect((await page.textContent('.effects')).includes('three'), 'the finding names the value');
  await check(page, 'values-error');
  await page.click('text=Revert');
  await page.waitForFunction(() => document.querySelectorAll('.drafts p').length === 0);
  writeFileSync(values, before);
}

async function hostile() {
  const page = await open();
  await countHits(page);
  const values = join(settings.folder, 'values', 'prod-a.yaml');
  const before = readFileSync(values, 'utf8');
  const text = `</script><script>hit()</script><img src=x onerror=hit()><svg onload=hit()>{{7*7}}\\u202E\\"'${'x'.repeat(3000)}`;
  writeFileSync(
    values,
    before.replace('cluster: prod-a', `cluster: "${text}"`).replace('flavor: m1.2xlarge', 'flavor: "<b>bold</b>"'),
  );
  for (const query of ['', '&view=changes', '&view=findings', '&view=values', '&view=objects']) {
    await page.goto(`${settings.address}#cluster?${PROD}${query}`);
    await ready(page, `.cluster[data-view="${query.slice(6) || 'manifests'}"] .content > *`);
    await page.waitForTimeout(500);
    if (query === '&view=changes')
      expect((await page.textContent('.content')).includes('<script>hit()'), 'the text is shown as text');
    const shown = await page.evaluate(() => document.body.innerText);
    expect(!shown.includes('\u202e'), `${query || 'manifests'} shows no character that changes the order`);
    await check(page, `hostile${query.replace('&view=', '-')}`);
  }
  page.removeAllListeners('console'); // a cluster that doesn't exist is a message there
  for (const hash of [
    '#cluster?values=<img src=x onerror=hit()>',
    '#<script>hit()</script>',
    '#fleet?x=javascript:hit()',
  ])
    await page.goto(settings.address + hash).catch(() => {});
  await page.waitForTimeout(300);
  expect((await page.evaluate(() => window.hits)) === 0, 'no value runs as a script');

  await expectPolicy(page);
  writeFileSync(values, before);

  // A page of another origin can neither read nor frame it.
  const other = await browser.newPage();
  await other.goto('data:text/html,<p>other</p>');
  const seen = await other.evaluate(async (address) => {
    try {
      return await (await fetch(`${address}api/fleet`)).text();
    } catch (error) {
      return error.name;
    }
  }, settings.address);
  expect(seen === 'TypeError', `another origin reads ${seen}`);
}

async function large() {
  const durations = [],
    used = [];
  let page;
  for (let round = 0; round < 3; round += 1) {
    // other work may delay one of them
    page = await open();
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const began = Date.now();
    await page.goto(settings.address);
    await page.waitForFunction(
      (count) => document.querySelectorAll('.fleet tbody tr').length === count,
      settings.clusters,
    );
    durations.push(Date.now() - began);
    const { metrics } = await session.send('Performance.getMetrics');
    used.push(Math.round(1000 * metrics.find((each) => each.name === 'ThreadTime').value));
    if (round < 2) await page.context().close();
  }
  const listed = Math.min(...durations);
  console.log(
    `${settings.clusters} clusters are listed in the browser after ${listed} ms (fastest of ${durations.length}), ${Math.min(...used)} ms of a processor`,
  );
  // On a machine that other work keeps busy, the time of the processor decides.
  expect(
    !settings.timed || listed < 1000 || Math.min(...used) < 500,
    `${settings.clusters} clusters are listed within a second, not ${listed} ms`,
  );
  const began = Date.now();
  await page.fill('input[type=search]', 'many-0999 many');
  await page.fill('input[type=search]', 'many-0512');
  expect((await page.locator('.fleet tbody tr:visible').count()) === 1, 'the search finds one of many');
  await page.fill('input[type=search]', '');
  await page.waitForFunction(() => !document.querySelector('.summary').textContent.includes('checked'), null, {
    timeout: 120000,
  });
  console.log(`the states of all are known after ${Date.now() - began} ms`);
  await page.screenshot({ path: join(settings.screenshots, 'fleet-large.png') });
}

await runPart({ paths, hostile, large });
