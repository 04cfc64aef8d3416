import { newId } from '../../domain/ids';
import { withConnection } from '../../local/programs/postgres';
import { consoleFixture, visibleText } from '../support/consoleFixture';
import type { RequestOptions } from '../support/api';
import { activeDeveloper, asAdmin } from '../support/developers';
import { createResource } from '../support/resourceFactories';
import { openSandboxOf } from '../support/sandboxes';
import { seedCouponBatch, seedCoupons } from '../support/seed/coupons';
import { seedEndpoint } from '../support/seed/endpoints';
import { seedGuardian } from '../support/seed/guardians';
import { addStaffMember } from '../support/staff';
import { closeTestTemporal, openTestTemporal } from '../support/temporal';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, page, sql, createStudents, createExam } = fixture;

const find = (id: string): Promise<string> => page(`/search?q=${id}`);

afterAll(() => closeTestTemporal());

it('a bulk call leads to each student whom it created, by their number in the call', async () => {
  const { headers } = await api.call('POST', '/students/bulk', { key: institution.apiKey, body: { students: [{ license_days: 0 }, { license_days: 0 }, { license_days: 0 }] } });
  const [, batch = ''] = /href="\/console\/search\?q=(bulk_\w+)"/.exec(await find(headers.get('x-request-id') ?? '')) ?? [];
  const [first = '', third = ''] = await createStudents(2);
  await sql('UPDATE provisioning_rows SET error = NULL, user_id = CASE index WHEN 0 THEN $2 ELSE $3 END WHERE batch_id = $1 AND index <> 1', [batch, first, third]);
  const text = await find(batch);
  expect(visibleText(text)).toContain(`Which were created 2 students item 1 ${first} item 3 ${third} their names:`);
  expect(text).toContain(`href="/console/search?q=${third}"`);
});

describe('the search for a guardian link', () => {
  it('says of its invitation the status, when it was sent and expires, and leads to its workflow', async () => {
    const [student = ''] = await createStudents(1);
    const link = await seedGuardian(api, institution, student, 'augusta@mail.example', 'unverified');
    await sql('UPDATE guardian_links SET invitation = 2, invited_at = $2 WHERE id = $1', [link, minutesAgo(5)]);
    const text = await find(link);
    expect(visibleText(text)).toMatch(new RegExp(`Status invited Student ${student} Guardian usr_\\w+ Invited 5 min ago .+ by email 2 Accepted not yet Expires in 14 d .+ Workflow ${link}:2 \\(Temporal, opens in a new tab\\) its tab User Metadata says when its email was sent, or what it waits for`));
    expect(text).toContain(`/workflows/${link}%3A2"`);
    expect(text).not.toContain('augusta');
  });

  it('of a removed one says where its removal is named, and how and when its newest invitation ended', async () => {
    const link = newId('gdn');
    expect(visibleText(await find(link))).not.toContain('newest invitation');
    const workflow = await openTestTemporal(api.settings).client.workflow.start('guardianInvitation', { workflowId: `${link}:1`, taskQueue: `${api.settings.taskQueue}-nobody`, args: [{}] });
    expect(visibleText(await find(link))).toContain(`The workflow of its newest invitation has not ended: ${link}:1`);
    await workflow.terminate();
    const words = visibleText(await find(link));
    expect(words).toMatch(new RegExp(`The workflow of its newest invitation ended .+ UTC.*: ${link}:1`));
    expect(words).toContain('the erasure of the student or the guardian removes it, too, without an entry of its own.');
  });

  it('says that it is verified, that it expired, and that the email waits while the student is suspended', async () => {
    const [student = ''] = await createStudents(1);
    const verified = await seedGuardian(api, institution, student, 'ada.mother@mail.example');
    expect(visibleText(await find(verified))).toMatch(/Status verified .+ Accepted (now|\d+ s ago) .+ Verified (now|\d+ s ago) /);
    const expired = await seedGuardian(api, institution, student, 'ada.father@mail.example', 'unverified');
    await sql("UPDATE users SET status = 'suspended' WHERE id = $1", [student]);
    expect(visibleText(await find(expired))).toContain('suspended: the email waits until the student is active again');
    expect(visibleText(await find(verified))).not.toContain('the email waits');
    await sql('UPDATE guardian_links SET expires_at = $2 WHERE id = $1', [expired, minutesAgo(5)]);
    expect(visibleText(await find(expired))).toMatch(/Status expired .+ Expires 5 min ago/);
  });
});

describe('the search for a coupon batch', () => {
  it('says the amount of a batch that waits, and who decides about it and how', async () => {
    const batch = await seedCouponBatch(api, institution, { total_coupons: 20, value_cents: 500 });
    const text = await find(batch);
    expect(visibleText(text)).toContain(`Name Science fair Status pending Amount 20 of 500 cents each, 10,000 cents in all Decided by nobody yet: operators decide, with institution coupons approve ${batch} or reject Codes 0 made, 0 redeemed Expires in`);
    expect(text).toContain(`/workflows/${batch}"`);
  });

  it('says what was decided, and of an expired batch that nobody decided; never a code', async () => {
    const { id, codes } = await seedCoupons(api, institution);
    const text = await find(id);
    expect(visibleText(text)).toMatch(/Status approved .+ Decided approved (now|\d+ s ago) .+ Codes 3 made, 0 redeemed/);
    expect(codes.filter((code) => text.includes(code))).toEqual([]);
    const late = await seedCouponBatch(api, institution);
    await sql('UPDATE coupon_batches SET expiry_date = $2 WHERE id = $1', [late, minutesAgo(5)]);
    expect(visibleText(await find(late))).toContain('Status expired');
    expect(visibleText(await find(late))).toContain('nobody decided before it expired; the institution requests another');
  });
});

describe('who decided about a coupon batch', () => {
  const decide = async (batch: string, verb: 'approve' | 'reject', key: string): Promise<string> => {
    const { status, headers } = await api.platform('POST', `/institutions/${institution.id}/coupon-batches/${batch}/${verb}`, { key, body: { reason: 'Above the budget' } });
    expect(status).toBe(200);
    return headers.get('x-request-id') ?? '';
  };

  it('is named with the request, also after a colleague has decided the same again', async () => {
    const [olga, ben] = [await addStaffMember(api, 'operator', 'Olga Operator'), await addStaffMember(api, 'operator', 'Ben Operator')];
    const batch = await seedCouponBatch(api, institution);
    const request = await decide(batch, 'reject', olga.token);
    await decide(batch, 'reject', ben.token);
    const words = visibleText(await find(batch));
    expect(words).toMatch(new RegExp(`Decided rejected, “Above the budget” (now|\\d+ s ago) .+ by Staff “Olga Operator” ${olga.id} rejectCouponBatch, request ${request} Codes`));
    expect(words).not.toContain('Ben Operator');
  });

  it('is the test key in a sandbox whose clock was moved', async () => {
    const sandbox = await openSandboxOf(api, institution);
    await sandbox.advance(7_000_000);
    const { data } = await sandbox.call('POST', '/coupons/batches', { name: 'Fair', total_coupons: 2, value_cents: 100, expiry_date: new Date(Date.now() + 365 * 86_400_000) });
    await sandbox.call('POST', `/sandbox/coupons/batches/${String(data.id)}/approve`, {});
    expect(visibleText(await find(String(data.id)))).toMatch(/Decided approved .+ by API key “trial” key_\w+ approveSandboxCouponBatch, request req_\w+ Codes/);
  });
});

describe('the search for a key', () => {
  const makeKey = async (sent: RequestOptions, environment = 'live'): Promise<{ id: string; request: string }> => {
    const { data, headers } = await api.platform('POST', `/institutions/${institution.id}/keys`, { body: { name: 'Roster', scopes: ['students:read'], environment }, ...sent });
    return { id: String(data.key_id), request: headers.get('x-request-id') ?? '' };
  };

  it('says who made it and who revoked it when, with the requests, also after a colleague has revoked it again', async () => {
    const [olga, ben] = [await addStaffMember(api, 'operator', 'Olga Operator'), await addStaffMember(api, 'operator', 'Ben Operator')];
    const { id, request } = await makeKey({ key: olga.token });
    expect(visibleText(await find(id))).toMatch(new RegExp(`Status active Key .+ Last used never Made by Staff “Olga Operator” ${olga.id} createKey, request ${request} Expires`));
    const { headers } = await api.platform('DELETE', `/keys/${id}`, { key: olga.token });
    await api.platform('DELETE', `/keys/${id}`, { key: ben.token });
    const words = visibleText(await find(id));
    expect(words).toMatch(new RegExp(`Status revoked (now|\\d+ s ago) \\(.+? UTC\\) ?by Staff “Olga Operator” ${olga.id} revokeKey, request ${headers.get('x-request-id') ?? ''} Key`));
    expect(words).not.toContain('Ben Operator');
  });

  it('is named on the page of the suspended developer with whom it was revoked, one that was revoked alone is not', async () => {
    const developer = await activeDeveloper(api, institution);
    const made = { headers: { 'x-actor': developer.id } };
    const [alone, live, test] = [await makeKey(made), await makeKey(made), await makeKey(made, 'test')];
    await api.platform('DELETE', `/keys/${alone.id}`);
    expect(visibleText(await find(developer.id))).not.toContain('Keys revoked by suspension');
    await api.platform('POST', `/developers/${developer.id}/suspend`, { body: {}, ...asAdmin(institution) });
    const text = await find(developer.id);
    expect(visibleText(text)).toContain('Keys revoked by suspension');
    expect([alone, live, test].map(({ id }) => text.includes(`href="/console/search?q=${id}"`))).toEqual([false, true, true]);
  });

  it('says of a test key that its developer made, and that went with the developer, who ended it and by which call', async () => {
    const developer = await activeDeveloper(api, institution);
    const { id } = await makeKey({ headers: { 'x-actor': developer.id } }, 'test');
    await api.platform('POST', `/developers/${developer.id}/suspend`, { body: {}, ...asAdmin(institution) });
    expect(visibleText(await find(id))).toMatch(new RegExp(`Status revoked .+ by Admin .+ ${institution.adminId} suspendDeveloper, request req_\\w+ Key svc_test_.+ Made by Developer “Linus Developer” ${developer.id} createKey, request`));
  });

  it('names nobody for a revocation that the audit log does not have, and shows the last use to the minute', async () => {
    const { id } = await makeKey({});
    await api.platform('DELETE', `/keys/${id}`);
    await sql("UPDATE api_keys SET revoked_at = $2, last_used_at = '2026-01-05T10:20:45Z' WHERE id = $1", [id, minutesAgo(60)]);
    const words = visibleText(await find(id));
    expect(words).toMatch(/Status revoked (60 min|1 h) ago \(.+? UTC\) Key/);
    expect(words).toContain('5 Jan 2026, 10:20 UTC Made by platform, for the school request req_');
  });
});

describe('the search for an exam or a person', () => {
  it('leads from an exam to the workflow of its newest emails, and to that which ends its attempts', async () => {
    const id = String((await createExam()).id);
    expect(visibleText(await find(id))).toContain('Newest emails none yet');
    await sql('UPDATE exams SET last_notice = 2 WHERE id = $1', [id]);
    await sql('INSERT INTO exam_notices (exam_id, number, institution_id, created_at) VALUES ($1, 2, $2, now())', [id, institution.id]);
    await sql('INSERT INTO attempt_expiries (exam_id, institution_id, run, open, next_at) VALUES ($1, $2, 3, true, now()) ON CONFLICT (exam_id) DO UPDATE SET run = 3, open = true', [id, institution.id]);
    const words = visibleText(await find(id));
    expect(words).toMatch(new RegExp(`Newest emails ${id}:2 .+ not ended yet Ends attempts ${id}:attempts:3 .+ waits`));
    await sql('UPDATE exam_notices SET ended_at = $2 WHERE exam_id = $1', [id, minutesAgo(5)]);
    expect(visibleText(await find(id))).toMatch(/Newest emails .+ ended 5 min ago/);
    await sql('DELETE FROM exam_notices WHERE exam_id = $1', [id]);
    expect(visibleText(await find(id))).toContain('ended more than 30 days ago');
  });

  it('leads from a student to the newest export and the erasure, with the state of each, and from the export to the student', async () => {
    const [student = ''] = await createStudents(1);
    expect(visibleText(await find(student))).not.toMatch(/Newest export|Erasure/);
    const exported = newId('exp');
    await sql("INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, created_at) VALUES ($1, $2, $3, 2, false, 'preparing', now())", [exported, institution.id, student]);
    await sql("INSERT INTO erasures (person_id, number, institution_id, kind, requested_at, removed, subject_sealed) VALUES ($1, 1, $2, 'student', $3, '{}', 'sealed')", [student, institution.id, minutesAgo(5)]);
    const text = await find(student);
    expect(visibleText(text)).toMatch(new RegExp(`Newest export preparing ${exported} export_${student}:2 .+ Erasure running 5 min ago .+ 0 of 18 steps the school reads its certificate with its own key: GET /v1/students/${student}/erasure erase_${student}:1`));
    await sql('UPDATE erasures SET removed = $2 WHERE person_id = $1', [student, JSON.stringify({ profile: { count: 1, at: '' }, guardian_links: { count: 2, at: '' }, sessions: { count: 4, at: '' } })]);
    expect(visibleText(await find(student))).toContain('3 of 18 steps the links of 2 guardians went with it; a guardian without another link in this school was deleted the school reads');
    expect(visibleText(await find(exported))).toMatch(new RegExp(`Status preparing Of ${student} Recordings not included Ready not yet Workflow export_${student}:2`));
  });

  it('says of an export whether a program has got its URL since it was ready, and which, or that a newer export has replaced it', async () => {
    const [student = ''] = await createStudents(1);
    const exported = newId('exp');
    await sql("INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, file_id, created_at, ready_at, expires_at) VALUES ($1, $2, $3, 1, false, 'ready', $5, $4, $4, now() + interval '7 days')", [exported, institution.id, student, minutesAgo(10), newId('file')]);
    // The service cannot set their time.
    const disclose = (at: Date, what: string) => withConnection(api.stack.ownerDatabaseUrl, (client) =>
      client.query("INSERT INTO disclosures (id, at, institution_id, actor_kind, actor_id, what, subject_id, operation, query, request_id) VALUES ($1, $2, $3, 'key', $4, $5, $6, 'getStudentExport', '{}', $7)", [newId('dsc'), at, institution.id, institution.keyId, what, student, `req_${what}`]));
    await disclose(minutesAgo(20), 'export');
    await disclose(minutesAgo(5), 'record');
    expect(visibleText(await find(exported))).toContain('URL given last never Expires in ');
    await disclose(minutesAgo(5), 'export');
    expect(visibleText(await find(exported))).toMatch(new RegExp(`URL given last 5 min ago .+ ${institution.keyId} ?, request req_export Expires in`));
    const next = newId('exp');
    await sql("INSERT INTO person_exports (id, institution_id, person_id, number, with_recordings, status, created_at) VALUES ($1, $2, $3, 2, false, 'preparing', $4)", [next, institution.id, student, minutesAgo(3)]);
    await disclose(minutesAgo(2), 'export');
    await sql("UPDATE person_exports SET status = 'expired' WHERE id = $1", [exported]);
    const replaced = visibleText(await find(exported));
    expect(replaced).toMatch(new RegExp(`URL given last 5 min ago .+ ${institution.keyId} ?, request req_export Expires`));
    expect(replaced).toContain('Expires a newer export has replaced it');
    expect(visibleText(await find(next))).not.toContain('URL given last');
  });

  it('leads from a developer to the newest invitation in Temporal, and says that times there are in UTC', async () => {
    const { id } = await activeDeveloper(api, institution);
    const text = await find(id);
    expect(visibleText(text)).toContain(`Newest invitation ${id}:1`);
    expect(text).toContain('title="Its tab User Metadata has its state in words, with times in UTC"');
  });

  it('says who can say who has read the data of a student and of a faculty member', async () => {
    const [student = ''] = await createStudents(1);
    expect(visibleText(await find(student))).toContain(`Who has read it not shown here: the school asks with its own key, GET /v1/students/${student}/disclosures ; operators ask institution disclosures ${student}`);
    expect(visibleText(await find(institution.adminId))).toContain(`GET /v1/faculty/${institution.adminId}/disclosures`);
  });

  it('says of a personal token of the staff whose it is, and whether it is active', async () => {
    const { id } = await addStaffMember(api, 'support');
    const [{ id: token } = { id: '' }] = await sql<{ id: string }>('SELECT id FROM staff_tokens WHERE staff_id = $1', [id]);
    expect(visibleText(await find(token))).toContain(`Personal token of the staff ${token}`);
    expect(visibleText(await find(token))).toContain(`Belongs to ${id}`);
  });
});

describe('an empty list', () => {
  const events = (query: Record<string, string>): Promise<string> => page(`/institutions/${institution.id}/events?${new URLSearchParams(query).toString()}`);

  it('of events of a type says what to do next: without the type, and the submission of a grade that was never given', async () => {
    const text = await events({ type: 'exam.graded', about: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr' });
    expect(visibleText(text)).toContain('Look without the event type. What did not happen has no event: search the submission_id that the data of exam.submitted has. One that is submitted was not graded; voiding a grade has no event.');
    expect(text).toContain(`href="/console/institutions/${institution.id}/events?about=stu_01jd4k6f2mep2s5xg5yhc8m1zr">Look without the event type.`);
    expect(visibleText(await events({ type: 'student.created' }))).toMatch(/What did not happen has no event\./);
    expect(visibleText(await events({ about: 'stu_01jd4k6f2mep2s5xg5yhc8m1zr' }))).not.toContain('What did not happen');
  });

  it('says of a range of time what it is in UTC, and what the time is at the institution', async () => {
    await sql("UPDATE institutions SET time_zone = 'Asia/Tokyo' WHERE id = $1", [institution.id]);
    expect(visibleText(await events({ since: '2026-11-20T18:30', until: '2026-11-20T18:50' }))).toMatch(/Looked from 20 Nov 2026, 18:30:00 Asia\/Tokyo until 20 Nov 2026, 18:50:59 Asia\/Tokyo \(from 20 Nov 2026, 09:30:00 UTC until 20 Nov 2026, 09:50:59 UTC\s?\)\. At the institution it is \d.+ Asia\/Tokyo\./);
  });

  it('about what is of another institution says whose it is', async () => {
    const other = await api.institution();
    const [student, endpoint] = [await createResource.student(api, other), await seedEndpoint(api, other, 'https://other.example/')];
    const text = await events({ about: student });
    expect(visibleText(text)).toMatch(new RegExp(`No event matches\\. ${student} belongs to North School \\.`));
    expect(text).toContain(`href="/console/institutions/${other.id}"`);
    expect(visibleText(await page(`/institutions/${institution.id}/deliveries?endpoint=${endpoint}`))).toMatch(new RegExp(`No delivery matches\\. ${endpoint} belongs to`));
  });

  it('is not offered by the type ping, which neither list ever has', async () => {
    for (const list of ['events', 'deliveries']) expect(await page(`/institutions/${institution.id}/${list}`)).not.toContain('value="ping"');
  });
});
