import { Client, escapeLiteral } from 'pg';
import { to } from 'pg-copy-streams';
import type { BenchEnvironment } from '../environment';
import { residentMegabytes } from '../memory';
import { median, rounded } from '../statistics';
import { seedStudents } from './people';
import { seedScores } from './scores';

const students = 100_000;
const groups = 50;
const rounds = 3;
const sampleIntervalMs = 20;
const newline = 10;

/** The measurements of one read of all scores. */
interface Reading {
  rows: number;
  firstByteMs: number;
  rowsPerSecond: number;
}

/** Reads a text to its end and counts its lines after the header. */
async function read(open: () => Promise<AsyncIterable<Uint8Array>>): Promise<Reading> {
  const begun = performance.now();
  let firstByteMs = Number.NaN;
  let lines = 0;
  for await (const bytes of await open()) {
    if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - begun;
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  }
  return { rows: lines - 1, firstByteMs, rowsPerSecond: (lines - 1) / ((performance.now() - begun) / 1_000) };
}

function readExport(baseUrl: string, key: string, examId: string): Promise<Reading> {
  return read(async () => {
    const { status, body } = await fetch(`${baseUrl}/exams/${examId}/export.csv`, { headers: { authorization: `Bearer ${key}` } });
    if (status !== 200 || body === null) throw new Error(`The export returned ${status}`);
    return body;
  });
}

/** Reads the same rows in the same order, written by the database itself. */
async function readCopy(databaseUrl: string, examId: string): Promise<Reading> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const exam = escapeLiteral(examId);
  const rows = `SELECT e.login_email, u.external_id, coalesce(s.status, 'not_submitted'), s.score, coalesce(s.max_score, x.max_score), s.percentage,
           s.is_late, s.submitted_at, s.graded_at
      FROM (SELECT DISTINCT m.user_id FROM exam_assignments a JOIN group_members m ON m.group_id = a.group_id WHERE a.exam_id = ${exam}) assigned
      JOIN users u ON u.id = assigned.user_id
      JOIN institution_emails e ON e.user_id = u.id
      JOIN exams x ON x.id = ${exam}
      LEFT JOIN (SELECT DISTINCT ON (student_id) * FROM submissions WHERE exam_id = ${exam} ORDER BY student_id, version DESC) s ON s.student_id = u.id
     ORDER BY e.login_email COLLATE "C"`;
  try {
    return await read(() => Promise.resolve(client.query(to(`COPY (${rows}) TO STDOUT WITH (FORMAT csv, HEADER)`))));
  } finally {
    await client.end();
  }
}

/** An export compared with a bare COPY of the same rows, piped through Node; alternating, the median of three. */
export interface ExportMeasure {
  rows: number;
  first_byte_ms: number;
  rows_per_s: number;
  copy_rows_per_s: number;
  ratio: number;
  /** The largest increase of the API's resident memory, in MB. */
  rise_mb: number;
}

/** Measures the export of an exam through an API process. */
export async function measureExport(api: { pid: number; baseUrl: string; key: string }, databaseUrl: string, examId: string): Promise<ExportMeasure> {
  const pairs: { service: Reading; copy: Reading }[] = [];
  const before = residentMegabytes(api.pid);
  let highest = before;
  for (let round = 0; round < rounds; round += 1) {
    const sampling = setInterval(() => (highest = Math.max(highest, residentMegabytes(api.pid))), sampleIntervalMs);
    const service = await readExport(api.baseUrl, api.key, examId).finally(() => clearInterval(sampling));
    pairs.push({ service, copy: await readCopy(databaseUrl, examId) });
  }
  const rows = new Set(pairs.flatMap((pair) => [pair.service.rows, pair.copy.rows]));
  if (rows.size !== 1) throw new Error(`Export and COPY read different numbers of rows: ${[...rows].join(', ')}`);
  return {
    rows: pairs[0]?.service.rows ?? 0,
    first_byte_ms: Math.round(Math.max(...pairs.map(({ service }) => service.firstByteMs))),
    rows_per_s: Math.round(median(pairs.map(({ service }) => service.rowsPerSecond))),
    copy_rows_per_s: Math.round(median(pairs.map(({ copy }) => copy.rowsPerSecond))),
    ratio: rounded(median(pairs.map(({ service, copy }) => service.rowsPerSecond / copy.rowsPerSecond))),
    rise_mb: highest - before,
  };
}

/** Measures the export of an exam of 100,000 students in 50 groups, each with a graded submission. */
export async function benchExport(environment: BenchEnvironment): Promise<object[]> {
  const { database, apiUrl, stores } = environment;
  const api = await environment.startApi();
  try {
    const school = await environment.institution('export', 1);
    const [admin] = await database.sql<{ id: string }>('SELECT id FROM users WHERE institution_id = $1 AND is_admin', [school.id]);
    const studentIds = await seedStudents(environment, school, students);
    const examId = await seedScores(database.sql, { id: school.id, adminId: admin?.id ?? '' }, studentIds, groups);
    // As on any service that has run for a minute.
    await database.sql('ANALYZE users, institution_emails, group_members, exam_assignments, submissions');
    const key = school.keys[0] ?? '';
    const me = await fetch(`${apiUrl}/me`, { headers: { authorization: `Bearer ${key}` } });
    await me.text();
    return [{ bench: `export of ${students} submissions`, ...(await measureExport({ pid: api.pid, baseUrl: apiUrl, key }, stores.databaseUrl, examId)), rounds }];
  } finally {
    await api.stop(5_000);
  }
}
