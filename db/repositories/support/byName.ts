import { folded } from '../../folded';
import { statement, type Sql } from '../../statement';

/** An institution or endpoint that is called exactly so. */
export interface NamedPlace {
  kind: 'institution' | 'endpoint';
  id: string;
}

const places = statement(
  'support_places_by_name',
  `(SELECT 'institution' AS kind, i.id FROM institutions i WHERE ${folded('i.name')} = ${folded('$1')} LIMIT 2)
    UNION ALL (SELECT 'endpoint', e.id FROM webhook_endpoints e WHERE e.deleted_at IS NULL AND lower($1) IN (lower(e.description), lower(e.url)) LIMIT 2)`,
);

/** Returns the institutions with exactly this name, with or without accents, and the endpoints with exactly this description or URL, in any case; at most two of each. */
export function findPlacesByName(sql: Sql, name: string): Promise<NamedPlace[]> {
  return sql(places, [name]);
}

/** An exam that was found by its title. */
export interface FoundExam {
  id: string;
  title: string;
  status: string;
  institution_id: string;
  institution_name: string;
}

// These operators compare by bytes, as the index does: all titles that begin with a text are between it and the text with the last
// character that there is. LIKE would not use the index, because its pattern is a parameter.
const exams = statement(
  'support_exams_by_title',
  `SELECT x.id, x.title, x.status, x.institution_id, i.name AS institution_name FROM exams x JOIN institutions i ON i.id = x.institution_id
    WHERE lower(x.title) ~>=~ lower($1) AND lower(x.title) ~<~ (lower($1) || chr(1114111)) ORDER BY lower(x.title) USING ~<~, x.id DESC LIMIT $2`,
);

/** Returns the exams of all institutions whose title begins with a text, in any case: by title, of one title the newest first; at most `limit`. */
export function findExamsByTitle(sql: Sql, title: string, limit: number): Promise<FoundExam[]> {
  return sql(exams, [title, limit]);
}

/** Somebody who acts for an institution. */
export interface FoundContact {
  id: string;
  name: string;
  role: 'admin' | 'developer';
  status: string;
  institution_id: string;
  institution_name: string;
}

const contacts = statement(
  'support_contacts_by_name',
  `SELECT c.*, i.name AS institution_name FROM (
     SELECT u.id, u.full_name AS name, 'admin' AS role, u.status, u.institution_id FROM users u WHERE u.is_admin AND ${folded('u.full_name')} = ${folded('$1')}
      UNION ALL SELECT u.id, u.full_name, 'developer', d.status, u.institution_id FROM developers d JOIN users u ON u.id = d.user_id WHERE ${folded('u.full_name')} = ${folded('$1')}
   ) c JOIN institutions i ON i.id = c.institution_id ORDER BY c.id DESC LIMIT $2`,
);

/** Returns the admins and developers of all institutions with exactly this name, in any case, with or without accents, the newest first; at most `limit`. */
export function findContactsByName(sql: Sql, name: string, limit: number): Promise<FoundContact[]> {
  return sql(contacts, [name, limit]);
}
