import type Joi from 'joi';
import type { InstitutionScope } from '../../../db/database';
import { listDisclosures, type DisclosureRow } from '../../../db/repositories/disclosures/disclosures';
import { findFaculty } from '../../../db/repositories/faculty/faculty';
import { examples } from '../../../domain/exampleSchool';
import { requireFound } from '../../../domain/errors';
import { requireStudent } from '../../../domain/students/requireStudent';
import type { Scope } from '../../../domain/scopes';
import { operation, type Operation } from '../../http/operation';
import { listOf, personParams, presentPage, type IdParams } from '../../http/request/fields';
import { facultyParams } from '../faculty/faculty.schemas';
import { disclosureQuery, disclosureSchema, type DisclosureResponse } from './disclosures.schemas';

const presentDisclosure = ({ actor_kind: kind, actor_id: id, actor_name: name, at, ...read }: DisclosureRow): DisclosureResponse => ({ ...read, at: at.toISOString(), actor: { kind, id, name } });

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
    description:
      'Reads by API keys, by guardians, and by the platform, its staff, the admin and developers in the portal, which were answered; never what was read. Kept for a year, by the month. ' +
      'A read is on record within a second; one of the last second may be missing after a crash. What a person reads of their own is not recorded, nor is what a write returns, which the audit log has.',
    request: { params, query: disclosureQuery },
    response: listOf(disclosureSchema),
    example: { response: { items: [example] } },
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params: { id }, query, reads }) => {
      const found = await find(reads, id);
      return presentPage(await listDisclosures(reads, query.about === 'many' ? null : found.id, query, query), query, presentDisclosure);
    },
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
];
