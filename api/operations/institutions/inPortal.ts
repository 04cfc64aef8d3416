import type { PortalView } from '../../http/operation';
import type { IdParams } from '../../http/request/fields';
import { institutionParams } from './institutions.staff.schemas';

type ViewOfInstitution = Pick<PortalView<never, never>, 'operationId' | 'summary' | 'description'>;

/** Where the portal has an operation of the public API whose path has no parameter: under the institution of its path. */
export const inPortal = (subpath: string, view: ViewOfInstitution = {}): PortalView<Record<string, never>, IdParams> => ({
  ...view,
  path: `/institutions/:id${subpath}`,
  params: institutionParams,
  institution: ({ id }) => id,
  toParams: () => ({}),
});
