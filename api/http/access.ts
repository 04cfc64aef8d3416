import type { SessionKind } from '../../db/entities/session';
import type { KeyEnvironment } from '../../db/entities/apiKey';
import type { InstitutionStatus } from '../../db/entities/institution';
import type { StaffRole } from '../../db/repositories/staff/staff';
import type { Scope } from '../../domain/scopes';

/** A portal user: the admin of an institution, or one of its developers. */
export type PortalRole = 'admin' | 'developer';

/** A session of a person, or one that ended within the last day. */
export type AppRole = SessionKind | 'signed_out';

/** A caller of the platform API: the platform's own token, a person of its staff, a portal user, a session, or an anonymous caller. */
export type PlatformRole = 'platform' | StaffRole | PortalRole | AppRole | 'public';

/**
 * Who may call an operation: an API key with one scope (null: any valid key) in the public API; portal users, sessions,
 * the platform's own token and operators (`staff`), support staff, too (`support`), or anybody (`public`) in the platform API. One
 * operation may serve both.
 */
export interface OperationAccess {
  key?: Scope | null;
  /** Scopes that a key needs, too: of what else the response has. */
  besides?: readonly Scope[];
  /** `test`: keys of sandboxes alone; for any other the operation does not exist. */
  environment?: 'test';
  /** Whether keys of a sandbox may call it while the sandbox is being reset. */
  duringReset?: true;
  /** Whether it may be called although the institution leaves and is read-only; so may every GET. */
  duringOffboarding?: true;
  portal?: readonly PortalRole[];
  app?: readonly AppRole[];
  staff?: true;
  support?: true;
  public?: true;
}

/** Resources whose institution is found by their id alone. */
export type OwnedKind = 'key' | 'license' | 'developer';

/**
 * The institution for which an operation of the platform API runs: `none`; a `new` one; that of the `session`, in any
 * state; the `caller`'s own; the caller's own, or none for the platform (`caller_or_none`); the one `named` by the request,
 * or the caller's own where it names none; or the one that owns the resource with an `id`.
 */
export type InstitutionSource<Input> =
  | 'none'
  | 'new'
  | 'session'
  | 'caller'
  | 'caller_or_none'
  | { readonly named: (input: Input) => string | undefined }
  | { readonly owns: OwnedKind; readonly id: (input: Input) => string };

/** How one API guards an operation: by a key and its scope, or by the caller's role. */
export type Access =
  | { by: 'key'; scope: Scope | null; besides: readonly Scope[]; environment?: 'test' | undefined; duringReset?: true | undefined; duringOffboarding?: true | undefined }
  | {
      by: 'platform';
      roles: readonly PlatformRole[];
      /** That of keys for the same operation: a developer may call it within their ceiling alone. */
      scope?: Scope | null | undefined;
      institution: InstitutionSource<unknown>;
      duringOffboarding?: true | undefined;
    };

/** An authenticated API key as `GET /me` describes it. */
export interface AuthenticatedKey {
  id: string;
  name: string;
  /** What it may do: its own scopes, within the ceiling. */
  scopes: readonly string[];
  /** The scopes that keys of the developer who created it may use at most; null without a ceiling. */
  scopeCeiling: readonly string[] | null;
  rateLimitPerMin: number;
  environment: KeyEnvironment;
  /** Whether the sandbox of a test key is being reset. */
  isSandboxResetting: boolean;
  /** Of an institution that leaves: until then it is read-only. */
  readOnlyUntil: Date | null;
  institution: { id: string; name: string };
  /** How far the clock of the institution is ahead, in ms: 0 unless it is a sandbox. */
  clockOffsetMs: number;
}

/** An authenticated caller of the platform API. */
export interface PlatformCaller {
  role: PlatformRole;
  /** The id of the portal user or of the session's person; `platform` or `public` where there is none. Of staff, the person's. */
  actorId: string;
  /** The institution the caller belongs to; null for the platform and for public operations. */
  institution: { id: string; status: InstitutionStatus; clockOffsetMs: number; readOnlyUntil: Date | null } | null;
  /** The id of the session that the call carries, if it carries one. */
  sessionId: string | null;
}

type KeyAccess = Pick<Required<OperationAccess>, 'key'>;
type PlatformKind = Exclude<keyof OperationAccess, 'key' | 'besides' | 'environment' | 'duringReset' | 'duringOffboarding'>;
type PlatformAccess = { [Kind in PlatformKind]: Pick<Required<OperationAccess>, Kind> }[PlatformKind];

/** The type of a handler's caller, by the access of its operation. */
export type PrincipalOf<Given extends OperationAccess> = (Given extends KeyAccess ? AuthenticatedKey : never) | (Given extends PlatformAccess ? PlatformCaller : never);

/** The roles of the platform API that an operation is open to. */
export function rolesOf({ portal = [], app = [], staff, support, public: anybody }: OperationAccess): PlatformRole[] {
  const people = [...(staff ? (['platform', 'operator'] as const) : []), ...(support ? (['support'] as const) : [])];
  return [...portal, ...app, ...people, ...(anybody ? (['public'] as const) : [])];
}
