import { setTimeout as sleep } from 'node:timers/promises';
import { InstitutionError } from '../../clients/typescript/src';
import { EndpointEntity } from '../../db/entities/endpoint';
import { statusIsOpen } from '../../db/repositories/webhooks/openDeliveries';
import { newId } from '../../domain/ids';
import { newWebhookSecret } from '../../domain/webhooks/signature';
import { endpointPlace } from '../../domain/webhooks/endpointPlace';
import type { TemporalConnection } from '../../outbound/temporal/engine';
import { benchClient } from '../benchClient';
import { receiverPort, type BenchEnvironment } from '../environment';
import type { BenchInstitution } from '../institutions';
import { receiver } from './receiver';

/** An endpoint of a scenario, which receives `student.updated` at its own path of the receiver. */
export interface BenchEndpoint {
  id: string;
  institution: BenchInstitution;
  path: string;
}

/** The context of a scenario. Its institutions and endpoints are its own, and are deleted at its end. */
export interface ScenarioContext {
  readonly name: string;
  readonly environment: BenchEnvironment;
  readonly temporal: TemporalConnection;
  /** Aborted, with a message, when the scenario's time is over. */
  readonly signal: AbortSignal;
  /** Returns a number of events or seconds scaled by BENCH_SCALE; at least 1. */
  scaled(full: number): number;
  institution(keyCount?: number): Promise<BenchInstitution>;
  /** Creates an endpoint at 127.0.0.1 of the receiver, or at 127.0.0.2, because connections are limited per origin. */
  endpoint(institution: BenchInstitution, host?: string): Promise<BenchEndpoint>;
  /** Deletes endpoints through the API, which cancels their open deliveries. */
  remove(endpoints: readonly BenchEndpoint[]): Promise<void>;
  pause(ms: number): Promise<void>;
  /** Calls `look` every `everyMs` until it returns true; fails with `what` after `withinMs` or when the scenario's time is over. */
  until(what: string, look: () => Promise<boolean>, withinMs: number, everyMs?: number): Promise<void>;
  /** Waits until no delivery of its endpoints is open; abandons what is not done within 60 s. */
  close(): Promise<void>;
}

const closeTimeoutMs = 60_000;
const openDeliveries = `SELECT count(*)::int AS count FROM deliveries WHERE institution_id = ANY ($2) AND endpoint_id = ANY ($1) AND ${statusIsOpen}`;

/** Returns how many deliveries of these endpoints are pending, retrying or held. */
export async function countOpenDeliveries({ database }: BenchEnvironment, endpoints: readonly BenchEndpoint[]): Promise<number> {
  const [row] = await database.sql<{ count: number }>(openDeliveries, [endpoints.map(({ id }) => id), [...new Set(endpoints.map(({ institution }) => institution.id))]]);
  return row?.count ?? 0;
}

/** Returns the context of the scenario `name`. */
export function createScenarioContext(name: string, environment: BenchEnvironment, temporal: TemporalConnection, scale: number, signal: AbortSignal): ScenarioContext {
  const { domain } = environment;
  const endpoints: BenchEndpoint[] = [];
  let institutions = 0;

  const until: ScenarioContext['until'] = async (what, look, withinMs, everyMs = 100) => {
    const deadline = Date.now() + withinMs;
    while (!(await look())) {
      if (Date.now() > deadline) throw new Error(`Not within ${Math.round(withinMs / 1_000)} s: ${what}`);
      signal.throwIfAborted();
      await sleep(everyMs);
    }
  };

  async function remove(removed: readonly BenchEndpoint[]): Promise<void> {
    for (const { id, institution } of removed) {
      await benchClient(environment, institution).call('DELETE', '/webhooks/endpoints/{id}', { path: { id } }).catch((error: unknown) => {
        if (!(error instanceof InstitutionError) || error.status !== 404) throw error;
      });
    }
  }

  return {
    name,
    environment,
    temporal,
    signal,
    scaled: (full) => Math.max(1, Math.round(full * scale)),
    institution: (keyCount) => {
      institutions += 1;
      return environment.institution(`${name}-${institutions}`, keyCount);
    },
    endpoint: async (institution, host = '127.0.0.1') => {
      const id = newId('we');
      const path = `/hooks/${name}/${endpoints.length + 1}`;
      const now = new Date();
      await domain.database.manager.insert(EndpointEntity, {
        id,
        institutionId: institution.id,
        url: `http://${host}:${receiverPort}${path}`,
        events: ['student.updated'],
        status: 'active',
        secretSealed: domain.secrets.seal(newWebhookSecret(), endpointPlace({ institutionId: institution.id, id }, 'secret_sealed')),
        createdAt: now,
        updatedAt: now,
      });
      const endpoint = { id, institution, path };
      endpoints.push(endpoint);
      return endpoint;
    },
    remove,
    pause: async (ms) => {
      await sleep(ms, undefined, { signal });
    },
    until,
    close: async () => {
      await receiver.startListening();
      for (const { path } of endpoints) await receiver.setMode(path, 'ok');
      const deadline = Date.now() + closeTimeoutMs;
      while (Date.now() < deadline && !signal.aborted && (await countOpenDeliveries(environment, endpoints)) > 0) await sleep(250);
      await remove(endpoints);
    },
  };
}
