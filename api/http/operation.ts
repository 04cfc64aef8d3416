import Joi from 'joi';
import type { InstitutionScope } from '../../db/database';
import type { InstitutionStatus } from '../../db/entities/institution';
import type { Caller, Domain, Transaction } from '../../domain/context';
import type { SpooledFile } from '../../domain/files/fileStore';
import type { ErrorCode } from '../../domain/errors';
import type { Scope } from '../../domain/scopes';
import { StreamedFile } from './response/streamedFile';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who calls the platform API: the platform itself; an institution's admin or developer in the portal; the session of
 * a student, a faculty member or a guardian; whoever was signed out within the last day; anybody.
 */
export type PlatformRole = 'platform' | 'admin' | 'developer' | 'student' | 'faculty' | 'guardian' | 'signed_out' | 'public';

/**
 * Which institution a platform operation concerns: `none` in particular, a `new` one, the one that the `path` (`:id`) or
 * the `query` (`institution_id`) names, the one whose `key`, `license` or `developer` the path names, the one of the `session` whatever its state,
 * the `caller`'s own, or the caller's own where
 * they have one and none for the platform.
 */
export type InstitutionSource = 'none' | 'new' | 'path' | 'query' | 'key' | 'license' | 'developer' | 'session' | 'caller' | 'caller_or_none';

/** How an operation is guarded: by a key and one scope (null: any valid key), or by platform roles. */
export type Access =
  | { by: 'key'; scope: Scope | null }
  | { by: 'platform'; roles: readonly PlatformRole[]; institution: InstitutionSource };

/** An authenticated API key as `GET /me` describes it. */
export interface KeyDescription {
  id: string;
  name: string;
  scopes: readonly string[];
  rateLimitPerMin: number;
  institution: { id: string; name: string };
}

/** What a handler is given besides its own input. `reads` is one institution's view outside any transaction. */
export interface HandlerContext<Principal> {
  caller: Caller;
  /** The key of a public call, or the platform caller. */
  principal: Principal;
  domain: Domain;
  reads: InstitutionScope;
}

export interface RequestInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
}

/** Text parts beside a file, by their names; each must be given once, with one of its values. */
export type UploadFields = Readonly<Record<string, { oneOf: readonly string[]; description: string }>>;

/** What such parts said. */
export type UploadFieldValues<Fields extends UploadFields> = { [Name in keyof Fields]: Fields[Name]['oneOf'][number] };

/** What an operation takes instead of a JSON body: multipart/form-data with the file in the part `file`. */
export interface UploadRequest<Fields extends UploadFields = UploadFields> {
  /** What the file is, for the documents. */
  description: string;
  fields?: Fields;
}

/** The upload of a request, which is read only once its handler asks for it. */
export interface Upload<Fields extends UploadFields = UploadFields> {
  /**
   * Streams the file to a temporary one, which is removed when the handler is done. `validation_error` where there is not
   * exactly one whole part `file`, or a text part is not as asked for; `file_too_large` beyond the limit.
   */
  receive(): Promise<SpooledFile & { fields: UploadFieldValues<Fields> }>;
}

/** What an operation answers instead of JSON: a file, made while it is sent. */
export interface FileResponse {
  /** Of the text, without its charset, which is UTF-8. */
  contentType: string;
  /** What the file is, for the documents. */
  description: string;
  example: string;
}

/** Whether an operation answers a file. */
export const isFileResponse = (response: Joi.Schema | FileResponse): response is FileResponse => !Joi.isSchema(response);

interface RequestSchemas<Params, Query, Body> {
  params?: Joi.ObjectSchema<Params>;
  query?: Joi.ObjectSchema<Query>;
  body?: Joi.ObjectSchema<Body>;
}

interface OperationDescription<Params, Query, Body> {
  method: Method;
  /** Relative to the version segment, parameters as `:id`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  request?: RequestSchemas<Params, Query, Body>;
  /** The schema of `data` in the answer, or the file that is answered instead of JSON. */
  response: Joi.Schema | FileResponse;
  /** The codes that this operation's own rules raise; those of every operation are added. */
  errors: readonly ErrorCode[];
}

type OperationHandler<Params, Query, Body, Principal> =
  | {
      /** A transaction that begins after the body has been read and ends before the answer is sent. */
      transaction: 'write';
      handle: (input: RequestInput<Params, Query, Body> & HandlerContext<Principal> & { tx: Transaction }) => Promise<unknown>;
    }
  | {
      transaction: 'none';
      handle: (input: RequestInput<Params, Query, Body> & HandlerContext<Principal>) => Promise<unknown>;
    };

/** One operation as router, documents and tests read it. */
export interface OperationRecord<Principal> extends Omit<OperationDescription<never, never, never>, 'request'> {
  readonly access: Access;
  readonly request: { params?: Joi.ObjectSchema; query?: Joi.ObjectSchema; body?: Joi.ObjectSchema; upload?: UploadRequest };
  readonly transaction: 'write' | 'none';
  /** Runs the handler on validated input, in a transaction where the record wants one. */
  readonly run: (input: RequestInput<unknown, unknown, unknown>, context: HandlerContext<Principal>, deps: RunDeps) => Promise<unknown>;
}

/** What the frame lends to some handlers. */
export interface RunDeps {
  /** Opens the transaction of a write operation. */
  transaction: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;
  /** Of an operation that takes an upload. */
  upload: Upload | undefined;
}

type OperationDefinition<Params, Query, Body, Principal> = OperationDescription<Params, Query, Body> & OperationHandler<Params, Query, Body, Principal>;

function createRecord<Params, Query, Body, Principal>(
  definition: OperationDefinition<Params, Query, Body, Principal>,
  access: Access,
): OperationRecord<Principal> {
  const { request = {}, ...described } = definition;
  return {
    ...described,
    access,
    request,
    run: (input, context, { transaction }) => {
      // The router has validated params, query and body against the very schemas that carry these types.
      const typed = { ...context, ...(input as RequestInput<Params, Query, Body>) };
      return definition.transaction === 'write'
        ? transaction((tx) => definition.handle({ ...typed, tx }))
        : definition.handle(typed);
    },
  };
}

/** One operation of the public API: everything known of it in one value (method, scope, schemas, errors, handler). */
export function publicOperation<Params = Record<string, never>, Query = Record<string, never>, Body = Record<string, never>>(
  definition: OperationDefinition<Params, Query, Body, KeyDescription> & { scope: Scope | null },
): OperationRecord<KeyDescription> {
  const { scope, ...rest } = definition;
  return createRecord(rest as OperationDefinition<Params, Query, Body, KeyDescription>, { by: 'key', scope });
}

/** What is known of an operation that takes a file: it reads its exam or the like first, then the file. */
interface UploadOperationDefinition<Params, Fields extends UploadFields, Principal> extends Omit<OperationDescription<Params, never, never>, 'request'> {
  request: { params: Joi.ObjectSchema<Params>; upload: UploadRequest<Fields> };
  handle: (input: { params: Params; upload: Upload<Fields> } & HandlerContext<Principal>) => Promise<unknown>;
}

function createUploadRecord<Params, Fields extends UploadFields, Principal>({ handle, ...described }: UploadOperationDefinition<Params, Fields, Principal>, access: Access): OperationRecord<Principal> {
  return {
    ...described,
    access,
    transaction: 'none',
    run: ({ params }, context, { upload }) => {
      if (upload === undefined) throw new Error('The frame has opened no upload');
      // The router has validated the params, and the frame the upload, against the very schemas that carry these types.
      return handle({ ...context, params: params as Params, upload: upload as Upload<Fields> });
    },
  };
}

/** One operation of the public API that takes a file; no transaction is open while it comes in. */
export function publicUploadOperation<Params, Fields extends UploadFields = UploadFields>({
  scope,
  ...definition
}: UploadOperationDefinition<Params, Fields, KeyDescription> & { scope: Scope }): OperationRecord<KeyDescription> {
  return createUploadRecord(definition, { by: 'key', scope });
}

/** The same of the platform API. */
export function platformUploadOperation<Params, Fields extends UploadFields = UploadFields>({
  roles,
  institution,
  ...definition
}: UploadOperationDefinition<Params, Fields, PlatformCaller> & { roles: readonly PlatformRole[]; institution: InstitutionSource }): OperationRecord<PlatformCaller> {
  return createUploadRecord(definition, { by: 'platform', roles, institution });
}

/** What is known of an operation that answers a file: it makes it piece by piece, and raises what it refuses before the first. */
interface FileOperationDefinition<Params> extends Omit<OperationDescription<Params, never, never>, 'request' | 'method'> {
  scope: Scope;
  request: { params: Joi.ObjectSchema<Params> };
  response: FileResponse;
  filename: (params: Params) => string;
  handle: (input: { params: Params } & HandlerContext<KeyDescription>) => AsyncIterable<string>;
}

/** One operation of the public API that answers a file; a handler holds nothing between two pieces, for clients may be slow. */
export function publicFileOperation<Params>({ scope, filename, handle, ...described }: FileOperationDefinition<Params>): OperationRecord<KeyDescription> {
  return {
    ...described,
    method: 'GET',
    access: { by: 'key', scope },
    transaction: 'none',
    run: (input, context) => {
      // The router has validated the params against the very schema that carries this type.
      const params = input.params as Params;
      return Promise.resolve(new StreamedFile(described.response.contentType, filename(params), handle({ ...context, params })));
    },
  };
}

/** One operation of the public API that the portal has too: whoever calls, its handler does the same. */
export function sharedOperation<Params = Record<string, never>, Query = Record<string, never>, Body = Record<string, never>>(
  definition: OperationDefinition<Params, Query, Body, unknown> & { scope: Scope | null },
): OperationRecord<unknown> {
  const { scope, ...rest } = definition;
  return createRecord(rest as OperationDefinition<Params, Query, Body, unknown>, { by: 'key', scope });
}

/** Who calls the platform API: the platform itself, or one of an institution's portal users or sessions. */
export interface PlatformCaller {
  role: PlatformRole;
  /** The portal user's or the session's person; `platform` or `public` where there is none. */
  actorId: string;
  /** The institution the caller belongs to; null for the platform and for public operations. */
  institution: { id: string; status: InstitutionStatus } | null;
  /** The session that the caller carries, if it is one. */
  sessionId: string | null;
}

/** One operation of the platform API; a write is handed a transaction of the institution that `institution` leads to. */
export function platformOperation<Params = Record<string, never>, Query = Record<string, never>, Body = Record<string, never>>(
  definition: OperationDefinition<Params, Query, Body, PlatformCaller> & { roles: readonly PlatformRole[]; institution: InstitutionSource },
): OperationRecord<PlatformCaller> {
  const { roles, institution, ...rest } = definition;
  return createRecord(rest as OperationDefinition<Params, Query, Body, PlatformCaller>, { by: 'platform', roles, institution });
}
