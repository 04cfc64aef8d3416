import type { paths } from './openapi';

interface HttpVerbs {
  GET: 'get';
  POST: 'post';
  PUT: 'put';
  PATCH: 'patch';
  DELETE: 'delete';
}

/** The methods of the API. */
export type Method = keyof HttpVerbs;

/** The paths that have a method, as the document spells them: `/students/{id}`. */
export type PathOf<M extends Method> = { [P in keyof paths]: paths[P][HttpVerbs[M]] extends object ? P : never }[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P][HttpVerbs[M]];

type PathPart<O> = O extends { parameters: { path: infer Path } } ? { path: Path } : { path?: never };

/** A field that may be left out may be undefined, too, also with `exactOptionalPropertyTypes`: JSON and the query leave it out. */
type WithUndefined<T> = T extends readonly (infer Item)[]
  ? WithUndefined<Item>[]
  : T extends object
    ? { [K in keyof T]: object extends Pick<T, K> ? WithUndefined<T[K]> | undefined : WithUndefined<T[K]> }
    : T;

type QueryPart<O> = O extends { parameters: { query: infer Query } }
  ? { query: WithUndefined<Query> }
  : O extends { parameters: { query?: infer Query } }
    ? { query?: WithUndefined<NonNullable<Query>> | undefined }
    : never;

type Content<C> = C extends { 'application/json': infer Body } ? { body: WithUndefined<Body> } : C extends { 'multipart/form-data': infer Form } ? { form: Form } : never;

type OrUndefined<T> = { [K in keyof T]?: T[K] | undefined };

type BodyPart<O> = O extends { requestBody: { content: infer C } }
  ? Content<C>
  : O extends { requestBody?: never }
    ? { body?: never }
    : O extends { requestBody?: { content: infer C } }
      ? OrUndefined<Content<C>>
      : never;

/** A key of the caller's own, in place of a new one for each call. */
type KeyPart<M extends Method> = M extends 'GET' ? unknown : { idempotencyKey?: string | undefined };

// Of each operation by itself: all parts of all operations, combined, are more than the compiler takes.
type Input<O, M extends Method> = O extends object ? PathPart<O> & QueryPart<O> & BodyPart<O> & KeyPart<M> & { signal?: AbortSignal | undefined } : never;

/** May be left out where nothing in it is required. */
type OptionalInput<I> = Partial<I> extends I ? [input?: I] : [input: I];

/** What a call is given besides its path: `path`, `query` and `body` (or `form`, of an upload) as the operation has them. */
// A path that is none is inferred as all of them: then the path is the mistake to show, not that an input is missing.
export type InputOf<M extends Method, P extends PathOf<M>> = [PathOf<M>] extends [P] ? [input?: Input<Operation<M, P>, M>] : OptionalInput<Input<Operation<M, P>, M>>;

/** The body of a call: `BodyOf<'POST', '/students'>`. */
export type BodyOf<M extends Method, P extends PathOf<M>> = NonNullable<InputOf<M, P>[0]> extends { body?: infer Body } ? NonNullable<Body> : never;

type WithoutPaging<I> = I extends { query: infer Query } ? Omit<I, 'query'> & { query: Omit<Query, 'page' | 'cursor'> } : I extends { query?: infer Query } ? Omit<I, 'query'> & { query?: Omit<NonNullable<Query>, 'page' | 'cursor'> | undefined } : I;

/** What a walk of a whole list is given: as `InputOf`, without the place where it would begin. */
export type ListInputOf<P extends PathOf<'GET'>> = OptionalInput<WithoutPaging<Input<Operation<'GET', P>, 'GET'>>>;

/** What a call answers: `data` of a JSON answer, the text of a file. */
export type DataOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: { 200: { content: infer C } } } ? (C extends { 'application/json': { data: infer Data } } ? Data : string) : never;

interface AnyPage {
  items: readonly unknown[];
  limit: number;
  has_more: boolean;
}

/** The lists that answer pages. */
export type PagedPath = { [P in PathOf<'GET'>]: DataOf<'GET', P> extends AnyPage ? P : never }[PathOf<'GET'>];

/** What a list has on its pages. */
export type ItemOf<P extends PagedPath> = DataOf<'GET', P> extends { items: readonly (infer Item)[] } ? Item : never;
