import { documents, readDocument } from '../support/documents';
import { figuresOf, missing } from '../support/figures';
import { capacityExamples, capacityFigures } from './figures/capacity';
import { clusterExamples, clusterFigures } from './figures/cluster';
import { decisionFigures } from './figures/decisions';
import { examples as generalExamples } from './figures/examples';
import { integratorFigures } from './figures/integrators';
import { objectiveExamples, objectiveFigures } from './figures/objectives';
import { kubernetesFigures } from './figures/kubernetes';
import { officerExamples, officerFigures } from './figures/officers';
import { operatorFigures } from './figures/operators';

/** The sentences of several tables for each document. */
const together = (...tables: readonly Record<string, readonly string[]>[]): Record<string, readonly string[]> =>
  Object.fromEntries(tables.flatMap((table) => Object.keys(table)).map((name) => [name, tables.flatMap((table) => table[name] ?? [])]));

const held = together(integratorFigures, operatorFigures, officerFigures, objectiveFigures, clusterFigures, kubernetesFigures, capacityFigures);
const examples = together(generalExamples, officerExamples, objectiveExamples, clusterExamples, capacityExamples);

/** Records of what was decided and measured at the time, the contract, and what is generated or has figures of a day. */
const notOfNow = /^(CHANGELOG\.md|docs\/(decisions\/|contract|specification\.md|fuzzing\.md))/;

const ofNow = documents.filter((name) => !notOfNow.test(name));

describe.each(ofNow)('%s', (name) => {
  const text = readDocument(name);

  it('says the figures that the code has', () => {
    expect((held[name] ?? []).filter((sentence) => !text.includes(sentence))).toEqual([]);
  });

  it('has no figure that is neither read from the code nor known as an example', () => {
    const known = [...(held[name] ?? []), ...(examples[name] ?? [])];
    const spans = known.flatMap((sentence) => {
      const found = [];
      for (let at = text.indexOf(sentence); at !== -1; at = text.indexOf(sentence, at + 1)) found.push({ from: at, to: at + sentence.length });
      return found;
    });
    const loose = figuresOf(text).filter(({ at, figure }) => !spans.some(({ from, to }) => from <= at && at + figure.length <= to));
    expect(loose.map(({ at }) => text.slice(Math.max(0, at - 40), at + 30).replaceAll('\n', ' '))).toEqual([]);
  });

  it('lists no example that it does not have', () => {
    expect((examples[name] ?? []).filter((sentence) => !text.includes(sentence))).toEqual([]);
  });
});

it('every figure of the tables is in the code: where it has moved, test/docs/figures says where it stands now', () => {
  expect(missing).toEqual([]);
});

it('every table is of a document that is there', () => {
  expect([...Object.keys(held), ...Object.keys(examples)].filter((name) => !ofNow.includes(name))).toEqual([]);
});

it.each(Object.keys(decisionFigures))('%s says the figures that the code has', (name) => {
  const text = readDocument(name);
  expect((decisionFigures[name] ?? []).filter((sentence) => !text.includes(sentence))).toEqual([]);
});

it('a figure is found anywhere in prose, and none in code, links and statuses', () => {
  const found = (markdown: string): string[] => figuresOf(markdown).map(({ figure }) => figure);
  expect(found('Kept for 30 days, 1,000 a second, 15 % more, 4 KiB; every 5 s.\n| 12 | -100 to 99.9 |')).toEqual(['30', '1,000', '15', '4', '5', '12', '-100', '99.9']);
  expect(found('`limit=50` is 404, [a link](x-20.md); 2026-11-20 at 12:10, v1.\n1. First\n```\n20\n```\n## 3. Third')).toEqual([]);
  expect(found('kept for 400 days; 200 at most; Ten wrong tokens; daily at 03:30 UTC; one of two')).toEqual(['400', '200', 'Ten', '03:30']);
});
