import type { Domain } from '../../domain/context';
import { NotFoundError } from '../../domain/errors';
import { isOfSandbox } from '../../domain/sandbox/isOfSandbox';
import type { ServeRecord } from './router';

/**
 * Serves like `serve`; the 404 that a live key gets for an id in the path says so where it is one of the institution's own sandbox.
 * Ids of other institutions, and of their sandboxes, stay unknown ones.
 */
export function explainSandboxIds<Principal>({ database }: Pick<Domain, 'database'>, serve: ServeRecord<Principal>): ServeRecord<Principal> {
  return async (record, params, ctx) => {
    try {
      await serve(record, params, ctx);
    } catch (error) {
      const { key } = ctx.state;
      if (!(error instanceof NotFoundError) || key?.environment !== 'live') throw error;
      if (!(await isOfSandbox(database, key.institution.id, Object.values(params)))) throw error;
      throw new NotFoundError(error.code, `${error.message} It is in the sandbox: a live key finds nothing of it, a test key (svc_test_…) does.`, error.details, { cause: error });
    }
  };
}
