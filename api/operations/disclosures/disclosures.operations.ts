import type Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import type { InstitutionScope } from '../../../db/database';
import { listDisclosures, type DisclosureRow } from '../../../db/repositories/disclosures/disclosures';
import { findFaculty } from '../../../db/repositories/faculty/faculty';
import { findFoundPerson } from '../../../db/repositories/support/found';
import { examples } from '../../../domain/exampleSchool';
import { requireFound } from '../../../domain/errors';
import { requireStudent } from '../../../domain/students/requireStudent';
import { readTarget } from '../../../domain/support/typedTarget';
import type { Scope } from '../../../domain/scopes';
import { operation, type Operation } from '../../http/operation';
import { listOf, personParams, presentPage, type IdParams } from '../../http/request/fields';
import { facultyParams } from '../faculty/faculty.schemas';
import { disclosureQuery, disclosureSchema, personOfInstitutionParams, type DisclosureResponse } from './disclosures.schemas';

const presentDisclosure = ({ actor_kind: kind, actor_id: id, actor_name: name, at, ...read }: DisclosureRow): DisclosureResponse => ({ ...read, at: at.toISOString(), actor: { kind, id, name } });

const description =
  'Reads by API keys, by guardians, and by the platform, its staff, the admin and developers in the portal, which were answered; never what was read. Kept for a year, by the month. ' +
  'A read is on record within a second; one of the last second may be missing after a crash. What a person reads of their own is not recorded, nor is what a write returns, which the audit log has.';

const listOfPerson = async (reads: InstitutionScope, id: string, query: SchemaType<typeof disclosureQuery>) =>
  presentPage(await listDisclosures(reads, query.about === 'many' ? null : id, query, query), query, presentDisclosure);

/** Returns the id of a person of any kind, who is named by id or login email; `not_found`. */
async function requirePersonId(reads: InstitutionScope, idOrEmail: string): Promise<string> {
  const { names: [id = idOrEmail] } = await readTarget(reads, idOrEmail);
  requireFound(await findFoundPerson(reads, id), 'person', { hint: 'It is named by id (stu_…, fac_…, usr_… or dev_…) or login email.' });
  return id;
}

/** The disclosures of one kind of person. */
interface DisclosuresOf {
  path: string;
  operationId: string;
  tag: string;
  scope: Scope;
  person: string;
  params: Joi.ObjectSchema<IdParams>;
  /** A read of the example person. */
  example: { operation: string; query: { id: string } };
  find: (reads: InstitutionScope, idOrEmail: string) => Promise<{ id: string }>;
}

const disclosuresOf = ({ path, operationId, tag, scope, person, params, example, find }: DisclosuresOf): Operation =>
  operation({
    method: 'GET',
    path,
    operationId,
    tag,
    access: { key: scope },
    summary: `List who has read the data of a ${person}, newest first.`,
    description,
    request: { params, query: disclosureQuery },
    response: listOf(disclosureSchema),
    example: { response: { items: [example] } },
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params: { id }, query, reads }) => listOfPerson(reads, (await find(reads, id)).id, query),
  });

export const disclosures = [
  disclosuresOf({
    path: '/students/:id/disclosures',
    operationId: 'listStudentDisclosures',
    tag: 'Students',
    scope: 'students:read',
    person: 'student',
    params: personParams,
    example: { operation: 'getStudent', query: { id: examples.student.id } },
    find: requireStudent,
  }),
  disclosuresOf({
    path: '/faculty/:id/disclosures',
    operationId: 'listFacultyDisclosures',
    tag: 'Faculty',
    scope: 'faculty:read',
    person: 'faculty member',
    params: facultyParams,
    example: { operation: 'getFaculty', query: { id: examples.teacher.id } },
    find: async (reads, id) => requireFound(await findFaculty(reads, id), 'faculty member'),
  }),
  operation({
    method: 'GET',
    path: '/institutions/:id/people/:person_id/disclosures',
    operationId: 'listPersonDisclosures',
    tag: 'Audit log',
    access: { staff: true },
    institution: { named: ({ params }) => params.id },
    summary: 'List who has read the data of a person of an institution, newest first.',
    description: `Of a student or a faculty member it is the list that the institution has with its own key. ${description}`,
    request: { params: personOfInstitutionParams, query: disclosureQuery },
    response: listOf(disclosureSchema),
    example: { response: { items: [{ operation: 'getStudent', query: { id: examples.student.id } }] } },
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, query, reads }) => listOfPerson(reads, await requirePersonId(reads, params.person_id), query),
  }),
];
