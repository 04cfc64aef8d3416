import { countPeople } from '../../../db/repositories/institutions/profile';
import { examples } from '../../../domain/exampleSchool';
import { replaceConfig } from '../../../domain/institutions/replaceConfig';
import { requireConfig, requireInstitution } from '../../../domain/institutions/requireInstitution';
import { licenseCountsAt } from '../../../domain/licenses/countLicenses';
import { studentIdsShared } from '../../../domain/students/uniqueStudentIds';
import { operation } from '../../http/operation';
import { presentConfig, presentInstitution } from './institutions.presenter';
import { configReplacementSchema, configSchema, institutionSchema } from './institutions.schemas';

const tag = 'Institution';

export const institution = [
  operation({
    method: 'GET',
    path: '/institution',
    operationId: 'getInstitution',
    tag,
    access: { key: 'institution:read' },
    summary: "Get the key's institution: its profile, and counts of people and licenses.",
    response: institutionSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ reads, caller }) => {
      const [profile, people, licenses] = await Promise.all([requireInstitution(reads), countPeople(reads), licenseCountsAt(reads, caller.now)]);
      return presentInstitution(profile, people, licenses);
    },
  }),
  operation({
    method: 'GET',
    path: '/institution/config',
    operationId: 'getInstitutionConfig',
    tag,
    access: { key: 'institution:read' },
    summary: 'Get the integration config.',
    response: configSchema,
    errors: [],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ reads }) => presentConfig(await requireConfig(reads)),
  }),
  operation({
    method: 'PUT',
    path: '/institution/config',
    operationId: 'replaceInstitutionConfig',
    tag,
    access: { key: 'institution:write' },
    summary: 'Replace the integration config; a field left out takes its default.',
    description: 'Fields left out of `default_ai_policy` and `default_proctoring` take their defaults too.',
    request: { body: configReplacementSchema },
    response: configSchema,
    errors: ['conflict'],
    errorExamples: [studentIdsShared([examples.student.student_id, examples.classmate.student_id])],
    transaction: 'write',
    handle: async ({ body, tx }) => presentConfig(await replaceConfig(tx, body)),
  }),
];
