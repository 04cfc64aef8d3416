import { newId } from '../../../domain/ids';
import { realActors } from '../../support/actors';
import { deviceNamed } from '../../support/devices';
import { erasureFixture } from '../../support/erasureFixture';
import { eventually } from '../../support/eventually';
import { endReadOnly, offboard, untilErased } from '../../support/offboarding';
import { seedAttemptFile } from '../../support/seed/files';

const fixture = erasureFixture();
const { api, institution, sql, call } = fixture;

/** A text that is nowhere else. */
const newText = (what: string): string => `${what}-${newId('req').slice(4)}`;

it('of an institution that has left nothing is found in any table, file, key of Redis, history, log or metric; another one has all of its own', async () => {
  const [name, group, title, essay, bytes, reason, note, host, whyItLeaves] = ['name', 'group', 'title', 'essay', 'bytes', 'reason', 'note', 'host', 'why'].map(newText) as [string, string, string, string, string, string, string, string, string];
  const address = `${newText('mailbox')}@mail.example`;
  const otherName = newText('other');
  const other = await api.institution();
  await call('POST', '/students', { full_name: otherName }, other);
  const sandbox = await api.sandboxOf(institution);
  await call('POST', '/students', { full_name: name, personal_email: address }, sandbox);

  const { data: student } = await api.call('POST', '/students', { key: institution.apiKey, body: { full_name: name, personal_email: address }, headers: { 'idempotency-key': newId('req') } });
  const actors = realActors(api, institution);
  await actors.signIn(student, { app: 'svcapp', device: deviceNamed('device') });
  await call('POST', '/webhooks/endpoints', { url: `${fixture.receiver.url}?${host}`, events: ['*'] });
  await api.platform('PUT', `/institutions/${institution.id}/allowance`, { body: { allowance_cents: 10_000 } });
  await call('POST', '/merits/credits', { email: student.login_email, amount_cents: 500, reason, ref: newId('req') });
  await call('POST', '/guardians', { student_id: student.id, guardian_email: `g.${address}`, guardian_type: 'mother', guardian_name: note });
  const exam = await fixture.createExam({ title, group_ids: [await fixture.createGroup([student.id], group)], time_limit_minutes: 60 });
  const attempt = (await actors.startAttempt(student, exam.id)).data.id;
  await seedAttemptFile(api, institution, attempt, { filename: 'essay.txt', bytes: Buffer.from(bytes) });
  await actors.submit(student, attempt, { text: essay });
  await eventually('deliveries', async () => (await sql('SELECT 1 FROM webhook_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.institution_id = $1', [institution.id])).length > 3);

  const values = [name, group, title, essay, bytes, reason, note, host, address, student.login_email, institution.loginDomain];
  const before = await fixture.whereAre(values);
  expect(values.filter((value) => !before.some((place) => place.endsWith(`: ${value}`)))).toEqual([]);
  await offboard(api, institution, { reason: whyItLeaves });
  await endReadOnly(api, fixture.temporal, institution);
  await untilErased(api, fixture.temporal, institution);
  expect(await fixture.whereAre([...values, whyItLeaves])).toEqual([]);
  expect(await fixture.whereAre([otherName])).toEqual(expect.arrayContaining([`table users: ${otherName}`]));
  // What is left of it: the certificate, what the platform did, and workflows that have ended.
  const left = (await fixture.whereAre([institution.id])).filter((place) => !place.startsWith('history'));
  expect(left.map((place) => place.split(':')[0])).toEqual(expect.arrayContaining(['table audit_log', 'table offboardings']));
  expect(left.filter((place) => !/^(?:table audit_log|table offboardings|log)/.test(place))).toEqual([]);
});
