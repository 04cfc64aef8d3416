import type { EffectFigures } from './effects';
import type { CallFigures } from './figures';

/** What a scenario saw. */
export type Seen = { scenario: string } & CallFigures & EffectFigures & { settled: boolean };

/** What is allowed beyond the rules of all scenarios. */
interface Allowed {
  /** How long answers of 5xx without `Retry-After`, or none, may follow each other: what is killed cannot answer. */
  other5xxSeconds?: number;
}

const noWriteSeconds = 30;

const broken = (scenario: string, rules: readonly (readonly [isMet: boolean, text: string])[]): string[] =>
  rules.filter(([isMet]) => !isMet).map(([, text]) => `${scenario}: ${text}`);

/** Returns what of it breaks a rule, as sentences. */
export function brokenRules(seen: Seen, { other5xxSeconds = 0 }: Allowed = {}): string[] {
  const answersAsAllowed = other5xxSeconds === 0 ? seen.other_5xx === '' : seen.other_5xx_s <= other5xxSeconds;
  return broken(seen.scenario, [
    [seen.events > 0, 'no event was published'],
    [seen.lost_events === 0, `${seen.lost_events} events did not arrive`],
    [seen.wrong_events === 0, `${seen.wrong_events} events arrived wrong`],
    [seen.unexplained_duplicates === 0, `${seen.unexplained_duplicates} events arrived again whose attempt before neither failed nor was in flight at a worker to which something was done`],
    [seen.early_leases === 0, `${seen.early_leases} claims ended before their lease`],
    [seen.lost_commits === 0, `${seen.lost_commits} committed calls are lost`],
    [seen.double_effects === 0, `${seen.double_effects} calls had their effect twice`],
    [seen.failed === 0, `${seen.failed} calls failed in the end`],
    [answersAsAllowed, `5xx without Retry-After, or no answer: ${seen.other_5xx}, within ${seen.other_5xx_s} s`],
    [seen.no_write_s <= noWriteSeconds, `nothing was written for ${seen.no_write_s} s`],
    [seen.settled, 'not everything came to its end'],
  ]);
}

/** A store without which calls are refused was lost: callers were asked to come back until it was there again, and not any more then. */
export function brokenRulesOfLostStore({ scenario, asked_to_retry }: Seen, afterwards: CallFigures): string[] {
  return broken(scenario, [
    [asked_to_retry.includes('503'), 'no call was answered with 503 and Retry-After'],
    [afterwards.requests > 0, 'no call was made afterwards'],
    [!afterwards.asked_to_retry.includes('503') && afterwards.other_5xx === '' && afterwards.failed === 0, `afterwards calls were answered with ${[afterwards.asked_to_retry, afterwards.other_5xx].filter((text) => text !== '').join(', ')}`],
  ]);
}
