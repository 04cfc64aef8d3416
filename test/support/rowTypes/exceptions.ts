import type { InstitutionScope } from '../../../db/database';
import { recordSuccesses } from '../../../db/repositories/webhooks/attempts';
import { moveDeliveries } from '../../../db/repositories/webhooks/backlog';
import { endOpenDeliveries } from '../../../db/repositories/webhooks/openDeliveries';
import { endDelivery } from '../../../db/repositories/webhooks/retries';
import { releaseLapsedClaims } from '../../../db/repositories/webhooks/sending';
import { countSealedValues } from '../../../db/repositories/secrets/sealedCounts';
import { sealedTables } from '../../../db/repositories/secrets/sealedColumns';
import { readSealedRows } from '../../../db/repositories/secrets/sealedRows';
import { erasedTables, eraseRows, hasRowsToErase } from '../../../db/repositories/sandbox/erasure';
import { listWaiting, waitingKinds } from '../../../db/repositories/sandbox/clock';
import { readDeliveryPage, summarizeDeliveries, type ListedFilter } from '../../../db/repositories/support/deliveries';
import type { Sql } from '../../../db/statement';
import { attemptOf, unsentDelivery } from '../deliveryTables';

const ownAddress = 'guardians and developers have one (users_own_address), which the types of people do not tell from others';
const published = 'drafts are seen by nobody (visible)';
const oneOfBoth = 'each student has one login email, each submission one attempt: LEFT JOIN leaves the planner free to look them up last';

const ofBothTables = 'the type of a delivery in either table: those of ended ones have ended';
const ofEveryKind = 'one type for the rows of every kind: in some kinds it is null';

/** Why the type of a row may differ from what Postgres says of a column, by `path column: difference`, the path below db/repositories. */
export const differences: Record<string, string> = {
  'attempts/list student_email: may be null': oneOfBoth,
  'submissions/submissions student_email: may be null': oneOfBoth,
  'submissions/submissions focus_losses: may be null': oneOfBoth,
  'submissions/submissions recorder_errors: may be null': oneOfBoth,
  'coupons/coupons user_id: may be null': 'joined by it',
  'coupons/coupons redeemed_at: may be null': 'listed by it, from -infinity',
  'developers/developers email_sealed: may be null': ownAddress,
  'developers/invitations email_sealed: may be null': ownAddress,
  'guardians/invitations guardian_email_sealed: may be null': ownAddress,
  'guardians/links guardian_email_sealed: may be null': ownAddress,
  'erasure/erasures subject_sealed: may be null': 'asked for in the condition',
  'erasure/people personal_email_sealed: may be null': ownAddress,
  'exams/notices notice: may be null': 'written by the statement',
  "exams/studentExams status: may be 'draft'": published,
  "guardians/portal status: may be 'draft'": published,
  'faculty/faculty full_name: may be null': 'required of faculty, and changed to no null',
  "faculty/faculty status: may be 'pending'": 'only students are ever pending (users_check)',
  'licenses/expiry expires_at: may be null': 'compared with now',
  'offboarding/notice admin_email_sealed: may be null': 'asked for in the condition',
  'people/mailboxes sealed: may be null': 'asked for in the condition',
  'provisioning/batches error: may be null': 'the statement has failed rows alone',
  'provisioning/batches id: may be null': 'the statement has created rows alone',
  'provisioning/batches license_days: may be null': 'null in rows with an error alone, which are not open',
  "retention/suspended kind: may be 'developer'": 'asked for in the condition',
  "retention/suspended kind: may be 'guardian'": 'asked for in the condition',
  'secrets/sealedRows institution_id: is never null': 'null for one of the tables, whose rows are written before the account is known',
  'students/uniqueStudentIds external_id: may be null': 'the condition leaves out students without one',
  'support/found revoked_at: may be null': 'the condition leaves out keys that are not revoked',
  'support/search institution_id: is never null': ofEveryKind,
  'support/search institution_name: is never null': ofEveryKind,
  'support/search name: is never null': ofEveryKind,
  'support/search parent_id: is never null': ofEveryKind,
  'support/search state: is never null': ofEveryKind,
  'support/search time_zone: is never null': ofEveryKind,
  "webhooks/deliveries status: is never 'held'": ofBothTables,
  "webhooks/deliveries status: is never 'pending'": ofBothTables,
  "webhooks/deliveries status: is never 'retrying'": ofBothTables,
  'webhooks/endpointNotices admin_email_sealed: may be null': 'asked for in the condition',
  'webhooks/endpointNotices disabled_reason: may be null': 'written with the status that the condition asks for',
  'webhooks/fanOut set_config: read by nobody': 'has its effect by being computed',
  "webhooks/openDeliveries status: is never 'held'": ofBothTables,
  "webhooks/openDeliveries status: is never 'pending'": ofBothTables,
  "webhooks/openDeliveries status: is never 'retrying'": ofBothTables,
};

/** All filters of a list of deliveries that make another statement. */
const filters: readonly ListedFilter[] = (['open', 'pending', 'dead', 'delivered', undefined] as const).flatMap((status) =>
  [undefined, 'whatever'].map((text) => {
    const since = text === undefined ? undefined : new Date();
    return { institutionId: 'ins', status, endpointId: text, eventType: text, responseCode: text && '503', errorClass: text === undefined ? undefined : 'timeout', late: text !== undefined, since, until: since };
  }));

/** The statements of a function, by running it. */
async function recorded(run: (sql: Sql) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  await run(async (query) => {
    texts.push(typeof query === 'string' ? query : query.text);
    return [];
  });
  return texts;
}

const ofDeliveries = async (isEnd: boolean): Promise<string[]> => {
  const texts = await Promise.all(filters.map((filter) => recorded((sql) => readDeliveryPage(sql, filter, { at: new Date(), id: 'whd' }, 10))));
  return [...new Set(texts.flat())].filter((text) => text.startsWith('SELECT l.at, l.id') === isEnd);
};

/** The statements of an erasure; the scope runs none, and is asked for nothing else. */
const statementsOfErasure = (run: (scope: Pick<InstitutionScope, 'institutionId' | 'sql'>) => Promise<unknown>): Promise<string[]> => recorded((sql) => run({ institutionId: 'ins', sql }));

/** The statements of each kind that waits on the clock of a sandbox. */
const statementsOfWaiting = async (): Promise<string[]> => {
  const of = { afterId: '', since: new Date(), until: null, limit: 1 };
  return (await Promise.all(waitingKinds.map((kind) => statementsOfErasure((scope) => listWaiting(scope, kind, of))))).flat();
};

/** Statements that are known only when the program runs, by place: what they are then, or nothing where they are others' as well. */
export const unknownTexts: Record<string, () => Promise<string[]>> = {
  'support/deliveries readDeliveryPage': () => ofDeliveries(false),
  'support/deliveries summarizeDeliveries': async () => (await Promise.all(filters.map((filter) => recorded((sql) => summarizeDeliveries(sql, filter))))).flat(),
  'support/deliveries endOfScan': () => ofDeliveries(true),
  // Picks by the prefix of an id among the statements of `findInstitutionOf`.
  'support/owners findInstitutionOfAny': async () => [],
  'sandbox/clock listWaiting': statementsOfWaiting,
  'secrets/sealedCounts countSealedValues': () => recorded(countSealedValues),
  'secrets/sealedRows readSealedRows': () => recorded((sql) => Promise.all(sealedTables.map((table) => readSealedRows(sql, table, { after: null, newestPrefix: '', limit: 1 })))),
  'sandbox/erasure eraseRows': () => statementsOfErasure((scope) => Promise.all(erasedTables.map((table) => eraseRows(scope, table, 1)))),
  'sandbox/erasure hasRowsToErase': () => statementsOfErasure(hasRowsToErase),
  // Texts of `endingStatement`.
  'webhooks/attempts recordSuccesses': () => recorded((sql) => recordSuccesses(sql, [attemptOf(unsentDelivery, 'delivered')], 'req')),
  'webhooks/openDeliveries endOpenDeliveries': () => statementsOfErasure((scope) => endOpenDeliveries(scope, 'we', 'endpoint_deleted', 1, new Date())),
  'webhooks/retries endDelivery': () => recorded((sql) => endDelivery(sql, 'ins', 'whd', 1, 'cancelled', new Date())),
  'webhooks/sending releaseLapsedClaims': () => recorded(releaseLapsedClaims),
  'endWithoutAttempt endDeliveriesByMove': () =>
    recorded((sql) => Promise.all((['overdue', 'heldTooLong', 'giveUp', 'cancel'] as const).map((move) => moveDeliveries(sql, move, 'we', new Date())))),
  // What `readPage` reads, with one condition more.
  'page readAfter': async () => [],
  // These give on what their own callers say.
  'statement bindPreparedSql': async () => [],
  'database sql': async () => [],
  'replica readFrom': async () => [],
};
