import { isFileResponse, type OperationRecord } from '../../api/http/operation';
import { describeSchema, type JoiDescription } from '../../api/http/openapi/joiDescription';
import { allOperations } from '../../api/operations/all';

type AnyRecord = OperationRecord<never>;

const records: readonly AnyRecord[] = [...allOperations].flatMap(({ public: ofKeys, platform }): AnyRecord[] => [...(ofKeys === undefined ? [] : [ofKeys]), ...(platform === undefined ? [] : [platform])]);
const named = (chosen: readonly AnyRecord[]) => chosen.map((record) => [`${record.access.by} ${record.operationId}`, record] as const);
const reads = records.filter(({ method }) => method === 'GET');

/** Every field that a schema has, as paths with dots; a field of the items of a list has the path of the list. */
function fieldPaths(described: JoiDescription, at: readonly string[] = []): string[][] {
  const branches = (described.matches ?? []).flatMap(({ schema, then, otherwise }) => [schema, then, otherwise].filter((one) => one !== undefined));
  return [
    ...Object.entries(described.keys ?? {}).flatMap(([name, field]) => [[...at, name], ...fieldPaths(field, [...at, name])]),
    ...[...(described.items ?? []), ...branches].flatMap((inner) => fieldPaths(inner, at)),
  ];
}

const fieldsOf = ({ response }: AnyRecord): string[][] => (isFileResponse(response) ? [] : fieldPaths(describeSchema(response)));

/** The fields that name a person. */
const personFields: ReadonlySet<string> = new Set(['full_name', 'login_email', 'email', 'student_email', 'guardian_email', 'student_id', 'user_id', 'redeemed_by', 'text', 'payload', 'data']);

/** Reads whose fields of these names disclose nobody's data, and why. */
const disclosesNobody: Readonly<Record<string, string>> = {
  getInstitution: 'the login email of the admin, by which the institution is reached',
  listInstitutions: 'the same',
  getInstitutionSettings: 'the same',
  getStudentErasure: 'ids, times and counts, of a person who is erased',
  getFacultyErasure: 'the same',
  getGuardianErasure: 'the same',
  listStaff: 'the staff of the platform, who belong to no institution',
  getStaff: 'the same',
  getOwnStaffMember: 'the same',
};

it.each(named(reads))('a read says whose data it responds with: %s', (_name, { discloses }) => {
  expect(discloses).toBeDefined();
});

it.each(named(records.filter(({ method }) => method !== 'GET')))('what a write returns is in the audit log, and is no disclosure: %s', (_name, { discloses }) => {
  expect(discloses).toBeUndefined();
});

it.each(named(reads.filter(({ response }) => isFileResponse(response))))('a file is of many people, unless nobody is in it: %s', (_name, { discloses, operationId }) => {
  expect(discloses).toBe(operationId === 'exportAuditLog' ? 'nobody' : 'many');
});

it.each(named(reads.filter((record) => fieldsOf(record).some((path) => personFields.has(path.at(-1) ?? '')))))('a read whose response names people discloses their data: %s', (_name, { discloses, operationId }) => {
  if (Object.hasOwn(disclosesNobody, operationId)) expect(discloses).toBe('nobody');
  else expect(discloses).not.toBe('nobody');
});

it.each(named(reads.filter(({ discloses }) => discloses === 'caller')))('a read of the own data is one of sessions alone: %s', (_name, { access }) => {
  expect(access.by === 'platform' && access.roles.every((role) => ['student', 'faculty', 'guardian'].includes(role))).toBe(true);
});

it.each(named(reads))('what names the person is a parameter of the call, or a field of the response: %s', (_name, record) => {
  const { discloses, request } = record;
  if (typeof discloses !== 'object') return;
  if ('parameter' in discloses) {
    const parameters = [request.params, request.query].flatMap((schema) => (schema === undefined ? [] : Object.keys(describeSchema(schema).keys ?? {})));
    expect(parameters).toContain(discloses.parameter);
    return;
  }
  const known = fieldsOf(record).map((path) => path.join('.'));
  // The data of an event depends on its type.
  const fields = 'everything' in discloses ? [discloses.everything, discloses.institution] : [...discloses.fields, discloses.recordings, discloses.institution];
  const declared = fields.filter((field) => field !== undefined);
  for (const field of declared.filter((one) => !one.startsWith('payload.data.'))) expect(known).toContain(field.replaceAll(/\.\d+\b/g, ''));
});
