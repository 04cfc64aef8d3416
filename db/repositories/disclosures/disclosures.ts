import type { InstitutionScope } from '../../database';
import { definedConditions, newestFirst, readPage, type Page, type PageOf } from '../../page';
import { statement, type Sql } from '../../statement';

/** Who reads: an API key, the platform, a person of its staff, an admin or a developer in the portal, or the session of a person. */
export const readerKinds = ['key', 'platform', 'staff', 'faculty', 'developer', 'session'] as const;
type ReaderKind = (typeof readerKinds)[number];

/** What is read: one person's record, with recordings in it, a file with the records of many, or a list. */
export const disclosedThings = ['record', 'recording', 'export', 'list'] as const;
export type DisclosedThing = (typeof disclosedThings)[number];

/** A read to be recorded. */
export interface NewDisclosure {
  id: string;
  /** '' if the call is of no institution. */
  institution_id: string;
  actor_kind: ReaderKind;
  actor_id: string;
  what: DisclosedThing;
  /** The id or the login email of the person; null for a read of many. */
  subject: string | null;
  operation: string;
  /** The parameters of the call by their names; null where the value is text, which may name a person. */
  query: Readonly<Record<string, string | null>>;
  request_id: string;
}

/** A read on record. */
export interface DisclosureRow {
  id: string;
  at: Date;
  actor_kind: ReaderKind;
  actor_id: string;
  /** Of a person of the staff, as it is now. */
  actor_name: string | null;
  what: DisclosedThing;
  operation: string;
  query: Readonly<Record<string, string | null>>;
  request_id: string;
}

// A person named by login email is recorded by their id; no address is kept. One that nobody has disclosed nothing.
const insert = statement(
  'disclosures_insert',
  `INSERT INTO disclosures (id, institution_id, actor_kind, actor_id, what, subject_id, operation, query, request_id)
   SELECT d.id, nullif(d.institution_id, ''), d.actor_kind, d.actor_id, d.what, CASE WHEN strpos(d.subject, '@') > 0 THEN e.user_id ELSE d.subject END,
          d.operation, d.query, d.request_id
     FROM jsonb_to_recordset($1::jsonb) AS d (id text, institution_id text, actor_kind text, actor_id text, what text, subject text, operation text, query jsonb, request_id text)
     LEFT JOIN institution_emails e ON e.institution_id = d.institution_id AND e.login_email = lower(d.subject)
    WHERE d.subject IS NULL OR strpos(d.subject, '@') = 0 OR e.user_id IS NOT NULL`,
);

/** Appends reads of any institution to the record; the database sets their time. */
export async function insertDisclosures(sql: Sql, disclosures: readonly NewDisclosure[]): Promise<void> {
  await sql(insert, [JSON.stringify(disclosures)]);
}

/** The filters of a list of reads; undefined ones do not restrict. `since` is exclusive, `until` inclusive. */
export interface DisclosureFilter {
  actor_id?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

const columns = 'id, at, actor_kind, actor_id, coalesce((SELECT s.name FROM staff s WHERE s.id = actor_id), (SELECT k.name FROM api_keys k WHERE k.id = actor_id)) AS actor_name, what, operation, query, request_id';
const from = 'disclosures';
const order = newestFirst('at', 'id');

/** Returns one page of the reads of a person's data, or of the reads of many people's (null), newest first. */
export function listDisclosures(scope: InstitutionScope, subjectId: string | null, filter: DisclosureFilter, page: Page): Promise<PageOf<DisclosureRow>> {
  const conditions = definedConditions([
    { sql: subjectId === null ? 'institution_id = $ AND subject_id IS NULL' : 'institution_id = $', value: scope.institutionId },
    { sql: 'subject_id = $', value: subjectId ?? undefined },
    { sql: 'actor_id = $', value: filter.actor_id },
    { sql: 'at > $', value: filter.since },
    { sql: 'at <= $', value: filter.until },
  ]);
  return readPage(scope.sql, { columns, from, conditions, order }, page);
}

const last = statement(
  'disclosures_last',
  `SELECT ${columns} FROM ${from} WHERE institution_id = $1 AND subject_id = $2 AND what = $3 AND at >= $4 AND ($5::timestamptz IS NULL OR at < $5) ORDER BY at DESC, id DESC LIMIT 1`,
);

/** Returns the last read of such a thing about a person from a real time on and, unless it is null, before another; undefined if the record has none. */
export async function findLastDisclosure(scope: InstitutionScope, subjectId: string, what: DisclosedThing, { since, until }: { since: Date; until: Date | null }): Promise<DisclosureRow | undefined> {
  const [row] = await scope.sql<DisclosureRow>(last, [scope.institutionId, subjectId, what, since, until]);
  return row;
}
