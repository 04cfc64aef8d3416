import { createHash, randomBytes } from 'node:crypto';
import { json } from 'node:stream/consumers';
import Koa from 'koa';
import { escapeLiteral, Pool } from 'pg';
import { newId } from '../../domain/ids';

/*
 * The baseline: a bare Koa handler with the statements of the service and nothing else: no limiter, no validation,
 * no scopes, no log.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const institutionId = process.env.BENCH_INSTITUTION ?? '';

const key = {
  name: 'key',
  text: `SELECT k.id, k.name, k.key_hash, k.scopes, k.rate_limit_per_min, k.last_used_at, k.expires_at, k.revoked_at,
                i.id AS institution_id, i.name AS institution_name, i.status AS institution_status
           FROM api_keys k JOIN institutions i ON i.id = k.institution_id WHERE k.key_hash = $1`,
};
const student = {
  name: 'student',
  text: `SELECT u.id, e.login_email, u.full_name, u.external_id, u.status, u.personal_email_hmac IS NOT NULL AS personal_email_mapped,
                l.id AS license_id, l.license_type, l.status AS license_status, l.expires_at, l.is_lifetime
           FROM users u JOIN institution_emails e ON e.user_id = u.id JOIN licenses l ON l.user_id = u.id
          WHERE u.institution_id = $1 AND u.kind = 'student' AND u.id = $2`,
};
const count = {
  name: 'count',
  text: "UPDATE login_counters SET last_number = last_number + 1 WHERE institution_id = $1 AND kind = 'student' RETURNING last_number",
};
const user = {
  name: 'user',
  text: `INSERT INTO users (id, institution_id, kind, full_name, external_id, status, created_at, updated_at)
         VALUES ($1, $2, 'student', $3, NULL, 'pending', $4, $4)`,
};
const email = {
  name: 'email',
  text: 'INSERT INTO institution_emails (login_email, institution_id, user_id, created_at) VALUES ($1, $2, $3, $4)',
};
const license = {
  name: 'license',
  text: `INSERT INTO licenses (id, institution_id, user_id, license_type, status, max_activations, expires_at, created_at, updated_at)
         VALUES ($1, $2, $3, 'student', 'active', 2, $4, $5, $5)`,
};
const events = { name: 'events', text: 'SELECT append_events($1, $2::json)' };

const lock = { name: 'lock', text: 'SELECT 1 FROM users WHERE institution_id = $1 AND id = $2 FOR NO KEY UPDATE' };
const rename = { name: 'rename', text: 'UPDATE users SET full_name = $3, updated_at = $4 WHERE institution_id = $1 AND id = $2' };

const authenticate = async (authorization: string): Promise<void> => {
  const hash = createHash('sha256').update(authorization.slice('Bearer '.length)).digest();
  await pool.query({ ...key, values: [hash] });
};

async function create(): Promise<object> {
  const connection = await pool.connect();
  try {
    const now = new Date();
    const id = newId('stu');
    const licenseId = newId('lic');
    const expiresAt = new Date(now.getTime() + 365 * 86_400_000);
    await connection.query('BEGIN');
    const counted = await connection.query<{ last_number: number }>({ ...count, values: [institutionId] });
    const loginEmail = `student${counted.rows[0]?.last_number ?? 0}.${randomBytes(4).toString('hex')}@bench.example`;
    await connection.query({ ...user, values: [id, institutionId, 'Bench', now] });
    await connection.query({ ...email, values: [loginEmail, institutionId, id, now] });
    await connection.query({ ...license, values: [licenseId, institutionId, id, expiresAt, now] });
    const appended = [
      { id: newId('evt'), type: 'student.created', data: JSON.stringify({ student_id: id, login_email: loginEmail, status: 'pending' }) },
      {
        id: newId('evt'),
        type: 'license.generated',
        data: JSON.stringify({ license_id: licenseId, license_type: 'student', user_id: id, expires_at: expiresAt.toISOString() }),
      },
    ];
    await connection.query({ ...events, values: [institutionId, JSON.stringify(appended)] });
    await connection.query('COMMIT');
    return { id, login_email: loginEmail, license: { id: licenseId, expires_at: expiresAt } };
  } finally {
    connection.release();
  }
}

/** Runs the transaction of `PATCH /students/{id}`, statement by statement, with its event in the round trip of the COMMIT. */
async function update(id: string, fullName: string): Promise<object | undefined> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query({ ...student, values: [institutionId, id] });
    await connection.query({ ...lock, values: [institutionId, id] });
    await connection.query({ ...student, values: [institutionId, id] });
    await connection.query({ ...rename, values: [institutionId, id, fullName, new Date()] });
    const { rows } = await connection.query<object>({ ...student, values: [institutionId, id] });
    const data = JSON.stringify({ student_id: id, changed: ['full_name'], status: 'pending' });
    const appended = JSON.stringify([{ id: newId('evt'), type: 'student.updated', data }]);
    await connection.query(`SELECT append_events(${escapeLiteral(institutionId)}, ${escapeLiteral(appended)}); COMMIT`);
    return rows[0];
  } finally {
    connection.release();
  }
}

const studentsPath = '/v1/students/';

const app = new Koa();
app.use(async (ctx) => {
  await authenticate(ctx.get('authorization'));
  if (ctx.method === 'PATCH') {
    const body: unknown = await json(ctx.req);
    const fullName = typeof body === 'object' && body !== null && 'full_name' in body ? String(body.full_name) : '';
    ctx.body = { success: true, data: await update(ctx.path.slice(studentsPath.length), fullName) };
    return;
  }
  if (ctx.method === 'POST') {
    ctx.body = { success: true, data: await create() };
    return;
  }
  const { rows } = await pool.query<object>({ ...student, values: [institutionId, ctx.path.slice(studentsPath.length)] });
  ctx.body = { success: true, data: rows[0] };
});
app.listen(Number(process.env.BENCH_PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
