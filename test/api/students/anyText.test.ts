import fc from 'fast-check';
import { idsOf } from '../../support/responses';
import { apiFixture } from '../../support/apiFixture';
import { recordedStudentCalls } from '../../support/studentCalls';

const fixture = apiFixture();
const { calls } = recordedStudentCalls(fixture);

const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 210 }), fc.string({ unit: 'grapheme', maxLength: 110 }));

it('any text is either kept as it came but for the spaces around it, or refused with its path', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (full_name, student_id) => {
      const { status, body, data } = await calls.create({ full_name, student_id });
      if (status === 200) {
        expect([data.full_name, data.student_id]).toEqual([full_name.trim(), student_id.trim()]);
        expect((await calls.get(data.id)).data).toEqual(data);
        expect(idsOf(await calls.list({ student_id }))).toContain(data.id);
      } else {
        expect([status, body.error]).toEqual([422, 'validation_error']);
        for (const { path } of body.issues) expect(['full_name', 'student_id']).toContain(path);
      }
    }),
    { numRuns: 80 },
  );
});

it('any JSON object as a body creates a student or is refused with issues, and is never an error of ours', async () => {
  const known = fc.record(
    { full_name: fc.jsonValue(), student_id: fc.jsonValue(), personal_email: fc.jsonValue(), license_days: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const unknown = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(known, unknown), async (body) => {
      const answer = await calls.create(body);
      expect([200, 422]).toContain(answer.status);
      if (answer.status === 422) expect(answer.body.issues.length).toBeGreaterThan(0);
    }),
    { numRuns: 80 },
  );
});
