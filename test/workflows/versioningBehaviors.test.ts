import * as hosted from '../../workflows/versioned';
import { versioningBehaviors } from '../../workflows/versioningBehaviors';
import { section } from '../support/documents';

it('every workflow says where open ones continue once another version of the workers is current', () => {
  const said = Object.entries(hosted).map(([name, workflow]) => [name, 'workflowDefinitionOptions' in workflow ? workflow.workflowDefinitionOptions : undefined]);
  expect(said.length).toBeGreaterThan(20);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(Object.entries(versioningBehaviors).map(([name, versioningBehavior]) => [name, { versioningBehavior }])));
});

it('docs/operations/workflows.md says the same', () => {
  const rows = section('docs/operations/workflows.md', '## Versions').split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) => {
    const [, names = '', open = ''] = row.split('|');
    const behavior = open.trim().startsWith('move to') ? 'AUTO_UPGRADE' : 'PINNED';
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, behavior]);
  });
  expect(Object.fromEntries(documented)).toEqual(versioningBehaviors);
});
