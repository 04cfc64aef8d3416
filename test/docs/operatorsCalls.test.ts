import { documents, readDocument } from '../support/documents';

const pages = documents.filter((path) => path.startsWith('docs/operations/'));

/** The sentences and cells of a page that name a call of the public API. */
const sentencesWithKeyCalls = (path: string): string[] =>
  readDocument(path).split(/\n|(?<=[.;])\s|\s\|\s/).filter((sentence) => /`(GET|POST|PUT|PATCH|DELETE) \/v1\//.test(sentence));

/** Words for who has a key; operators have none. */
const keyOwners = /\b(institution|customer|owner|they|integrator)\b/i;

it('the pages for operators name calls of the public API only with who has a key for them', () => {
  const named = pages.flatMap((path) => sentencesWithKeyCalls(path).map((sentence) => `${path}: ${sentence}`));
  expect(named.length).toBeGreaterThan(5);
  // Descriptions of what starts a workflow, or where numbers come from, ask nobody to call.
  expect(named.filter((sentence) => !keyOwners.test(sentence) && !/\*\*Started\*\*|The numbers are those of/.test(sentence))).toEqual([]);
});

it('no page for operators says that people share a token of the console', () => {
  expect(pages.filter((path) => /share these tokens|does not name the person/.test(readDocument(path)))).toEqual([]);
});
