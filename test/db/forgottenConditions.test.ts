import { institutionScope, openDatabase, type Database, type InstitutionScope } from '../../db/database';
import { entityManager } from '../../db/entityManager';
import { UserEntity } from '../../db/entities/user';
import { findGroup } from '../../db/repositories/groups/groups';
import { removeMembership } from '../../db/repositories/groups/members';
import { findStudent, lockStudent, writeStudentFields, type StudentRow } from '../../db/repositories/students/students';
import { settingsSource } from '../../db/sessionSettings';
import { inTransaction, type OpenTransaction } from '../../db/transaction';
import { withConnection } from '../../local/programs/postgres';
import { stack, type TestStack } from '../support/stack';
import { seedTwoInstitutions } from '../support/twoInstitutions';

let own: TestStack;
let database: Database;
const now = new Date();

beforeAll(async () => {
  own = await stack();
  await withConnection(own.ownerDatabaseUrl, seedTwoInstitutions);
  const settings = own.settings();
  database = await openDatabase(settings.databaseUrl, 4, () => undefined, settingsSource(settings));
});

afterAll(async () => {
  await database.close();
  await own.stop();
});

/** The scope, whose statements have lost their conditions on the institution. */
function forgetting<Scope extends InstitutionScope>(scope: Scope): Scope {
  return {
    ...scope,
    sql: (query, values) => {
      const text = typeof query === 'string' ? query : query.text;
      const forgetful = text.replaceAll(/(?:\w+\.)?institution_id = \$1/g, () => '$1::text IS NOT NULL');
      if (forgetful === text) throw new Error(`The statement has no condition to forget: ${text}`);
      return scope.sql(forgetful, values);
    },
  };
}

/** The scope as it was without row-level security. */
const unbound = <Scope extends InstitutionScope>(scope: Scope): Scope => ({ ...scope, sql: scope.platform.sql });

const rowsOfOther = (): Promise<object[]> => database.sql(
  `SELECT u.id, u.full_name, g.id AS group_id, m.user_id AS member FROM users u CROSS JOIN groups g JOIN group_members m ON m.group_id = g.id
    WHERE u.institution_id = 'ins_2' AND g.institution_id = 'ins_2' ORDER BY u.id`,
);

/** Runs work on the rows of the first institution, and rolls it back. */
async function rolledBack<Result>(work: (tx: OpenTransaction) => Promise<Result>): Promise<Result | undefined> {
  const rollBack = new Error('Rolled back');
  let result: Result | undefined;
  await inTransaction(database, 'ins_1', async (tx) => {
    result = await work(tx);
    throw rollBack;
  }).catch((error: unknown) => {
    if (error !== rollBack) throw error;
  });
  return result;
}

async function studentOfOther(): Promise<StudentRow> {
  const student = await findStudent(institutionScope(database, 'ins_2'), 'stu_2');
  if (student === undefined) throw new Error('The other institution has no student');
  return student;
}

describe('a statement of a repository that has lost its condition on the institution', () => {
  it('reads nothing of another institution, alone and in a transaction; without policies it would', async () => {
    const read = (scope: InstitutionScope): Promise<(string | undefined)[]> => Promise.all([findStudent(scope, 'stu_2'), findStudent(scope, 'first@school2.example'), findGroup(scope, 'grp_2')])
      .then((rows) => rows.map((row) => row?.id));
    const scope = institutionScope(database, 'ins_1');
    expect(await read(forgetting(scope))).toEqual([undefined, undefined, undefined]);
    expect(await read(forgetting(unbound(scope)))).toEqual(['stu_2', 'stu_2', 'grp_2']);
    expect(await rolledBack((tx) => read(forgetting(tx)))).toEqual([undefined, undefined, undefined]);
    expect(await rolledBack((tx) => read(forgetting(unbound(tx))))).toEqual(['stu_2', 'stu_2', 'grp_2']);
    expect(await scope[entityManager]((manager) => manager.findOneBy(UserEntity, { id: 'stu_2' }))).toBeNull();
  });

  it('still reads the rows of its own institution', async () => {
    expect((await findStudent(forgetting(institutionScope(database, 'ins_1')), 'stu_1'))?.id).toBe('stu_1');
  });

  it('locks and changes nothing of another institution; without policies it would', async () => {
    const before = await rowsOfOther();
    expect(before.length).toBe(4);
    const student = { ...(await studentOfOther()), full_name: 'Changed' };
    const write = async (tx: OpenTransaction): Promise<unknown> => {
      const locked = await lockStudent(tx, student.id);
      await writeStudentFields(tx, student, now);
      await removeMembership(tx, 'grp_2', student.id);
      return [locked?.id, await tx.platform.sql("SELECT full_name, (SELECT count(*)::int FROM group_members WHERE group_id = 'grp_2') AS members FROM users WHERE id = 'stu_2'")];
    };
    expect(await rolledBack((tx) => write(forgetting(unbound(tx))))).toEqual(['stu_2', [{ full_name: 'Changed', members: 0 }]]);
    await inTransaction(database, 'ins_1', (tx) => write(forgetting(tx)));
    expect(await rowsOfOther()).toEqual(before);
  });

  it('changes nothing of another institution outside a transaction, either', async () => {
    const before = await rowsOfOther();
    await writeStudentFields(forgetting(institutionScope(database, 'ins_1')), { ...(await studentOfOther()), full_name: 'Changed' }, now);
    expect(await rowsOfOther()).toEqual(before);
  });

  it('adds no row to another institution', async () => {
    const add = "INSERT INTO groups (id, institution_id, faculty_id, name, created_at, updated_at) VALUES ('grp_3', 'ins_2', 'fac_2', 'Class', now(), now())";
    const refused = 'violates row-level security policy';
    await expect(institutionScope(database, 'ins_1').sql(add)).rejects.toThrow(refused);
    await expect(inTransaction(database, 'ins_1', ({ sql }) => sql(add))).rejects.toThrow(refused);
  });
});
