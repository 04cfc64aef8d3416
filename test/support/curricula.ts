import type { NewCurriculum } from '../../domain/alpha/curricula';
import type { TestApi } from './api';

/** So many concepts, `c1`, `c2` and so on, each of which requires the one before it. */
export const chainOf = (count: number): NewCurriculum['concepts'] =>
  Array.from({ length: count }, (_, nth) => ({ id: `c${nth + 1}`, title: `Concept ${nth + 1}`, requires: nth === 0 ? [] : [`c${nth}`] }));

/** Creates and publishes a curriculum over the platform API: an admin's with their `x-actor`, a shared one without; returns its id. */
export async function publishedCurriculum(api: TestApi, headers: Record<string, string>, body: Partial<NewCurriculum> = {}): Promise<string> {
  const { data } = await api.platform('POST', '/alpha/curricula', { headers, body: { title: 'Fractions', concepts: chainOf(3), ...body } });
  const { status, data: published } = await api.platform('POST', `/alpha/curricula/${data.id}/publish`, { headers });
  if (status !== 200) throw new Error(`Publishing was answered ${status}`);
  return published.id;
}
