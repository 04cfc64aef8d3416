import type { PortalView } from '../../http/operation';
import type { IdParams } from '../../http/request/fields';
import { institutionParams } from './institutions.staff.schemas';

type ViewOfInstitution = Pick<PortalView<never, never>, 'operationId' | 'summary' | 'description'>;

/** Returns the portal's path of a public operation without path parameters: below the institution's path. */
export const inPortal = (subpath: string, view: ViewOfInstitution = {}): PortalView<Record<string, never>, IdParams> => ({
  ...view,
  path: `/institutions/:id${subpath}`,
  params: institutionParams,
  institution: ({ id }) => id,
  toParams: () => ({}),
});
