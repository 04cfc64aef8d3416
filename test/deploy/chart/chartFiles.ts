import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../local/projectRoot';
import { valuesSchema } from './valuesSchema';

const read = (path: string): string => readFileSync(join(projectRoot(), path), 'utf8');

/** What is in the chart because it stands elsewhere in the repository: the text that each file has to have, by its path. */
export function chartFiles(): ReadonlyMap<string, string> {
  const { version }: { version: string } = JSON.parse(read('package.json'));
  return new Map([
    ['deploy/helm/Chart.yaml', read('deploy/helm/Chart.yaml').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`)],
    ['deploy/helm/files/alerts.yml', read('docs/operations/alerts.yml')],
    ['deploy/helm/values.schema.json', valuesSchema(read('deploy/helm/values.schema.json'))],
  ]);
}
