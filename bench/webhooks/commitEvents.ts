import { newId } from '../../domain/ids';
import type { BenchEnvironment } from '../environment';
import type { BenchInstitution } from '../institutions';

const eventsPerStatement = 500;
const data = JSON.stringify({ student_id: 'stu_bench', changed: ['full_name'], status: 'pending', padding: 'x'.repeat(700) });

/** Commits `count` events of about 1 kB in one transaction, so that they are all available at the same time; notifies no worker. */
export async function commitEvents({ database }: BenchEnvironment, { id }: BenchInstitution, count: number): Promise<void> {
  const connection = await database.pool.connect();
  try {
    await connection.query('BEGIN');
    for (let done = 0; done < count; done += eventsPerStatement) {
      const events = Array.from({ length: Math.min(eventsPerStatement, count - done) }, () => ({ id: newId('evt'), type: 'student.updated', data }));
      await connection.query('SELECT append_events($1, $2::json)', [id, JSON.stringify(events)]);
    }
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}
