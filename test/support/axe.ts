import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The tags of the rules of WCAG 2.2, levels A and AA. */
const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeResult {
  violations: string[];
  /** The rules of WCAG that were not run. */
  left: string[];
}

/**
 * Returns what a page violates of axe's usual rules, and of every rule of WCAG 2.2 A and AA, a text for each place. Axe leaves
 * out `target-size`, the one that 2.2 has added, unless it is asked for by name.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found: string = await page.evaluate(`(() => {
    const wanted = axe.getRules(${JSON.stringify(wcagTags)}).map(({ ruleId }) => ruleId);
    return axe.run(document, { rules: Object.fromEntries(wanted.map((id) => [id, { enabled: true }])) }).then(({ violations, passes, incomplete, inapplicable }) => {
      const run = new Set([...violations, ...passes, ...incomplete, ...inapplicable].map(({ id }) => id));
      return JSON.stringify({
        violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' '))),
        left: [...wanted, 'target-size'].filter((id) => !run.has(id)),
      });
    });
  })()`);
  const { violations, left }: AxeResult = JSON.parse(found);
  if (left.length > 0) throw new Error(`axe has not run ${left.join(', ')}`);
  return violations;
}
