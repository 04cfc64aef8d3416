import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesForIntegrators } from '../../../../api/http/openapi/explorer/changeLog';
import { projectRoot } from '../../../../lib/projectRoot';
import { apiFixture } from '../../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

const log = `# Changes

What the version is.

## 1.2.0 – 2026-11-27

What came of it.

For integrators:

- A new field.
- Another one
  of two lines.

For operators:

- A new alert.

## 1.1.1 – 2026-11-26

For operators:

- Another alert.

## 1.1.0 – 2026-11-25

For integrators:

- A new event.

For those who build it: the rooms.

## 1.0.0 – 2026-11-24

- First release.
`;

it('the change log of integrators has their part of each release, and those that have no parts', () => {
  expect(changesForIntegrators(log)).toBe(`# Changes

What the version is.

## 1.2.0 – 2026-11-27

- A new field.
- Another one
  of two lines.

## 1.1.0 – 2026-11-25

- A new event.

## 1.0.0 – 2026-11-24

- First release.
`);
});

// Contract: versioning.change-log.dated
it('is served next to the documentation, without a key, newest release first', async () => {
  const served = await (await fetch(`${api.baseUrl}/docs/guides/changes.md`)).text();
  const releases = [...served.matchAll(/^## (.+)$/gm)].map(([, release = '']) => release);
  const source = readFileSync(join(projectRoot(), 'CHANGELOG.md'), 'utf8');
  const written = [...source.matchAll(/^## (.+)$/gm)].map(([, release = '']) => release);
  expect(releases.length).toBeGreaterThan(10);
  expect(releases).toEqual(written.filter((release) => releases.includes(release)));
  expect(releases[0]).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d\d-\d\d$/);
  expect(served).not.toMatch(/^For /m);
  expect((await fetch(`${api.baseUrl}/docs/guides/changes`)).status).toBe(200);
});

it('no part of the document is deprecated, as docs/versions.md says', () => {
  expect(JSON.stringify(api.served.document)).not.toContain('"deprecated"');
});
