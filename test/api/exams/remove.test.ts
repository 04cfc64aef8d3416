import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../../domain/ids';
import { transact } from '../../../domain/transact';
import { gatherNoticeRecipients } from '../../../db/repositories/exams/notices';
import { errorSummary } from '../../support/responses';
import { systemCaller } from '../../support/api';
import { seedFile } from '../../support/seed/files';
import { seedExamAttempt, seedSubmission } from '../../support/seed/submissions';
import { seedStudentWithEmail } from '../../support/seed/students';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, sql, call, createExam, createGroup, createStudents, readExam } = apiFixture();
const remove = (id: string) => call('DELETE', `/exams/${id}`);

/** The tables that refer to an exam, as the database knows them. */
const tables = async (): Promise<{ table: string; column: string }[]> => [
  { table: 'exams', column: 'id' },
  ...(await sql<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name = 'exam_id' ORDER BY 1`,
  )),
];

/** The tables in which anything of an exam is left. */
async function leftOf(examId: string): Promise<string[]> {
  const rows = await Promise.all((await tables()).map(async ({ table, column }) => {
    const found = await sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [examId]);
    return found.length > 0 ? [table] : [];
  }));
  return rows.flat();
}

describe('DELETE /exams/{id}', () => {
  it('leaves nothing of the exam in any table, its notices, key releases and files included', async () => {
    const reader = await seedStudentWithEmail(api, institution, 'ada@private.example.org');
    const exam = await createExam({ group_ids: [await createGroup([reader])] });
    const { id: fileId } = await seedFile(api, institution, { exam_id: exam.id });
    const code_spec = { v: 1, brief_md: 'Add', toolchain: 'python', commands: {}, starter: { kind: 'zip', file: { id: fileId } } };
    await call('PATCH', `/exams/${exam.id}`, { code_spec });
    await call('PUT', `/exams/${exam.id}/code-secret`, { hidden_key_b64: Buffer.alloc(32, 3).toString('base64') });
    await call('POST', `/exams/${exam.id}/code-secret/release`);
    await transact(api.api.domain, systemCaller(institution.id), (tx) => gatherNoticeRecipients(tx, { examId: exam.id, notice: 1 }, tx.now));
    expect(await leftOf(exam.id)).toEqual(expect.arrayContaining([
      'exams', 'code_secret_releases', 'exam_assignments', 'exam_files', 'exam_notice_recipients', 'exam_notices', 'files',
    ]));

    expect((await remove(exam.id)).data).toEqual({ id: exam.id, deleted: true });
    expect(await leftOf(exam.id)).toEqual([]);
    expect(await sql('SELECT status, exam_id FROM files WHERE id = $1', [fileId])).toEqual([{ status: 'stored', exam_id: null }]);
    expect((await call('GET', `/students/${reader}/exams`)).data.total).toBe(0);
  });

  it('leaves groups, students and other exams as they are', async () => {
    const students = await createStudents(1);
    const groupId = await createGroup(students);
    const [gone, stays] = [await createExam({ group_ids: [groupId] }), await createExam({ group_ids: [groupId] })];
    await remove(gone.id);
    expect(await readExam(stays.id)).toEqual(stays);
    expect((await call('GET', `/groups/${groupId}`)).data).toMatchObject({ member_count: 1, exam_count: 1 });
  });

  it.each(['in_progress', 'abandoned'] as const)('is a conflict once there was an attempt, also one that is %s', async (status) => {
    const [studentId = ''] = await createStudents(1);
    const exam = await createExam();
    await seedExamAttempt(api, institution, { examId: exam.id, studentId }, { status });
    expect(errorSummary(await remove(exam.id))).toEqual([409, 'conflict']);
    expect((await readExam(exam.id)).stats.started).toBe(1);
  });

  it('is a conflict with submissions, voided ones too', async () => {
    const [studentId = ''] = await createStudents(1);
    const exam = await createExam();
    await seedSubmission(api, institution, { examId: exam.id, studentId }, { status: 'voided' });
    expect(errorSummary(await remove(exam.id))).toEqual([409, 'conflict']);
  });

  it('by five callers at once removes it once', async () => {
    const exam = await createExam({ group_ids: [await createGroup()] });
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(exam.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });
});

describe('a deletion while an attempt begins', () => {
  /** Deletes an exam while a transaction has begun an attempt, which then ends so. */
  async function deletedMeanwhile(end: 'COMMIT' | 'ROLLBACK'): Promise<{ id: string; deletion: Awaited<ReturnType<typeof remove>> }> {
    const [studentId = ''] = await createStudents(1);
    const exam = await createExam();
    const client = await api.api.domain.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        "INSERT INTO attempts (id, institution_id, exam_id, student_id, status, started_at) VALUES ($1, $2, $3, $4, 'in_progress', now())",
        [newId('att'), institution.id, exam.id, studentId],
      );
      const deletion = remove(exam.id);
      expect(await Promise.race([deletion, pause(300, 'waits')])).toBe('waits');
      await client.query(end);
      return { id: exam.id, deletion: await deletion };
    } finally {
      client.release();
    }
  }

  it('waits for it, and is a conflict', async () => {
    const { id, deletion } = await deletedMeanwhile('COMMIT');
    expect(errorSummary(deletion)).toEqual([409, 'conflict']);
    expect(await leftOf(id)).toEqual(['exams', 'attempts']);
  });

  it('goes on where the attempt did not come about', async () => {
    const { id, deletion } = await deletedMeanwhile('ROLLBACK');
    expect([deletion.status, await leftOf(id)]).toEqual([200, []]);
  });

  it('leaves an exam with its attempt, or neither, in either order', async () => {
    const students = await createStudents(10);
    for (const studentId of students) {
      const exam = await createExam();
      const attempt = seedExamAttempt(api, institution, { examId: exam.id, studentId }).then(() => 'begun', () => 'refused');
      const [begun, { status }] = await Promise.all([attempt, remove(exam.id)]);
      expect([['begun', 409], ['refused', 200]]).toContainEqual([begun, status]);
    }
  });
});
