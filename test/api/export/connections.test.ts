import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { seedScores } from '../../../bench/exams/scores';
import { eventually } from '../../support/eventually';
import { apiFixture } from '../../support/apiFixture';

const { api, institution, sql, createStudents } = apiFixture();
const students = 6_000;
const chunkStatement = `query LIKE '%coalesce(v.status, ''not_submitted'')%'`;

const ask = (examId: string, signal?: AbortSignal) =>
  fetch(`${api.baseUrl}/exams/${examId}/export.csv`, { headers: { authorization: `Bearer ${institution.apiKey}` }, ...(signal === undefined ? {} : { signal }) });

const exam = async (count = students) => seedScores(api.api.domain.database.sql, institution, await createStudents(count), 6);

/** How many connections read scores at this moment, or stand in a transaction. */
async function busy(): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND (state LIKE 'idle in transaction%' OR state = 'active' AND ${chunkStatement})`,
  );
  return row?.count ?? Number.NaN;
}

it('many clients that read nothing hold no connection', async () => {
  const examId = await exam();
  // More than the pool has connections.
  const responses = await Promise.all(Array.from({ length: 11 }, () => ask(examId)));
  const { pool } = api.api.domain.database;
  await eventually('no connection is held', async () => (await busy()) === 0 && pool.waitingCount === 0 && pool.idleCount === pool.totalCount);
  const [first, ...others] = responses;
  for (const { body } of others) await body?.cancel();
  expect((await first?.text())?.split('\r\n')).toHaveLength(students + 2);
});

/** A connection of the pool's that may be cut off while the test has it. */
async function taken(): Promise<PoolClient> {
  const client = await api.api.domain.database.pool.connect();
  return client.on('error', () => undefined);
}

/** Begins an export, and has it wait for Postgres within a chunk, read by its client as it comes, as long as this connection holds its lock. */
async function stoppedWithin(holder: PoolClient, examId: string): Promise<{ status: number; read: Promise<string>; pid: number }> {
  await holder.query('BEGIN');
  const response = await ask(examId);
  const read = response.text().catch(String);
  await holder.query('LOCK TABLE submissions IN ACCESS EXCLUSIVE MODE');
  const pid = await eventually('a chunk waits', async () => {
    const [row] = await sql<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND ${chunkStatement}`);
    return row?.pid;
  });
  return { status: response.status, read, pid };
}

// So many chunks that a lock comes to stand between two of them, however busy the machine is.
const many = 4 * students;

it('a connection to the database that is lost within a chunk cuts the file off', async () => {
  const examId = await exam(many);
  const holder = await taken();
  try {
    const { status, read, pid } = await stoppedWithin(holder, examId);
    await sql('SELECT pg_terminate_backend($1)', [pid]);
    expect([status, await read]).toEqual([200, expect.stringMatching(/^\w*Error: terminated/)]);
  } finally {
    holder.release(true);
  }
});

it('connections to the database that are lost between two chunks cost nothing', async () => {
  const examId = await exam(many);
  const { pool } = api.api.domain.database;
  const holder = await taken();
  const { read } = await stoppedWithin(holder, examId);
  // Everything else of the pool, and what the chunk gives back: the export then waits for a connection of its next chunk.
  const others = await Promise.all(Array.from({ length: pool.options.max - 2 }, taken));
  const last = taken();
  await holder.query('ROLLBACK');
  const all = [...others, await last];
  await eventually('the export waits for its next chunk', () => pool.waitingCount === 1);
  await holder.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
  for (const client of [holder, ...all]) client.release(true);
  expect((await read).split('\r\n')).toHaveLength(many + 2);
});

it('a client that hangs up ends the reading', async () => {
  const examId = await exam();
  const hangingUp = new AbortController();
  const response = await ask(examId, hangingUp.signal);
  await response.body?.getReader().read();
  hangingUp.abort();
  await eventually('nothing is read any more', async () => (await busy()) === 0 && (await pause(50), (await busy()) === 0));
});
