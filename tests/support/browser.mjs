// What scripts that drive pages in Chromium share. support/browser.py starts them with their settings as JSON.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const settings = JSON.parse(process.argv[2]);
const require = createRequire(join(settings.modules, 'x.js'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const failed = []; // what doesn't hold

export function expect(holds, what) {
  if (holds) return;
  failed.push(what);
  console.error(`FAIL ${what}`);
}

export const browser = await chromium.launch({ executablePath: settings.chromium, args: ['--no-sandbox'] });

// A page that has no errors, opens no dialogs, and sends no requests to other places. `expected`: messages of the
// console that don't count.
export async function open(options = {}, expected = /^$/) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: false, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => expect(false, `an error of the page: ${error.message}`));
  page.on('console', (message) =>
    expect(message.type() !== 'error' || expected.test(message.text()), `the console: ${message.text()}`),
  );
  page.on('dialog', (dialog) => {
    expect(false, `a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => expect(request.url().startsWith(settings.allowed), `a request to ${request.url()}`));
  return page;
}

// Takes a screenshot, and checks accessibility and width. axe runs in a world of its own, which the page's policy doesn't
// concern.
export async function check(page, name, screenshot = true) {
  if (screenshot) await page.screenshot({ path: join(settings.screenshots, `${name}.png`) });
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  await session.send('Runtime.evaluate', { expression: axe, contextId: executionContextId });
  const { result } = await session.send('Runtime.evaluate', {
    expression:
      'axe.run().then((found) => JSON.stringify(found.violations.filter((each) => ["serious", "critical"].includes(each.impact)).map((each) => each.id + ": " + each.nodes.slice(0, 3).map((node) => node.html + " " + node.failureSummary).join(" | "))))',
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  expect(result.value === '[]', `axe in ${name}: ${result.value}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow <= 0, `${name} is ${overflow} pixels wider than the window`);
}

// Before navigation: `window.hits` counts the calls of hit(), which hostile values try.
export const countHits = (page) =>
  page.addInitScript(() => {
    window.hits = 0;
    window.hit = () => {
      window.hits += 1;
    };
  });

// Even code that the page was tricked into can add no script, and can't reach other servers.
export async function expectPolicy(page) {
  page.removeAllListeners('request');
  page.removeAllListeners('console'); // the policy's reports
  const blocked = await page.evaluate(async () => {
    const outcomes = {};
    try {
      document.body.innerHTML = '<p>x</p>';
    } catch (error) {
      outcomes.markup = error.name;
    }
    const script = document.createElement('script');
    try {
      script.textContent = 'hit()';
      document.body.append(script);
    } catch (error) {
      outcomes.script = error.name;
    }
    try {
      await fetch('https://example.com/');
    } catch (error) {
      outcomes.fetch = error.name;
    }
    await new Promise((resolve) => {
      setTimeout(() => {
        // outside of the driver's call, which may evaluate
        try {
          (0, eval)('hit()');
        } catch (error) {
          outcomes.eval = error.name;
        }
        resolve();
      }, 0);
    });
    return { ...outcomes, hits: window.hits };
  });
  expect(
    blocked.hits === 0 && blocked.markup === 'TypeError' && blocked.fetch === 'TypeError' && Boolean(blocked.eval),
    `the policy blocks them: ${JSON.stringify(blocked)}`,
  );
}

// Runs the part that the settings name, and ends the process.
export async function runPart(parts) {
  await parts[settings.part]().catch((error) => expect(false, error.stack));
  await browser.close();
  process.exit(failed.length > 0 ? 1 : 0);
}
