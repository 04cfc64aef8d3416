import { newId } from '../../domain/ids';
import { signInToConsole } from '../support/console';
import { addStaffMember } from '../support/staff';
import { lockAccount } from '../support/accountLocks';
import { signInToApp } from '../support/seatSignIn';
import { consoleFixture, escaped, hostile, visibleText } from '../support/consoleFixture';
import { eventually } from '../support/eventually';
import { seedEvents } from '../support/seed/events';
import { createResource } from '../support/resourceFactories';
import { openSandboxOf } from '../support/sandboxes';
import { minutesAgo } from '../support/time';

const fixture = consoleFixture();
const { api, institution, call, sql, endpoint, createStudents, createGroup, createExam } = fixture;

const find = (q: string) => fixture.session.get(`/console/search?${new URLSearchParams({ q }).toString()}`);
const destination = async (q: string) => (await find(q)).headers.get('location');

describe('the search box', () => {
  it('leads from an id, or the id of a workflow, to its page', async () => {
    const delivery = await endpoint.seedDelivery();
    const [event = ''] = await seedEvents(api, institution, { createdAt: minutesAgo(1) });
    const replay = newId('rpl');
    await sql('INSERT INTO webhook_replays (institution_id, delivery_id, ref, cycle, created_at) VALUES ($1, $2, $3, 2, now())', [institution.id, delivery, replay]);
    expect(await destination(delivery)).toBe(`/console/deliveries/${delivery}`);
    expect(await destination(` "${delivery}:2". `)).toBe(`/console/deliveries/${delivery}`);
    expect(await destination(event)).toBe(`/console/events/${event}`);
    expect(await destination(`${endpoint.id}:3`)).toBe(`/console/endpoints/${endpoint.id}`);
    expect(await destination(institution.id.toUpperCase())).toBe(`/console/institutions/${institution.id}`);
    expect(await destination(institution.loginDomain)).toBe(`/console/institutions/${institution.id}`);
    expect(await destination(replay)).toBe(`/console/endpoints/${endpoint.id}/replays/${replay}`);
  });

  it('leads from a text that has one id within it to the page of that, as an error or a URL has it', async () => {
    const delivery = await endpoint.seedDelivery();
    expect(await destination(`"delivery_id": "${delivery}",`)).toBe(`/console/deliveries/${delivery}`);
    expect(await destination(`https://api.north.example/v1/webhooks/deliveries/${delivery}?x=1`)).toBe(`/console/deliveries/${delivery}`);
    expect((await find(`${delivery} and ${endpoint.id}`)).status).toBe(200);
  });

  it('leads from the email of a person of the staff to their page, for operators, and anybody from their own to what they are', async () => {
    const [olga, sam] = [await addStaffMember(api, 'operator'), await addStaffMember(api, 'support')];
    const [asOlga, asSam] = [await signInToConsole(api, olga.token), await signInToConsole(api, sam.token)];
    expect((await asOlga.get(`/console/search?q=${sam.email.toUpperCase()}`)).headers.get('location')).toBe(`/console/staff/${sam.id}`);
    expect((await asSam.get(`/console/search?q=${sam.email}`)).headers.get('location')).toBe(`/console/search?q=${sam.id}`);
    expect(visibleText((await asSam.get(`/console/search?q=${olga.email}`)).text)).toContain('Nobody has this login email now.');
    expect(visibleText((await asSam.get('/console/institutions')).text)).toContain(`Signed in: Sam Support, support, ${sam.id}`);
  });

  it('says of a person of the staff name and role, and the email to operators and to the person alone', async () => {
    const [olga, sam] = [await addStaffMember(api, 'operator', 'Olga Operator'), await addStaffMember(api, 'support', 'Sam Support')];
    const [asOlga, asSam] = [await signInToConsole(api, olga.token), await signInToConsole(api, sam.token)];
    const shown = async (session: typeof asOlga, id: string): Promise<string> => visibleText((await session.get(`/console/search?q=${id}`)).text);
    expect(await shown(asOlga, sam.id)).toContain(`Name Sam Support Role support Email ${sam.email}`);
    expect(await shown(asSam, sam.id)).toContain(`Name Sam Support Role support Email ${sam.email}`);
    expect(await shown(asSam, olga.id)).toContain('Name Olga Operator Role operator Email operators see it');
    expect((await asOlga.get(`/console/search?q=${sam.id}`)).text).toContain(`href="/console/staff/${sam.id}"`);
    expect((await asSam.get(`/console/search?q=${olga.id}`)).text).not.toContain('href="/console/staff/');
  });

  it('heads the page of a person with the name', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada Lovelace' });
    expect((await find(String(data.login_email))).text).toMatch(/<h1 id="results"[^>]*>Ada Lovelace<\/h1>/);
  });

  it('neither searches an API key nor shows it again', async () => {
    const text = (await find(`Bearer ${institution.apiKey}`)).text;
    expect(visibleText(text)).toContain('Keys are not searched: search the id of the key (key_…).');
    expect(text).not.toContain(institution.apiKey.slice(12));
  });

  it('leads from a part of a name to the institutions that have it', async () => {
    await sql("UPDATE institutions SET name = 'Nordschule & Söhne' WHERE id = $1", [institution.id]);
    expect(await destination('SCHULE  &  söhne')).toBe('/console/institutions?q=SCHULE+%26+s%C3%B6hne');
    expect(await destination('SCHULE & söhne')).toBe('/console/institutions?q=SCHULE+%26+s%C3%B6hne');
    expect(await destination('')).toBe('/console/institutions');
  });

  it.each(['Nowhere & Noone', 'whd_../../x', 'nobody.example'])('says of the unknown text "%s" what was searched', async (typed) => {
    const { status, text } = await find(typed);
    expect(status).toBe(200);
    const words = visibleText(text);
    expect(words).toContain('Nothing found Looked for: ');
    expect(words).toContain('institutions by name and login domain, endpoints by URL and description');
    expect(words).toContain('The names of other people and of groups are not searched');
  });

  it('leads from the request of a bulk call to its batch, with what became of it and its workflow', async () => {
    const { headers } = await call('POST', '/students/bulk', { students: [{ license_days: 0 }, { license_days: -1 }] });
    const { text } = await find(headers.get('x-request-id') ?? '');
    const batch = /href="\/console\/search\?q=(bulk_\w+)"/.exec(text)?.[1] ?? '';
    expect(visibleText(text)).toContain(`Target created ${batch}`);
    const found = await find(batch);
    expect(visibleText(found.text)).toMatch(/Status done Students 0 created, 2 failed Sent without an Idempotency-Key Which failed validation_error, license_days: item 1 \(index 0\), item 2 \(index 1\) the first item is item 1, with index 0; the message of each is in the answer of the call alone To be repeated no: that would create the others again, those with a student_id unless the school has set unique_student_ids; the school compares its list with GET \/v1\/students , and it sends those that failed alone, in a new call Workflow bulk_\w+ \(Temporal, opens in a new tab\) none was needed if no item was valid/);
    expect(found.text).toContain(`/workflows/${batch}"`);
    expect(visibleText(found.text)).not.toContain('Events about it');
    expect(visibleText((await fixture.session.get(`/console/institutions/${institution.id}/audit-log?target=${batch}`)).text)).toContain('createStudentsBulk');
  });

  it('says of a bulk call with an Idempotency-Key, on its page and that of its request, until when the school repeats it and gets the same answer', async () => {
    const body = { students: [{ license_days: 0, 'Ada <ada@mail.example>': 1 }] };
    const { headers } = await api.call('POST', '/students/bulk', { key: institution.apiKey, body, headers: { 'idempotency-key': 'import-1' } });
    const request = await find(headers.get('x-request-id') ?? '');
    const batch = /href="\/console\/search\?q=(bulk_\w+)"/.exec(request.text)?.[1] ?? '';
    const advice = /Sent with an Idempotency-Key (Which failed validation_error, a field that the service does not know, license_days: item 1 \(index 0\) the first item is item 1, with index 0; the message of each is in the answer of the call alone )?To be repeated yes, with its Idempotency-Key , exactly as it was until \d+ \w+ \d{4}, [\d:]+ UTC \(in (1 d|24 h)\) ?: the school gets the whole answer again, and nobody is created twice; then it sends those that failed alone, in a new call with a new key/;
    const page = await find(batch);
    expect([visibleText(request.text), visibleText(page.text)]).toEqual([expect.stringMatching(advice), expect.stringMatching(advice)]);
    expect(page.text).not.toContain('import-1');
    expect(page.text).not.toContain('ada@mail.example');
    await sql("UPDATE provisioning_batches SET created_at = created_at - interval '25 hours' WHERE id = $1", [batch]);
    expect(visibleText((await find(batch)).text)).toContain('To be repeated no: that would create the others again, those with a student_id unless the school has set unique_student_ids; the school compares its list with GET /v1/students , and it sends those that failed alone, in a new call with a new key');
  });

  it('says of a bulk call of which an earlier release stored no key what is to be done with one and without', async () => {
    await call('POST', '/students/bulk', { students: [{ license_days: 0 }] });
    const [{ id } = { id: '' }] = await sql<{ id: string }>('UPDATE provisioning_batches SET has_idempotency_key = NULL WHERE institution_id = $1 RETURNING id', [institution.id]);
    expect(visibleText((await find(id)).text)).toMatch(/Sent not stored whether it had an Idempotency-Key : the call was made before version 0\.18\.0 .*To be repeated with its Idempotency-Key , if it had one, exactly as it was until .+; without one no: that would create the others again, those with a student_id unless the school has set unique_student_ids/);
  });

  it("says that a student_id of the school's own is not searched", async () => {
    expect(visibleText((await find('SIS-10042')).text)).toContain("This text is none of them. The names of other people and of groups are not searched, nor a student_id of the school&#39;s own, a coupon code or a part of an API key: ask for a login email or an id.");
  });

  it.each([
    ['8ECN C3EX-hjpc 46A3', 'If it is a coupon code: codes are not searched. The school reads those of a batch by GET /coupons/batches/cpb_…, and who redeemed which by GET /coupons/redemptions, with coupons:read; its events coupon.redeemed name the student and the batch. The student’s app got 404: the school has not issued this code.'],
    ['F5vk', 'If it is the end of an API key: keys are not searched. An operator finds the id of a key by its last four characters: institution keys list &lt;school&gt;; so does the school, in its portal.'],
    ['svc_live_…F5vk', 'Keys are not searched: search the id of the key (key_…). An operator finds the id of a key by its last four characters'],
    ['203.0.113.9', 'This is an IP address: of those only a part of the URL of an endpoint is searched. The log lines of the service have no addresses: the calls from one are in the log of the proxy before it. Who signed in from where, or tried to, the school sees by person: GET /v1/students/stu_…/sign-ins.'],
    ['exam.graded', 'exam.graded is an event type: the Events of an institution are filtered by it.'],
    ['student5.a242073e', 'If it is the part of a login email before its @: search the whole email.'],
  ])('says of “%s” what it may be, and what to do then', async (typed, words) => {
    const text = visibleText((await find(typed)).text);
    expect(text).toContain(words);
    expect(text).not.toContain('has the login domain');
  });

  it('says of an id that was cut off how many of its 26 characters it has', async () => {
    const [student = ''] = await createStudents(1);
    const text = visibleText((await find(`${student.slice(0, 14)}…`)).text);
    expect(text).toContain('The id has 10 of 26 characters after its prefix: it was cut off, and only whole ids are searched.');
    expect(visibleText((await find('stu_01jd4k6f2mep2s5xg5yhc8m1zr')).text)).not.toContain('of 26 characters');
  });

  it('gives the focus to the heading of what it found, below the breadcrumbs', async () => {
    for (const typed of [institution.keyId, 'lic_01jd4k6f2mep2s5xg5yhc8m1zr', 'Nowhere & Noone', 'hooks.north.example']) {
      const { text } = await find(typed);
      expect([typed, /<main[\s\S]*<ol class="crumbs">[\s\S]*<h1 id="results" tabindex="-1" autofocus>/.test(text)]).toEqual([typed, true]);
    }
  });

  it('says of a person since and until when the account is locked, that an enrolment code is needed, and which seats are active and ended', async () => {
    const { id } = (await call('POST', '/students', { full_name: 'Rita' })).data;
    await sql('UPDATE institutions SET require_enrolment_code = true WHERE id = $1', [institution.id]);
    await lockAccount(api, institution, String(id));
    for (const device of ['one', 'two', 'three']) await signInToApp(api, institution, String(id), 'svcapp', device);
    const words = visibleText((await find(String(id))).text);
    expect(words).toMatch(new RegExp(`Sign-in locked ends in (1 h|\\d+ min) .+: each further one begins the hour again, so the lock may be older\\. .+ The school sees each try: GET /v1/students/${String(id)}/sign-ins`));
    await sql('UPDATE sign_in_codes SET locked_at = $2 WHERE user_id = $1', [id, minutesAgo(25)]);
    expect(visibleText((await find(String(id))).text)).toMatch(/Sign-in locked since 25 min ago \(\d+ \w+ \d{4}, [\d:]+ UTC\) ?, the last wrong code (now|\d+ s ago) ?; ends in (1 h|\d+ min) .+ each further one begins the hour again\. It ends an hour after the last/);
    expect(words).toContain('none: the first sign-in needs an enrolment code and an address');
    expect(words).toMatch(/Seats 2 active seats, 1 ended active svcapp, .* evicted svcapp, /);
  });

  it('says what a thing without a page is, of which institution, and since when', async () => {
    const [student = ''] = await createStudents(1);
    const { status, text } = await find(await createGroup([student]));
    expect(status).toBe(200);
    expect(visibleText(text)).toMatch(/Looked for: group, by id grp_\w+ Group grp_\w+ Institution North School ins_\w+ Created (now|\d+ s ago)/);
    expect(text).toContain(`href="/console/institutions/${institution.id}"`);
  });

  it('says of a person name, status, login email and license, by id and by login email, and leads to what is about them', async () => {
    const { data } = await call('POST', '/students', { full_name: `Ada ${hostile}`, personal_email: 'ada.lovelace@mail.example' });
    for (const typed of [String(data.id), String(data.login_email)]) {
      const { text } = await find(typed);
      expect(visibleText(text)).toMatch(new RegExp(`Name Ada ${escaped.replaceAll(/[()]/g, '\\$&')} Status pending Sign-in not locked Login email ${data.login_email} Personal email mapped License active lic_\\w+ License ends in 365 d.* Seats none Guardians none`));
      expect(text).toContain(`href="/console/institutions/${institution.id}/events?about=${data.id}">Events about it`);
      expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${data.id}">Audit entries about it`);
      expect(text).not.toContain('ada.lovelace');
    }
    expect(visibleText((await find(institution.adminId)).text)).toContain(`Faculty member ${institution.adminId}`);
  });

  it('says of a student how far the invitations of the guardians are, without names and addresses', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada' });
    const { data: link } = await call('POST', '/guardians', { student_id: data.id, guardian_email: 'anne@mail.example', guardian_name: 'Anne Isabella', guardian_type: 'mother' });
    const words = visibleText((await find(String(data.id))).text);
    expect(words).toMatch(new RegExp(`Guardians invited (now|\\d+ s ago) ${String(link.id)}`));
    expect(words).not.toMatch(/anne|Isabella/);
    await call('POST', `/students/${String(data.id)}/suspend`);
    expect(visibleText((await find(String(data.id))).text)).toContain(`${String(link.id)} suspended: the email waits until the student is active again`);
    await sql('UPDATE guardian_links SET expires_at = $2 WHERE id = $1', [link.id, minutesAgo(5)]);
    expect(visibleText((await find(String(data.id))).text)).not.toContain('the email waits');
    expect(visibleText((await find(String(data.id))).text)).toMatch(/Guardians expired , invited (now|\d+ s ago)/);
  });

  it('says of a revoked license since when, and by whom, and that it is final; the audit log of the person has it', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada' });
    const { headers } = await call('POST', `/licenses/${String(data.license.id)}/revoke`);
    const request = headers.get('x-request-id') ?? '';
    expect(visibleText((await find(String(data.id))).text)).toMatch(new RegExp(`License revoked lic_\\w+ (now|\\d+ s ago) \\(.+? UTC\\) , request ${request} API key “test” ${institution.keyId} Final: no call gives the person another license\\.`));
    expect(visibleText((await find(String(data.license.id))).text)).toMatch(new RegExp(`Status revoked (now|\\d+ s ago) \\(.+? UTC\\) , request ${request} API key “test” ${institution.keyId} Final: no call gives the person another license\\. Type student`));
    expect(visibleText(await fixture.page(`/institutions/${institution.id}/audit-log?target=${String(data.id)}`))).toMatch(new RegExp(`${request} API key “test” .+ revokeLicense`));
  });

  it('says of a license that has ended that it is expired, also before it is stored so', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada' });
    await sql('UPDATE licenses SET expires_at = $2 WHERE user_id = $1', [data.id, minutesAgo(5)]);
    const words = visibleText((await find(String(data.id))).text);
    const [, license = ''] = /License expired (lic_\w+) License ends 5 min ago/.exec(words) ?? [];
    expect(visibleText((await find(license)).text)).toMatch(new RegExp(`Status expired Type student Ends 5 min ago .+ Belongs to ${data.id}`));
  });

  it('says of a key name, status, scopes, last use and who made it', async () => {
    await call('GET', '/me');
    // It is written after the response.
    await eventually('its last use', async () => (await sql('SELECT 1 FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL', [institution.keyId])).length === 1);
    await sql('UPDATE api_keys SET last_used_at = $2 WHERE id = $1', [institution.keyId, minutesAgo(3)]);
    const { text } = await find(institution.keyId);
    expect(visibleText(text)).toMatch(/ Name .+ Status active Key svc_live_…\w{4} , live Last used 3 min ago .+ Made by platform, for the school Expires never Scopes /);
    expect(text).toContain('<code class="id">students:write</code>');
    await sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [institution.keyId]);
    expect(visibleText((await find(institution.keyId)).text)).toContain('Status revoked');
  });

  it("leads from a test key to what is about it in its institution's audit log, and to its calls in that of the sandbox; no events are about a key", async () => {
    const sandbox = await openSandboxOf(api, institution);
    const [{ id } = { id: '' }] = await sql<{ id: string }>('SELECT id FROM api_keys WHERE institution_id = $1', [sandbox.id]);
    const { text } = await find(id);
    expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${id}">Audit entries about it`);
    expect(text).toContain(`href="/console/institutions/${sandbox.id}/audit-log?actor=${id}">Its calls in the audit log`);
    expect(visibleText(await fixture.page(`/institutions/${institution.id}/audit-log?target=${id}`))).toContain(`createKey POST /platform/v1/institutions/{id}/keys`);
    const elsewhere = await fixture.page(`/institutions/${sandbox.id}/audit-log?target=${id}`);
    expect(visibleText(elsewhere)).toContain('No call matches. Keys of a sandbox are made and revoked in the audit log of its institution');
    expect(elsewhere).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${id}"`);
    const live = (await find(institution.keyId)).text;
    expect(live).toContain(`href="/console/institutions/${institution.id}/audit-log?target=${institution.keyId}">Audit entries about it`);
    expect([text, live].filter((found) => found.includes('Events about it'))).toEqual([]);
  });

  it('says of a group, an exam, an attempt and a submission what it is called, whose it is, and when, and nothing of its contents', async () => {
    const { id, title } = await createExam({ title: 'Algebra & more', max_score: 100, due_date: '2027-03-01T09:30:00Z' });
    expect(visibleText((await find(String(id))).text)).toContain(`Title Algebra &amp; more Status published Maximum score 100 Teacher ${institution.adminId} Published`);
    expect(visibleText((await find(String(id))).text)).toMatch(/Due in \d+ d 1 Mar 2027, 09:30:00 UTC Closed –/);
    expect(title).toBe('Algebra & more');
    expect(visibleText((await find(await createGroup([], 'Class 7b'))).text)).toContain(`Name Class 7b Teacher ${institution.adminId}`);
    const submission = await createResource.submission(api, institution);
    expect(visibleText((await find(submission)).text)).toMatch(/Title .+ Status \w+ Maximum score [\d.]+ Exam exm_\w+ Student stu_\w+ Teacher fac_\w+ Due – Handed in now .+ Graded –/);
    expect(visibleText((await find(submission)).text)).not.toContain('Next attempt');
    await sql(
      `INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at, expires_at)
       SELECT $2, institution_id, exam_id, student_id, 'in_progress', now(), now() + interval '90 minutes' FROM submissions WHERE id = $1`,
      [submission, newId('att')],
    );
    expect(visibleText((await find(submission)).text)).toMatch(/Graded – Next attempt begun .+ Next attempt ends in 1 h/);
    const [{ attempt_id } = { attempt_id: '' }] = await sql<{ attempt_id: string }>('SELECT attempt_id FROM submissions WHERE id = $1', [submission]);
    expect(visibleText((await find(attempt_id)).text)).toMatch(/Exam’s title .+ Status submitted Exam exm_\w+ Student stu_\w+ Teacher fac_\w+ Begun .+ Ends – Ended now/);
  });

  it('names for each way to run the service the command that searches the logs for a request that the audit log does not have', async () => {
    const { status, headers } = await call('POST', '/groups', { name: '' });
    const requestId = headers.get('x-request-id') ?? '';
    expect(status).toBe(422);
    const { text } = await find(requestId);
    expect(text).toMatch(/<h1 id="results"[^>]*>Not in the audit log<\/h1>/);
    for (const command of [`docker compose logs --no-log-prefix api \\| grep ${requestId}`, `grep -h ${requestId} \\.local/logs/api\\.log\\*`, `request_id: ${requestId}`]) {
      expect(text).toMatch(new RegExp(`<pre id="command-\\d"[^>]*>${command}</pre>`));
    }
    expect(visibleText(text)).toMatch(/The request came (now|\d+ s ago) \(\d+ \w+ \d+, [\d:]+ UTC\) ?, by the time in the id\./);
  });

  it('leads from a login email to the person, and never shows an email that nobody signs in with', async () => {
    const { data } = await call('POST', '/students', { full_name: 'Ada', personal_email: 'ada.byron@mail.example' });
    expect(visibleText((await find(String(data.login_email))).text)).toContain(`Student ${String(data.id)}`);
    const { text } = await find('ada.byron@mail.example');
    expect(text).toContain('Nobody has this login email now. No institution has its domain.');
    expect(text).not.toContain('ada.byron');
    const gone = (await find(`student9@${institution.loginDomain}`)).text;
    expect(gone).toContain(`href="/console/institutions/${institution.id}/audit-log?operation=eraseStudent"`);
    const named = await find('Ada Byron <ada.byron@mail.example>');
    expect([named.status, visibleText(named.text).includes('search the login email with nothing around it'), named.text.includes('ada.byron')]).toEqual([200, true, false]);
  });

  it('leads from a request id to its writes, what they wrote and who made them, and from an API key to its calls', async () => {
    const { data, headers } = await call('POST', '/groups', { name: 'Robotics' });
    const requestId = headers.get('x-request-id') ?? '';
    const { text } = await find(requestId);
    expect(visibleText(text)).toMatch(new RegExp(`What createGroup POST /v1/groups Target created ${String(data.id)} Who API key “.+” ${institution.keyId}`));
    for (const id of [data.id, institution.keyId]) expect(text).toContain(`href="/console/search?q=${String(id)}"`);
    expect(text).not.toContain('Belongs to');
    expect(text).toContain(`href="/console/institutions/${institution.id}/audit-log?request=${requestId}"`);
    expect((await find(institution.keyId)).text).toContain(`href="/console/institutions/${institution.id}/audit-log?actor=${institution.keyId}"`);
  });

  it('says what it looked for where there is nothing, and escapes what was typed', async () => {
    expect(visibleText((await find('lic_01jd4k6f2mep2s5xg5yhc8m1zr')).text)).toContain('Nothing found Looked for: license, by id lic_01jd4k6f2mep2s5xg5yhc8m1zr There is no license with the id');
    const { text } = await fixture.session.get(`/console/institutions?${new URLSearchParams({ q: hostile }).toString()}`);
    expect([text.includes(escaped), text.includes(hostile)]).toEqual([true, false]);
  });
});
