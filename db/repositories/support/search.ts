import { onClock } from '../../institutionClock';
import { nameOfActor, type AuditRow } from '../auditLog/auditLog';
import { statement, type Sql, type Statement } from '../../statement';

/** Something that was found by its id or login email, with its institution. */
export interface FoundRow {
  id: string;
  /** Its status, if its kind has one. */
  state: string | null;
  /** The id of what it belongs to within its institution: the student of a license, the endpoint of a delivery; of a sandbox and a test key the institution proper. */
  parent_id: string | null;
  institution_id: string | null;
  institution_name: string | null;
  time_zone: string | null;
  /** How far the clock of the institution is ahead; 0 but in a sandbox. */
  clock_offset_ms: number | null;
  created_at: Date;
  /** What people call it, of a license its type and end: the name of a key, a person or a group, the title of an exam, the description or URL of an endpoint, the type of an event. */
  name: string | null;
}

interface LookupColumns {
  id?: string;
  state?: string;
  parent?: string;
  created?: string;
  name?: string;
}

/** A lookup by primary key. */
function byKey(table: string, { id = 'r.id', state = 'NULL::text', parent = 'NULL::text', created = 'r.created_at', name = 'NULL::text' }: LookupColumns = {}): Statement {
  return statement(
    `support_search_${table}_${id}`,
    `SELECT ${id} AS id, ${state} AS state, ${parent} AS parent_id, i.id AS institution_id, i.name AS institution_name, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, ${created} AS created_at, ${name} AS name
       FROM ${table} r LEFT JOIN institutions i ON i.id = r.institution_id WHERE ${id} = $1`,
  );
}

const person = byKey('users', { state: 'r.status', name: 'r.full_name' });

const institution = statement(
  'support_search_institution',
  `SELECT i.id, i.status AS state, i.sandbox_of AS parent_id, i.id AS institution_id, i.name AS institution_name, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, i.created_at, NULL::text AS name
     FROM institutions i WHERE i.id = $1`,
);

// The staff belongs to no institution.
const staffMember = statement(
  'support_search_staff',
  `SELECT s.id, NULL::text AS state, NULL::text AS parent_id, NULL::text AS institution_id, NULL::text AS institution_name, NULL::text AS time_zone, NULL::float8 AS clock_offset_ms, s.created_at, s.name
     FROM staff s WHERE s.id = $1`,
);

const staffToken = statement(
  'support_search_staff_token',
  `SELECT t.id, CASE WHEN t.revoked_at IS NOT NULL THEN 'revoked' WHEN t.expires_at <= now() THEN 'expired' ELSE 'active' END AS state, t.staff_id AS parent_id, NULL::text AS institution_id,
          NULL::text AS institution_name, NULL::text AS time_zone, NULL::float8 AS clock_offset_ms, t.created_at, t.name
     FROM staff_tokens t WHERE t.id = $1`,
);

// A pruned event is known by its deliveries.
const event = statement(
  'support_search_event',
  `SELECT r.id, NULL::text AS state, NULL::text AS parent_id, i.id AS institution_id, i.name AS institution_name, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, r.created_at, r.type AS name
     FROM ((SELECT id, institution_id, created_at, type FROM events WHERE id = $1)
           UNION ALL (SELECT event_id, institution_id, event_created_at, event_type FROM deliveries WHERE event_id = $1 LIMIT 1)) r
     JOIN institutions i ON i.id = r.institution_id LIMIT 1`,
);

// The index is by institution and ref: one probe for each institution.
const replay = statement(
  'support_search_replay',
  `SELECT r.ref AS id, NULL::text AS state, d.endpoint_id AS parent_id, i.id AS institution_id, i.name AS institution_name, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, r.created_at, NULL::text AS name
     FROM institutions i
    CROSS JOIN LATERAL (SELECT p.ref, p.delivery_id, p.created_at FROM webhook_replays p WHERE p.institution_id = i.id AND p.ref = $1 LIMIT 1) r
     JOIN deliveries d ON d.id = r.delivery_id LIMIT 1`,
);

const endpointState = "CASE WHEN r.deleted_at IS NULL THEN r.status ELSE 'deleted' END";

/** Of what is used once, and expires by the clock of its institution. */
const spentState = `CASE WHEN r.used_at IS NOT NULL THEN 'used' WHEN r.expires_at <= ${onClock('now()', 'i.clock_offset_ms')} THEN 'expired' ELSE 'active' END`;

/** Of an invitation of a guardian, which expires by the clock of its institution unless it is verified. */
const linkState = `CASE WHEN r.verified_at IS NOT NULL THEN 'verified' WHEN r.expires_at <= ${onClock('now()', 'i.clock_offset_ms')} THEN 'expired' WHEN r.accepted_at IS NOT NULL THEN 'accepted' ELSE 'invited' END`;

const dayAndTime = (moment: string): string => `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** The type of a license, and when it was revoked, or until when it lasts. */
const licenseName = `r.license_type || CASE WHEN r.revoked_at IS NOT NULL THEN ', revoked ' || ${dayAndTime('r.revoked_at')} WHEN r.is_lifetime THEN ', for life' ELSE ', until ' || ${dayAndTime('r.expires_at')} END`;

/** How much a movement of merits moved, what the wallet had after it, and under which ref. */
const moveName = `r.amount_cents || ' cents' || coalesce(', wallet then ' || r.wallet_cents || ' cents', '') || coalesce(', ref ' || r.ref, '')`;

/** When an export was ready, and until when it is kept. */
const exportName = `'ready ' || ${dayAndTime('r.ready_at')} || coalesce(', until ' || ${dayAndTime('r.expires_at')}, '')`;

/** What is found by its id: the prefix, the name of its kind, and the lookup. */
const lookups = {
  ins: { kind: 'institution', lookup: institution },
  key: { kind: 'API key', lookup: byKey('api_keys', { state: "CASE WHEN r.revoked_at IS NOT NULL THEN 'revoked' WHEN r.expires_at <= now() THEN 'expired' ELSE 'active' END", parent: 'i.sandbox_of', name: 'r.name' }) },
  dev: { kind: 'developer', lookup: byKey('developers', { id: 'r.user_id', state: 'r.status', created: 'r.invited_at', name: '(SELECT u.full_name FROM users u WHERE u.id = r.user_id)' }) },
  stu: { kind: 'student', lookup: person },
  fac: { kind: 'faculty member', lookup: person },
  usr: { kind: 'guardian', lookup: person },
  grp: { kind: 'group', lookup: byKey('groups', { name: 'r.name' }) },
  lic: { kind: 'license', lookup: byKey('licenses', { state: 'r.status', parent: 'r.user_id', name: licenseName }) },
  seat: { kind: 'seat', lookup: byKey('seats', { state: 'r.status', parent: 'r.user_id' }) },
  exm: { kind: 'exam', lookup: byKey('exams', { state: 'r.status', name: 'r.title' }) },
  file: { kind: 'file', lookup: byKey('files', { state: 'r.status' }) },
  att: { kind: 'attempt', lookup: byKey('attempts', { state: 'r.status', parent: 'r.exam_id', created: 'r.started_at' }) },
  sub: { kind: 'submission', lookup: byKey('submissions', { state: 'r.status', parent: 'r.exam_id', created: 'r.submitted_at' }) },
  gdn: { kind: 'guardian link', lookup: byKey('guardian_links', { state: linkState, parent: 'r.student_id' }) },
  cpb: { kind: 'coupon batch', lookup: byKey('coupon_batches', { state: 'r.status', name: 'r.name' }) },
  mov: { kind: 'merit movement', lookup: byKey('merit_moves', { state: 'r.kind', parent: 'r.user_id', name: moveName }) },
  cur: { kind: 'curriculum', lookup: byKey('curricula', { state: 'r.status' }) },
  enr: { kind: 'enrollment', lookup: byKey('alpha_enrollments', { state: 'r.status', parent: 'r.student_id' }) },
  we: { kind: 'webhook endpoint', lookup: byKey('webhook_endpoints', { state: endpointState, name: "coalesce(nullif(r.description, ''), r.url)" }) },
  evt: { kind: 'event', lookup: event },
  whd: { kind: 'webhook delivery', lookup: byKey('deliveries', { state: 'r.status', parent: 'r.endpoint_id', name: 'r.event_type' }) },
  bulk: { kind: 'bulk provisioning', lookup: byKey('provisioning_batches', { state: 'r.status' }) },
  code: { kind: 'sign-in code', lookup: byKey('sign_in_codes', { parent: 'r.user_id' }) },
  enc: { kind: 'enrolment code', lookup: byKey('enrolment_codes', { state: spentState, parent: 'r.user_id' }) },
  mbx: { kind: 'change of a mailbox', lookup: byKey('mailbox_changes', { state: spentState, parent: 'r.user_id' }) },
  sgn: { kind: 'sign-in', lookup: byKey('sign_ins', { state: 'r.result', parent: 'r.user_id', created: 'r.at' }) },
  sess: { kind: 'session', lookup: byKey('sessions', { parent: 'r.user_id' }) },
  rpl: { kind: 'replay', lookup: replay },
  rcv: { kind: 'recovery', lookup: replay },
  pts: { kind: 'award of points', lookup: byKey('alpha_points', { parent: 'r.student_id' }) },
  rep: { kind: 'weekly report', lookup: byKey('weekly_reports', { parent: 'r.student_id' }) },
  aud: { kind: 'audited call', lookup: byKey('audit_log', { state: 'r.operation', parent: 'r.request_id', created: 'r.at' }) },
  stf: { kind: 'person of the staff', lookup: staffMember },
  stk: { kind: 'personal token of the staff', lookup: staffToken },
  exp: { kind: 'export of a person', lookup: byKey('person_exports', { state: 'r.status', parent: 'r.person_id', name: exportName }) },
  eml: { kind: 'sandbox email', lookup: byKey('sandbox_emails') },
} as const;

/** A prefix of ids that are looked up in one table. */
export type SearchedPrefix = keyof typeof lookups;

/** The prefixes of ids that are looked up. */
export const searchedPrefixes: readonly string[] = Object.keys(lookups);

/** Whether ids with this prefix are looked up. */
export const isSearchedPrefix = (prefix: string): prefix is SearchedPrefix => Object.hasOwn(lookups, prefix);

/** The name of the kind of thing whose ids have this prefix. */
export const kindOfPrefix = (prefix: SearchedPrefix): string => lookups[prefix].kind;

/** Returns what has an id, of any institution; undefined if there is nothing. */
export async function findById(sql: Sql, prefix: SearchedPrefix, id: string): Promise<FoundRow | undefined> {
  const [row] = await sql<FoundRow>(lookups[prefix].lookup, [id]);
  return row;
}

const byLoginEmail = statement(
  'support_search_login_email',
  `SELECT u.id, u.kind, u.status AS state, NULL::text AS parent_id, i.id AS institution_id, i.name AS institution_name, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, u.created_at, u.full_name AS name
     FROM institution_emails e JOIN users u ON u.id = e.user_id JOIN institutions i ON i.id = u.institution_id WHERE e.login_email = $1`,
);

/** Returns the person with a login email, and what kind of person it is. */
export async function findByLoginEmail(sql: Sql, loginEmail: string): Promise<(FoundRow & { kind: string }) | undefined> {
  const [row] = await sql<FoundRow & { kind: string }>(byLoginEmail, [loginEmail]);
  return row;
}

const byLoginDomain = statement('support_search_login_domain', institution.text.replace('i.id = $1', 'i.login_domain = $1'));

/** Returns the institution with a login domain. */
export async function findByLoginDomain(sql: Sql, loginDomain: string): Promise<FoundRow | undefined> {
  const [row] = await sql<FoundRow>(byLoginDomain, [loginDomain]);
  return row;
}

/** A write of a request, as the audit log has it. */
export interface FoundCall extends FoundRow {
  actor_kind: AuditRow['actor_kind'];
  actor_id: string;
  /** As it is now; null for the platform and the service itself. */
  actor_name: string | null;
  method: string;
  path: string;
  target: AuditRow['target'];
}

/** Maximum number of writes that are shown of one request. */
const maxCalls = 20;

const byRequest = statement(
  'support_search_request',
  `SELECT a.id, a.operation AS state, a.request_id AS parent_id, i.id AS institution_id, i.name AS institution_name, i.time_zone, i.clock_offset_ms::float8 AS clock_offset_ms, a.at AS created_at, NULL::text AS name,
          a.actor_kind, a.actor_id, ${nameOfActor('a.actor_id')}, a.method, a.path, a.target
     FROM audit_log a LEFT JOIN institutions i ON i.id = a.institution_id WHERE a.request_id = $1 ORDER BY a.at, a.id LIMIT ${maxCalls}`,
);

/** Returns the writes of a request that the audit log has, oldest first. */
export function findCallsOfRequest(sql: Sql, requestId: string): Promise<FoundCall[]> {
  return sql(byRequest, [requestId]);
}
