import fc from 'fast-check';
import { redactResponse } from '../../../domain/erasure/redactResponse';
import type { ErasureSubject } from '../../../domain/erasure/subject';

const [person, other, license] = ['stu_01jd4k6f2mep2s5xg5yhc8m1zr', 'stu_01jd4k6f2mep2s5xg5yhc8m1zz', 'lic_01jd4k6f2mep2s5xg5yhc8m1zr'];
const former = 'student1.9f86d081@north.example';
const replacement = 'erased.0a1b2c3d@north.example';
const subject: ErasureSubject = {
  loginEmail: { former, replacement }, fullName: 'Ada Lovelace', externalId: 'SIS-1042', addresses: ['ada@example.org'], texts: [], ids: [person, license],
};
const redact = (response: unknown): unknown => JSON.parse(redactResponse(JSON.stringify(response), subject));

it('of an object that has one of the ids, ids, times, numbers and words of the API stay', () => {
  expect(redact({
    id: person, login_email: former, full_name: 'An older name', status: 'active', created_at: '2026-11-20T09:30:00.000Z', week: '2026-11-16', score: 80, late: false, note: null,
    license: { id: license, license_type: 'student', reason: 'Moved away' }, files: [{ name: 'essay.pdf', url: 'https://files.example/essay.pdf' }],
  })).toEqual({
    id: person, login_email: replacement, full_name: 'erased', status: 'active', created_at: '2026-11-20T09:30:00.000Z', week: '2026-11-16', score: 80, late: false, note: null,
    license: { id: license, license_type: 'student', reason: 'erased' }, files: [{ name: 'erased', url: 'erased' }],
  });
});

it('other objects lose only the texts that identify the person', () => {
  expect(redact({ name: 'Class 7b', members: [{ id: other, full_name: 'Alan Turing' }, { id: person, full_name: 'Ada' }], description: `Ada Lovelace (SIS-1042), ${former}, ada@example.org` })).toEqual({
    name: 'Class 7b', members: [{ id: other, full_name: 'Alan Turing' }, { id: person, full_name: 'erased' }], description: `erased (erased), ${replacement}, erased`,
  });
});

it('a response that does not name the person stays as it is', () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
    const response = JSON.stringify({ value });
    fc.pre(![person, license, former, 'Ada Lovelace', 'SIS-1042', 'ada@example.org'].some((text) => response.includes(text)));
    expect(redactResponse(response, subject)).toBe(JSON.stringify(JSON.parse(response)));
  }));
});

it('no text that identifies the person is left anywhere', () => {
  const texts = fc.constantFrom(former, 'Ada Lovelace', 'SIS-1042', 'ada@example.org');
  const value = fc.letrec((tie) => ({
    leaf: fc.oneof(texts, fc.string(), fc.tuple(fc.string(), texts, fc.string()).map((parts) => parts.join(' '))),
    node: fc.oneof({ maxDepth: 4 }, tie('leaf'), fc.array(tie('node'), { maxLength: 3 }), fc.dictionary(fc.constantFrom('id', 'name', 'status', 'text'), tie('node'))),
  })).node;
  fc.assert(fc.property(value, (response) => {
    const redacted = redactResponse(JSON.stringify(response), subject);
    for (const text of [former, 'Ada Lovelace', 'SIS-1042', 'ada@example.org']) expect(redacted).not.toContain(text);
  }));
});
