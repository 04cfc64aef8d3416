import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { section } from '../support/documents';
import { apiOfAllTests, institutionOfAllTests } from '../support/sharedApi';

const api = apiOfAllTests();
const north = institutionOfAllTests(api);

/** Runs the script of a guide's section beside the connection.json of a local stack; answers the answers that it prints. */
async function follow(document: string, heading: string): Promise<{ success: boolean; data: Record<string, unknown> }[]> {
  const [, script = ''] = /^```bash\n([\s\S]*?)^```$/m.exec(section(document, heading)) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  try {
    mkdirSync(join(folder, '.local'));
    const connection = { platform_url: api.platformUrl, platform_token: api.settings.platformToken, institution_id: north.id };
    writeFileSync(join(folder, '.local/connection.json'), JSON.stringify(connection));
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd: folder });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const call = (method: string, path: string, body: object) => api.call(method, path, { key: north.apiKey, body });

it('docs/merits.md: what the platform does goes as it is written, and then a credit goes through', async () => {
  const { data: batch } = await call('POST', '/coupons/batches', { name: 'Prizes', total_coupons: 2, value_cents: 100, expiry_date: new Date(Date.now() + 86_400_000).toISOString() });
  const answers = await follow('docs/merits.md', '## What the platform does');
  expect(answers).toMatchObject([{ success: true, data: { allowance_cents: 500_000 } }, { success: true, data: { id: batch.id, reason: 'Agreed for this term' } }]);
  const { data: student } = await call('POST', '/students', {});
  const { data } = await call('POST', '/merits/credits', { email: student.login_email, amount_cents: 500, ref: 'prize-1' });
  expect(data).toMatchObject({ applied: true, allowance_cents: 499_500 });
});

it('docs/alpha.md: a curriculum is made as it is written, and then a student is enrolled in it', async () => {
  const [published] = await follow('docs/alpha.md', '### Making one');
  expect(published).toMatchObject({ success: true, data: { title: 'Fractions', shared: false, status: 'published', concept_count: 2 } });
  const { data: student } = await call('POST', '/students', {});
  const { data } = await call('POST', '/alpha/enrollments', { curriculum_id: published?.data.id, student_ids: [student.id] });
  expect(data).toMatchObject({ enrolled: 1, skipped: 0 });
});
