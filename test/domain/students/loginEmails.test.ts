import fc from 'fast-check';
import type { LicensedKind } from '../../../domain/licenses/limits';
import { provisionPeople, type NewPerson } from '../../../domain/people/provisionPeople';
import { transact } from '../../../domain/transact';
import { systemCaller, type TestInstitution } from '../../support/api';
import { apiFixture } from '../../support/apiFixture';

const { api } = apiFixture({ institutionPer: 'none' });

const somebody: NewPerson = { fullName: null, externalId: null, licenseDays: 1, personalEmail: null };

interface LoginEmail {
  number: number;
  hex: string;
}

/** Provisions so many people in one call; returns their login emails taken apart, or fails where the form is another. */
async function provision(institution: TestInstitution, kind: LicensedKind, count: number): Promise<LoginEmail[]> {
  const people = await transact(api.api.domain, systemCaller(institution.id), (tx) =>
    provisionPeople(tx, kind, Array.from({ length: count }, () => somebody)),
  );
  return people.map(({ loginEmail }) => {
    const [, number, hex] = new RegExp(`^${kind}(\\d+)\\.([0-9a-f]{8})@${institution.loginDomain.replaceAll('.', '\\.')}$`).exec(loginEmail) ?? [];
    if (number === undefined || hex === undefined) throw new Error(`${loginEmail} is no login email`);
    return { number: Number(number), hex };
  });
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const calls = fc.array(fc.integer({ min: 0, max: 25 }), { minLength: 1, maxLength: 6 });

it('number the people of an institution upwards: call after call, in input order, without a gap', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (counts) => {
      const institution = await api.institution();
      const numbers: number[] = [];
      for (const count of counts) numbers.push(...(await provision(institution, 'student', count)).map(({ number }) => number));
      expect(numbers).toEqual(upTo(sum(counts)));
    }),
    { numRuns: 10 },
  );
});

it('have no gap inside a call and no number twice, for any number of calls at once', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (counts) => {
      const institution = await api.institution();
      const made = await Promise.all(counts.map((count) => provision(institution, 'student', count)));
      for (const call of made) {
        const [first] = call;
        expect(call.map(({ number }) => number)).toEqual(call.map((_, index) => Number(first?.number) + index));
      }
      expect(made.flat().map(({ number }) => number).sort((a, b) => a - b)).toEqual(upTo(sum(counts)));
    }),
    { numRuns: 15 },
  );
});

it('of students and of faculty are numbered apart', async () => {
  const institution = await api.institution();
  const [students, faculty] = await Promise.all([provision(institution, 'student', 3), provision(institution, 'faculty', 2)]);
  expect(students.map(({ number }) => number)).toEqual([1, 2, 3]);
  // The institution admin is the first of the faculty.
  expect(faculty.map(({ number }) => number)).toEqual([2, 3]);
});

it('of a call that fails take no numbers', async () => {
  const institution = await api.institution();
  const failing = transact(api.api.domain, systemCaller(institution.id), async (tx) => {
    await provisionPeople(tx, 'student', [somebody, somebody]);
    throw new Error('refused afterwards');
  });
  await expect(failing).rejects.toThrow('refused afterwards');
  expect((await provision(institution, 'student', 1))[0]?.number).toBe(1);
});

it('carry eight random digits: among 800 every digit stands in every position, and next to none repeats', async () => {
  const institution = await api.institution();
  const hexes = [...(await provision(institution, 'student', 400)), ...(await provision(institution, 'student', 400))].map(({ hex }) => hex);
  expect(new Set(hexes).size).toBeGreaterThanOrEqual(hexes.length - 2);
  for (let position = 0; position < 8; position += 1) expect(new Set(hexes.map((hex) => hex[position])).size).toBe(16);
});
