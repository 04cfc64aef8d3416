import type { ApiResponse, TestApi, TestInstitution } from './api';
import { eventually } from './eventually';

/** The request of a response. */
export const requestOf = ({ headers }: ApiResponse): string => headers.get('x-request-id') ?? '';

/** A read as GET /students/{id}/disclosures lists it. */
export interface ListedDisclosure {
  id: string;
  at: string;
  actor: { kind: string; id: string };
  what: string;
  operation: string;
  query: Record<string, string | null>;
  request_id: string;
}

/**
 * Lists all reads of an institution, of one person or of many, that were made so far, oldest first: reads are recorded in
 * their order, so those before a read that is on record are there, too.
 */
export async function disclosuresOf(api: TestApi, institution: TestInstitution, studentId: string, about: 'person' | 'many' = 'person'): Promise<ListedDisclosure[]> {
  const path = about === 'person' ? `/students/${studentId}` : '/students';
  const last = requestOf(await api.call('GET', path, { key: institution.apiKey }));
  return eventually('the last read is on record', async () => {
    const { data } = await api.call('GET', `/students/${studentId}/disclosures`, { key: institution.apiKey, query: { about, limit: 200 } });
    const items: ListedDisclosure[] = data.items;
    return items.some(({ request_id }) => request_id === last) && items.filter(({ request_id }) => request_id !== last).reverse();
  });
}
