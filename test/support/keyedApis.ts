import type { ServiceKeys } from '../../config/serviceKeys';
import { newId } from '../../domain/ids';
import { resealChunk } from '../../domain/secrets/reseal';
import { sealedTables } from '../../db/repositories/secrets/sealedColumns';
import { startTestApi, type TestApi } from './api';
import { registerSecret } from './leaks';
import { startReceiver, type Receiver } from './receiver';

/** APIs of one service on one database, each with other keys. */
export interface KeyedApis {
  readonly receiver: Receiver;
  /** The API with these keys, by the name that the file gives it. */
  api(name: string): TestApi;
}

/** Starts an API for each list of keys for the tests of the calling file; webhooks may go to the receiver. */
export function keyedApis(keys: Readonly<Record<string, ServiceKeys>>): KeyedApis {
  const apis = new Map<string, TestApi>();
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    for (const [name, list] of Object.entries(keys)) {
      // Each test says which keys the worker has that sends the codes.
      apis.set(name, await startTestApi({ keys: list, webhookTrustedHosts: [receiver.host], databasePoolSize: 6 }, { emailsCodes: false }));
    }
  });
  afterAll(async () => {
    for (const api of apis.values()) await api.stop();
    await receiver.close();
  });

  return {
    get receiver() {
      return receiver;
    },
    api: (name) => {
      const found = apis.get(name);
      if (found === undefined) throw new Error(`There is no API ${name}`);
      return found;
    },
  };
}

/** Seals everything under the newest key of an API, as the workflow does; returns how many values it could not read. */
export async function resealAll({ api: { domain } }: TestApi): Promise<number> {
  let unreadable = 0;
  for (const table of sealedTables) {
    let after: string[] | null = null;
    do {
      const chunk: Awaited<ReturnType<typeof resealChunk>> = await resealChunk(domain, domain.secrets.keyIds[0] ?? '', table, after);
      unreadable += chunk.unreadable;
      after = chunk.next;
    } while (after !== null);
  }
  return unreadable;
}

/** An address that nobody else has. */
export function newEmail(): string {
  const email = `${newId('usr')}@mail.example`;
  registerSecret(email);
  return email;
}
