import { createHash, randomBytes } from 'node:crypto';
import Koa from 'koa';
import { Pool } from 'pg';
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

const app = new Koa();
app.use(async (ctx) => {
  await authenticate(ctx.get('authorization'));
  if (ctx.method === 'POST') {
    ctx.body = { success: true, data: await create() };
    return;
  }
  const { rows } = await pool.query<object>({ ...student, values: [institutionId, ctx.path.slice('/v1/students/'.length)] });
  ctx.body = { success: true, data: rows[0] };
});
app.listen(Number(process.env.BENCH_PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
