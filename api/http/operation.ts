import Joi from 'joi';
import type { InstitutionScope } from '../../db/database';
import type { SchemaType } from '../../lib/schemaType';
import type { Caller, Domain, Transaction } from '../../domain/context';
import type { DomainError, ErrorCode } from '../../domain/errors';
import type { OnceResult } from '../../domain/idempotency/transactOnce';
import type { Scope } from '../../domain/scopes';
import type { SpooledFile } from '../../domain/files/fileStore';
import { bindCursor } from './request/bindCursor';
import type { Discloses } from './discloses';
import type { OperationExample } from './operationExample';
import { rolesOf, type Access, type AuthenticatedKey, type InstitutionSource, type OperationAccess, type PlatformCaller, type PlatformRole, type PrincipalOf } from './access';
import { StreamedFile } from './response/streamedFile';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler gets in addition to its input. `reads` reads one institution's rows outside any transaction. */
export interface HandlerContext<Principal> {
  caller: Caller;
  /** The key of a call of the public API, or the caller of the platform API. */
  principal: Principal;
  domain: Domain;
  reads: InstitutionScope;
}

/** The validated input of a request. */
export interface RequestInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

type AnyInput = RequestInput<unknown, unknown, unknown>;

/** Text parts next to a file, by their names; each must be given once, with one of its values. */
export type UploadFields = Readonly<Record<string, { oneOf: readonly string[]; description: string }>>;

/** The values of such parts. */
export type UploadFieldValues<Fields extends UploadFields> = { [Name in keyof Fields]: Fields[Name]['oneOf'][number] };

/** A request of multipart/form-data, with the file in the part `file`, in place of a JSON body. */
export interface UploadRequest<Fields extends UploadFields = UploadFields> {
  /** What the file is, for the documents. */
  description: string;
  fields?: Fields;
}

/** The upload of a request; it is not read until the handler calls `receive`. */
export interface Upload<Fields extends UploadFields = UploadFields> {
  /**
   * Streams the file to a temporary one, which is removed after the handler has ended. `validation_error` unless there is
   * exactly one complete part `file` and the text parts are valid; `file_too_large` beyond the limit.
   */
  receive(): Promise<SpooledFile & { fields: UploadFieldValues<Fields> }>;
}

/** A response that is a file, made while it is sent. */
export interface FileResponse {
  /** Of the text, without its charset, which is UTF-8. */
  contentType: string;
  /** What the file is, for the documents. */
  description: string;
  example: string;
}

/** The file that a handler returns; no connection is held between two pieces, because clients may be slow. */
export interface FileContents {
  filename: string;
  /** Errors before the first piece get the usual error response; later ones close the connection. */
  pieces: AsyncIterable<string>;
}

/** Whether an operation returns a file. */
export const isFileResponse = (response: Joi.Schema | FileResponse): response is FileResponse => !Joi.isSchema(response);

/** The arguments of an operation's handler, by its request, access and transaction. */
type HandlerInput<Params, Query, Body, Multipart, Given extends OperationAccess, Mode> = RequestInput<Params, Query, Body> &
  HandlerContext<PrincipalOf<Given>> &
  (Mode extends 'write' ? { tx: Transaction } : unknown) &
  (Mode extends 'own' | 'staged' ? { commit: CommitOnce } : unknown) &
  (Multipart extends UploadRequest ? { upload: Upload<Multipart extends { fields: infer Fields extends UploadFields } ? Fields : UploadFields> } : unknown);

/** Runs a transaction at most once for the call's idempotency key; `replayed` says that an earlier call did. Its time is `now`, or that of the caller. */
export type CommitOnce = <Result>(work: (tx: Transaction) => Promise<Result>, now?: Date) => Promise<OnceResult<Result>>;

/**
 * `write`: a transaction that begins after the body has been read and ends before the response is sent. `own`: the handler
 * opens it by `commit`, once, and its result is what the call answers. `staged`: the first of several is opened by `commit`,
 * and a repeat of the call continues from its result. `none`: nothing is written, or not by a call that may be repeated.
 */
export type TransactionMode = 'write' | 'own' | 'staged' | 'none';

type ResponseData<Response> = Response extends FileResponse ? FileContents : SchemaType<Response>;

/** The properties of an operation in either API. */
interface Described {
  method: Method;
  /** Relative to the version segment, parameters as `:id`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** The codes that this operation's own rules raise; those of every operation are added. */
  errors: readonly ErrorCode[];
  /** What it answers with a code, for the documents, where the fields of the error say more than the meaning of the code; at most one a code. */
  errorExamples?: readonly DomainError[];
  transaction: TransactionMode;
  /** `replica`: the reads of a call that writes nothing may come from the replica, which has what was committed before them. Never for keys, sessions, staff or what a rule looks at. */
  reads?: 'replica';
  /** Whose data a response contains; every read of a person's data says so. Nobody's if absent. */
  discloses?: Discloses;
}

/** The path of a public operation in the portal, below its institution, and how to get the handler's path parameters from it. */
export interface PortalView<Params, PortalParams> extends Partial<Pick<Described, 'operationId' | 'summary' | 'description'>> {
  path: string;
  params: Joi.ObjectSchema<PortalParams>;
  institution: (params: PortalParams) => string;
  toParams: (params: PortalParams) => Params;
}

/** `none`: its calls are not recorded; `created`: the field of the transaction's result with the id of the created resource; `person`: that with the id of the person whom it concerns, where neither the path nor `created` names them; `unless`: a call with this field of its body true does nothing, and is not recorded. */
export type OperationAudit = 'none' | { readonly created?: string; readonly person?: string; readonly unless?: string };

interface OperationDefinition<Params, Query, Body, Multipart, Response, Given, Mode, PortalParams> extends Described {
  access: Given;
  /** For operations of the platform API only. */
  institution?: InstitutionSource<RequestInput<NoInfer<Params>, NoInfer<Query>, NoInfer<Body>>>;
  /** For operations of the public API that portal users can call, too. */
  portal?: PortalView<NoInfer<Params>, PortalParams>;
  request?: { params?: Joi.ObjectSchema<Params>; query?: Joi.ObjectSchema<Query>; body?: Joi.ObjectSchema<Body>; upload?: Multipart };
  /** The schema of `data` in the response, or the file that is sent instead of JSON. */
  response: Response;
  /** What its example says other than those of its schemas. */
  example?: OperationExample<NoInfer<Body>, ResponseData<NoInfer<Response>>>;
  transaction: Mode & Described['transaction'];
  /** What the audit log records of its calls in addition to path and field names. GET is never recorded. */
  audit?: OperationAudit;
}

/** One operation of one API, as router, documents and tests read it. */
export interface OperationRecord<Principal> extends Described {
  readonly access: Access;
  readonly request: { params?: Joi.ObjectSchema; query?: Joi.ObjectSchema; body?: Joi.ObjectSchema; upload?: UploadRequest };
  readonly response: Joi.Schema | FileResponse;
  readonly example?: OperationExample<unknown, unknown>;
  readonly audit: OperationAudit;
  /** Runs the handler on validated input, in a transaction if the record requires one. */
  readonly run: (input: AnyInput, context: HandlerContext<Principal>, deps: RunDeps) => Promise<unknown>;
}

/** What some handlers get from the dispatcher. */
export interface RunDeps {
  commit: CommitOnce;
  /** For operations with an upload. */
  upload: Upload | undefined;
}

/** One operation: its record in the public API, in the platform API, or in both; `apps` is the platform's where the apps' listener has it, too. */
export class Operation {
  readonly public: OperationRecord<AuthenticatedKey> | undefined;
  readonly platform: OperationRecord<PlatformCaller> | undefined;
  readonly apps: OperationRecord<PlatformCaller> | undefined;

  constructor(records: Pick<Operation, 'public' | 'platform' | 'apps'>) {
    this.public = records.public;
    this.platform = records.platform;
    this.apps = records.apps;
  }
}

/**
 * Returns a value with the type of the schema against which it has been validated, or of the authenticated access: the only
 * type assertion of operations.
 */
const validated = <Value>(value: unknown): Value => value as Value;

/** The source of an institution, with the untyped input of the dispatcher. */
function untyped<Input>(source: InstitutionSource<Input>): InstitutionSource<unknown> {
  if (typeof source === 'string') return source;
  if ('named' in source) return { named: (input) => source.named(validated(input)) };
  return { owns: source.owns, id: (input) => source.id(validated(input)) };
}

/** What both records of an operation have in common. */
type SharedRecord = Omit<OperationRecord<unknown>, 'access'>;

/** Whom a record of the platform API is open to. */
interface PlatformGuard {
  roles: readonly PlatformRole[];
  scope: Scope | null | undefined;
  duringOffboarding: true | undefined;
}

function platformRecord<Input>(shared: SharedRecord, guard: PlatformGuard, institution: InstitutionSource<Input> | undefined): OperationRecord<PlatformCaller> | undefined {
  return institution === undefined ? undefined : { ...shared, access: { by: 'platform', ...guard, institution: untyped(institution) } };
}

/** Returns the portal's record of a public operation: below its institution's path, otherwise the same. */
function portalRecord<Params, PortalParams>(shared: SharedRecord, guard: PlatformGuard, portal: PortalView<Params, PortalParams>): OperationRecord<PlatformCaller> {
  const { params, toParams, institution, ...view } = portal;
  const named = (input: RequestInput<PortalParams, unknown, unknown>): string => institution(input.params);
  return {
    ...shared,
    ...view,
    access: { by: 'platform', ...guard, institution: untyped({ named }) },
    errors: [...new Set([...shared.errors, 'not_found', 'institution_not_approved'] as const)],
    request: { ...shared.request, params },
    run: (input, context, deps) => shared.run({ ...input, params: toParams(validated(input.params)) }, context, deps),
  };
}

/**
 * Returns one operation: method, path, access, schemas, errors and handler in one value. The types of its input follow from
 * the schemas of `request` and from `access`, the type of its result from `response`.
 */
export function operation<
  const Given extends OperationAccess,
  Mode extends TransactionMode,
  Response extends Joi.Schema | FileResponse,
  Params = Record<string, never>,
  Query = Record<string, never>,
  Body = Record<string, never>,
  Multipart extends UploadRequest | undefined = undefined,
  PortalParams = never,
>(
  definition: OperationDefinition<Params, Query, Body, Multipart, Response, Given, Mode, PortalParams> & {
    handle: (input: HandlerInput<Params, Query, Body, Multipart, Given, Mode>) => Promise<ResponseData<Response>>;
  },
): Operation {
  const { access, institution, portal, request = {}, handle, audit = {}, ...described } = definition;
  const { upload: uploadRequest, ...schemas } = request;
  const { response } = described;
  const handled = async (input: unknown): Promise<unknown> => {
    const result = await handle(validated(input));
    if (!isFileResponse(response)) return result;
    const { filename, pieces } = validated<FileContents>(result);
    return new StreamedFile(response.contentType, filename, pieces);
  };
  const shared = {
    ...described,
    request: { ...schemas, ...(uploadRequest === undefined ? {} : { upload: uploadRequest }) },
    audit: described.method === 'GET' ? ('none' as const) : audit,
    run: async (input: AnyInput, context: HandlerContext<unknown>, { commit, upload }: RunDeps): Promise<unknown> => {
      const given = { ...context, ...bindCursor(described.operationId, input, context), ...(uploadRequest === undefined ? {} : { upload }) };
      if (described.transaction === 'write') return (await commit((tx) => handled({ ...given, tx }))).result;
      return handled({ ...given, commit });
    },
  };
  const roles = rolesOf(access);
  const { key: scope, besides = [], environment, duringReset, duringOffboarding } = access;
  const inPublic = scope === undefined ? undefined : { ...shared, access: { by: 'key' as const, scope, besides, environment, duringReset, duringOffboarding } };
  const guard = { roles, scope, duringOffboarding };
  const inPlatform = portal === undefined ? platformRecord(shared, guard, institution) : portalRecord(shared, guard, portal);
  if ((roles.length > 0) !== (inPlatform !== undefined)) throw new Error(`${described.operationId} must say both its callers and its institution in the platform API`);
  const isOfApps = access.app !== undefined || access.public === true;
  return new Operation({ public: inPublic, platform: inPlatform, apps: isOfApps ? inPlatform : undefined });
}
