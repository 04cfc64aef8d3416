import { operationsWithTag, type ApiDocument, type OperationLocation } from './apiDocument';

/** The links below a heading of the README, each with what it leads to. */
function linksBelow(heading: string, readme: string): string[] {
  const [, below = ''] = readme.split(`\n${heading}\n`);
  const links = (below.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('- ['));
  if (links.length === 0) throw new Error(`The README has no links below ${heading}`);
  return links;
}

const operationLine = ({ method, path, operation }: OperationLocation): string => {
  const scope = operation['x-required-scope'];
  return `- \`${method} ${path}\`${scope === undefined ? '' : ` (${scope})`}: ${operation.summary}`;
};

/** Returns `llms.txt`: what the service is, the path of each document, and one line per operation, for programs that read text. */
export function llmsText(api: ApiDocument, readme: string): string {
  const operations = api.tags.flatMap(({ name }) => [`### ${name}`, '', ...operationsWithTag(api, name).map(operationLine), '']);
  return [
    `# ${api.info.title}`,
    '',
    '> An institution\'s REST API: people, licenses, exams, merits, coupons, guardians, Alpha Learning, and signed webhooks that tell its own systems what happened.',
    '',
    String(api.info.description),
    '',
    'The running API serves its whole OpenAPI 3.1 description at `/v1/openapi.json` and an explorer at `/v1/docs`; neither needs a key.',
    '',
    '## Documents',
    '',
    '- [README](README.md): how to start it, and how the code is laid out',
    ...linksBelow('## Documents', readme),
    '',
    '## Operations',
    '',
    'Paths follow the base URL, which ends with `/v1`; the scope that a key needs stands in brackets.',
    '',
    ...operations,
  ].join('\n').trimEnd().concat('\n');
}
