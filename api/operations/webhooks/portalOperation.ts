import type Joi from 'joi';
import type { OperationRecord, PlatformCaller } from '../../http/operation';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { developerRoles } from '../../http/security/roles';

/** What operations of the public API are about, and how the portal names it. */
export interface PortalMapping {
  /** The public path of all of them, and the portal's under the institution. */
  publicPath: string;
  portalPath: string;
  /** The path parameter that names one of them; `:id` is the institution. */
  parameter: string;
  /** Both parameters. */
  params: Joi.ObjectSchema;
}

/** An operation of the public API as the portal has it: under its institution's path, otherwise the very same. */
export function portalOperation(record: OperationRecord<unknown>, { publicPath, portalPath, parameter, params }: PortalMapping): OperationRecord<PlatformCaller> {
  return {
    ...record,
    path: `/institutions/:id${record.path.replace(publicPath, portalPath).replace(':id', `:${parameter}`)}`,
    access: { by: 'platform', roles: developerRoles, institution: 'path' },
    errors: [...new Set([...record.errors, 'not_found', 'institution_not_approved'] as const)],
    request: { ...record.request, params: record.request.params === undefined ? institutionParams : params },
    run: (input, context, deps) => {
      const id: unknown = Reflect.get(Object(input.params), parameter);
      return record.run({ ...input, params: { id } }, context, deps);
    },
  };
}
