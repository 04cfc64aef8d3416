import { EndpointEntity } from '../../../db/entities/endpoint';
import { newId } from '../../../domain/ids';
import { newWebhookSecret } from '../../../domain/webhooks/signature';
import type { TestApi, TestInstitution } from '../api';

/** Writes an active endpoint for all events of students and licenses unless told otherwise; answers its id. */
export async function seedEndpoint({ api }: TestApi, { id: institutionId }: Pick<TestInstitution, 'id'>, url: string, fields: Partial<EndpointEntity> = {}): Promise<string> {
  const id = newId('we');
  const now = new Date();
  await api.domain.database.manager.insert(EndpointEntity, {
    id,
    institutionId,
    url,
    events: ['student.*', 'license.*'],
    status: 'active',
    secretSealed: api.domain.secrets.seal(newWebhookSecret()),
    consecutiveFailures: 0,
    createdAt: now,
    updatedAt: now,
    clockPausedSince: fields.pausedAt ?? null,
    ...fields,
  });
  return id;
}
