import fc from 'fast-check';
import type { UserStatus } from '../../../db/entities/user';
import type { Transaction } from '../../../domain/context';
import { reactivateStudent, suspendStudent } from '../../../domain/students/changeStatus';
import { createStudent } from '../../../domain/students/createStudent';
import { studentTransitions } from '../../../domain/students/transitions';
import type { ChangedStudentField } from '../../../domain/events/eventTypes';
import { canTransition } from '../../../domain/transitions';
import { updateStudent } from '../../../domain/students/updateStudent';
import { findStudent, type StudentRow } from '../../../db/repositories/students/students';
import { transact } from '../../../domain/transact';
import { systemCaller } from '../../support/api';
import { eventsDuring, type AppendedEvent } from '../../support/events';
import { apiFixture } from '../../support/apiFixture';

const { api, institution } = apiFixture({ institutionPer: 'file' });

const run = <Result>(command: (tx: Transaction) => Promise<Result>): Promise<Result> => transact(api.api.domain, systemCaller(institution.id), command);

/** What a student is by the rules alone. */
interface Model {
  status: UserStatus;
  everSignedIn: boolean;
  name: string | null;
}

interface Step {
  command: (tx: Transaction, id: string) => Promise<StudentRow>;
  /** What the specification and its decisions make of it. */
  rule: (model: Model) => Model;
}

const suspended = (model: Model): Model => ({ ...model, status: 'suspended' });
const reactivated = (model: Model): Model =>
  model.status === 'suspended' ? { ...model, status: model.everSignedIn ? 'active' : 'pending' } : model;

/** The first sign-in, as the apps bring it about; its own event belongs to the tests of signing in. */
async function firstSignIn(tx: Transaction, id: string): Promise<StudentRow> {
  await tx.sql("UPDATE users SET first_signed_in_at = $2, status = 'active' WHERE id = $1 AND status = 'pending'", [id, tx.now]);
  const student = await findStudent(tx, id);
  if (student === undefined) throw new Error('The student is gone');
  return student;
}

const steps: Record<string, Step> = {
  suspend: { command: suspendStudent, rule: suspended },
  reactivate: { command: reactivateStudent, rule: reactivated },
  'PATCH suspended': { command: (tx, id) => updateStudent(tx, id, { status: 'suspended' }), rule: suspended },
  'PATCH active': { command: (tx, id) => updateStudent(tx, id, { status: 'active' }), rule: reactivated },
  'PATCH name': { command: (tx, id) => updateStudent(tx, id, { full_name: 'Ada' }), rule: (model) => ({ ...model, name: 'Ada' }) },
  'PATCH name away and suspended': {
    command: (tx, id) => updateStudent(tx, id, { full_name: null, status: 'suspended' }),
    rule: (model) => suspended({ ...model, name: null }),
  },
};

const signIn: Step = {
  command: firstSignIn,
  rule: (model) => (model.status === 'pending' ? { ...model, status: 'active', everSignedIn: true } : model),
};

function eventsFor(before: Model, after: Model, id: string): AppendedEvent[] {
  const changed: ChangedStudentField[] = [...(before.name === after.name ? [] : ['full_name' as const]), ...(before.status === after.status ? [] : ['status' as const])];
  return changed.length === 0 ? [] : [{ type: 'student.updated', data: { student_id: id, changed, status: after.status } }];
}

it('keeps any sequence of changes to the state table, with one event for each change and none for others', async () => {
  const anyStep = fc.constantFrom(...Object.keys(steps), 'first sign-in');
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (names) => {
      const { id } = await run((tx) => createStudent(tx, {}));
      let model: Model = { status: 'pending', everSignedIn: false, name: null };
      for (const name of names) {
        const step = steps[name] ?? signIn;
        const after = step.rule(model);
        const events = await eventsDuring(api, institution, async () => {
          const student = await run((tx) => step.command(tx, id));
          expect([student.status, student.full_name]).toEqual([after.status, after.name]);
        });
        expect(events).toEqual(step === signIn ? [] : eventsFor(model, after, id));
        if (model.status !== after.status) expect(canTransition(studentTransitions, model.status, after.status)).toBe(true);
        model = after;
      }
    }),
    { numRuns: 40 },
  );
});

it('has every step of the state table walked by some command, and no other', () => {
  const walked = new Set<string>();
  const statuses: UserStatus[] = ['pending', 'active', 'suspended'];
  for (const status of statuses) {
    for (const everSignedIn of [true, false]) {
      for (const { rule } of [...Object.values(steps), signIn]) {
        const after = rule({ status, everSignedIn, name: null }).status;
        if (after !== status) walked.add(`${status} to ${after}`);
      }
    }
  }
  const table = statuses.flatMap((from) => studentTransitions[from].map((to) => `${from} to ${to}`));
  expect([...walked].sort()).toEqual(table.sort());
});
