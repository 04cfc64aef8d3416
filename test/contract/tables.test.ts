import { appFixture } from '../support/appFixture';
import { base64, fullSpec, hiddenTestsIn } from '../support/codingExams';
import { seedFile } from '../support/seed/files';
import { newGuardianEmail, inviteGuardian } from '../support/guardians';
import { specification } from './statements';

// Lists that the specification writes out, read from it: a value that the service forgot would be missed by nobody else.

const { api, institution, sql, call, studentWithAttempt, callAs, requestAttempt, submit, startAttempt, attemptFeed, createExam, createStudents } = appFixture();

/** The cells of a table of the specification, by its head. */
function rowsBelow(head: string): string[][] {
  const from = specification.indexOf(head);
  if (from < 0) throw new Error(`The specification has no table ${head}`);
  const rest = specification.slice(from + 2);
  return rest.slice(0, rest.findIndex((line) => !line.startsWith('|'))).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
}

/** The cells of the row of a field. */
function rowOf(field: string): string[] {
  return (specification.find((line) => line.startsWith(`| ${field} |`)) ?? '').split('|').slice(1, -1).map((cell) => cell.trim());
}

const listed = (cell = ''): string[] => cell.split(', ');

// Contract: proctoring.events.attempt-lifecycle, proctoring.events.focus, proctoring.events.system-interruptions, proctoring.events.recorder-health
// Contract: proctoring.events.coding-tests, proctoring.events.submitted-detail
it('every type of the table of proctoring events is written by the service or taken from the app, and read in the feed', async () => {
  const types = rowsBelow('| Event type | Meaning / detail |').flatMap(([cell]) => listed(cell));
  expect(types).toHaveLength(17);
  const { who, examId, attemptId } = await studentWithAttempt({ code_spec: { ...fullSpec, hidden_tests: hiddenTestsIn(await seedFile(api, institution)) } });
  await call('PUT', `/exams/${examId}/code-secret`, { hidden_key_b64: base64(32) });
  const detailOf: Record<string, object> = { focus_gained: { away_seconds: 1 }, sample_tests_run: { passed: 1, failed: 0 } };
  for (const type of types) {
    const event = { id: `sent:${type}`, type, at: '2026-11-20T09:30:00.125Z', ...(type in detailOf ? { detail: detailOf[type] } : {}) };
    await callAs(who, 'POST', `/app/attempts/${attemptId}/events`, { events: [event] });
  }
  await requestAttempt(who, examId);
  expect((await callAs(who, 'POST', `/app/attempts/${attemptId}/hidden-tests/release`)).status).toBe(200);
  const { data } = await submit(who, attemptId);
  await call('POST', `/submissions/${data.id}/grade`, { score: -1 });
  const again = await startAttempt(who, examId);
  const { counts } = (await call('GET', `/submissions/${data.id}/events`)).data;
  // The second attempt is abandoned: it has run out by the time that its student asks again.
  await sql('UPDATE attempts SET expires_at = now() WHERE id = $1', [again]);
  await requestAttempt(who, examId);
  const abandoned = (await attemptFeed(again)).map(({ type }) => type);
  expect([...new Set([...Object.keys(counts), ...abandoned])].sort()).toEqual([...types].sort());
});

// Contract: events.types.response
it('GET /events/types lists exactly the types of the specification, and operational ones', async () => {
  const types = rowsBelow('| Type | When it fires |').flatMap(([cell]) => listed(cell));
  const { data } = await call('GET', '/events/types');
  expect(data.items.filter(({ operational }: { operational: boolean }) => !operational).map(({ type }: { type: string }) => type).sort()).toEqual([...types].sort());
});

// Contract: code-spec.fields.toolchain
it('an exam may name each toolchain of the specification', async () => {
  const [, , notes = ''] = rowOf('toolchain');
  const toolchains = [...(notes.split(';')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  expect(toolchains).toHaveLength(6);
  for (const toolchain of toolchains) expect((await createExam({ code_spec: { ...fullSpec, toolchain } })).code_spec.toolchain).toBe(toolchain);
});

// Contract: scopes.list.all-with-descriptions
it('GET /scopes lists exactly the scopes of the specification', async () => {
  const scopes = rowsBelow('| Scope pair | Read grants | Write grants |').flatMap(([pair = '']) => pair.split(' / '));
  expect((await call('GET', '/scopes')).data.items.map(({ scope }: { scope: string }) => scope)).toEqual(scopes);
});

// Contract: guardians.links.fields
it('a guardian is of each type of the specification', async () => {
  const said = /`guardian_type` \(([^)]+)\)/.exec(specification.find((line) => line.includes('`guardian_type` (')) ?? '')?.[1];
  const types = [...(said ?? '').matchAll(/`(\w+)`/g)].map(([, type = '']) => type);
  expect(types).toHaveLength(3);
  const [studentId = ''] = await createStudents(1);
  for (const guardian_type of types) {
    expect((await inviteGuardian(api, institution, studentId, newGuardianEmail(), { guardian_type })).data.guardian_type).toBe(guardian_type);
  }
});
