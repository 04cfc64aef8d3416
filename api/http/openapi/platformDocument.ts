import type { Access, PlatformCaller, PlatformRole } from '../access';
import type { OperationRecord } from '../operation';
import type { Parameter } from './describeOperation';
import { openApiDocument, type OpenApiDocument } from './document';

const description = `What the web portal, the apps and the guardian portal call. Meant for the operator's own network.

- The platform admin sends \`Authorization: Bearer <platform token>\`; with \`X-Actor: <faculty or developer id>\` the call acts as that portal user.
- The platform's staff send their personal token, \`Authorization: Bearer svc_staff_…\`; \`operator\` and \`support\` say which operations.
- Apps and guardians send the session that sign-in gave them, \`Authorization: Bearer ses_…\`.`;

const appsDescription = `What the apps, guardians and people who sign in call: the operations of the platform API that take a session or no token. Meant for the Internet, behind TLS.

- Apps and guardians send the session that sign-in gave them, \`Authorization: Bearer ses_…\`.
- All paths are those of the platform API.`;

type Scheme = 'platformToken' | 'staffToken' | 'session';

const schemesOf: Record<PlatformRole, readonly Scheme[]> = {
  platform: ['platformToken'],
  operator: ['staffToken'],
  support: ['staffToken'],
  admin: ['platformToken'],
  developer: ['platformToken', 'session'],
  student: ['session'],
  faculty: ['session'],
  guardian: ['session'],
  signed_out: ['session'],
  public: [],
};

const actorHeader: Parameter = {
  name: 'X-Actor',
  in: 'header',
  required: false,
  description: 'Sent with the platform token: the id of the faculty member or developer on whose behalf the call is made.',
  schema: { type: 'string' },
  example: 'fac_01jd4k6f2mep2s5xg5yhc8m1zr',
};

function securityOf(roles: readonly PlatformRole[]): Partial<Record<Scheme, []>>[] {
  if (roles.includes('public')) return [];
  return [...new Set(roles.flatMap((role) => schemesOf[role]))].map((scheme) => ({ [scheme]: [] }));
}

/** Who may call the operations of a tag. */
function describeTag(accesses: readonly Access[]): string {
  const roles = new Set(accesses.flatMap((access) => (access.by === 'platform' ? access.roles : [])));
  return `Called by: ${[...roles].join(', ')}.`;
}

const session = { type: 'http', scheme: 'bearer', bearerFormat: 'ses_…', description: 'A session of an app, a portal or a guardian.' } as const;

/** The document of the apps' listener, with the roles of each operation as `x-roles`. */
export function appsDocument(records: readonly OperationRecord<PlatformCaller>[], baseUrl: string): OpenApiDocument {
  return openApiDocument({
    title: 'Apps API',
    description: appsDescription,
    serverUrl: baseUrl,
    records,
    securitySchemes: { session },
    describeTag,
    describeAccess: ({ access }) => {
      if (access.by !== 'platform') return { fields: {} };
      const isPublic = access.roles.includes('public');
      return { fields: { security: isPublic ? [] : [{ session: [] }], 'x-roles': [...access.roles] } };
    },
  });
}

/** The document of the platform API, with the roles of each operation as `x-roles`. */
export function platformDocument(records: readonly OperationRecord<PlatformCaller>[], baseUrl: string): OpenApiDocument {
  return openApiDocument({
    title: 'Platform API',
    description,
    serverUrl: baseUrl,
    records,
    securitySchemes: {
      platformToken: { type: 'http', scheme: 'bearer', description: 'The platform token; with X-Actor it acts as a portal user.' },
      staffToken: { type: 'http', scheme: 'bearer', bearerFormat: 'svc_staff_…', description: "The personal token of a person of the platform's staff." },
      session,
    },
    describeTag,
    describeAccess: ({ access }) => {
      if (access.by !== 'platform') return { fields: {} };
      const { roles } = access;
      const actsForUsers = roles.includes('admin') || roles.includes('developer');
      return { fields: { security: securityOf(roles), 'x-roles': [...roles] }, headers: actsForUsers ? [actorHeader] : [] };
    },
  });
}
