import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../config/settings';
import { projectRoot } from '../../local/projectRoot';

const environment = {
  DATABASE_URL: 'postgres://127.0.0.1/x', REDIS_URL: 'redis://127.0.0.1', TEMPORAL_ADDRESS: '127.0.0.1:7233', SMTP_URL: 'smtp://127.0.0.1', FILE_STORE_URL: 'file:///tmp/files',
  MASTER_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`, PLATFORM_TOKEN: 'f'.repeat(64),
};
const read = (more: Record<string, string> = {}) => readSettings({ ...environment, ...more });

describe('the version of workers', () => {
  it('is none without a name, even with a build id', () => {
    expect(read({ TEMPORAL_BUILD_ID: 'x' }).workerDeployment).toBeNull();
  });

  it('is that of the release, unless a build id is set', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'));
    expect(read({ TEMPORAL_DEPLOYMENT_NAME: 'institution' }).workerDeployment).toEqual({ deploymentName: 'institution', buildId: version });
    expect(read({ TEMPORAL_DEPLOYMENT_NAME: 'institution', TEMPORAL_BUILD_ID: '0.14.0-b7' }).workerDeployment?.buildId).toBe('0.14.0-b7');
  });

  it.each([['TEMPORAL_DEPLOYMENT_NAME', 'a.b'], ['TEMPORAL_DEPLOYMENT_NAME', 'a:b'], ['TEMPORAL_DEPLOYMENT_NAME', '__a'], ['TEMPORAL_BUILD_ID', "1' OR"], ['TEMPORAL_BUILD_ID', 'x'.repeat(101)]])('has no %s that Temporal refuses: %j', (name, value) => {
    expect(() => read({ TEMPORAL_DEPLOYMENT_NAME: 'a', [name]: value })).toThrow(name);
  });
});

describe('what a worker serves', () => {
  it('is everything, unless WORKER_QUEUES names less', () => {
    expect([...read().workerSlots.queues]).toEqual(['workflows', 'attempts', 'emails']);
    expect([...read({ WORKER_QUEUES: ' emails , attempts' }).workerSlots.queues]).toEqual(['emails', 'attempts']);
  });

  it.each(['', ',', 'mails', 'emails,archives'])('is not %j', (WORKER_QUEUES) => {
    expect(() => read({ WORKER_QUEUES })).toThrow('WORKER_QUEUES');
  });

  it('has the slots and pollers of the settings', () => {
    const { workflows, activities, attempts, emails, archives, erasures } = read({
      WORKER_WORKFLOW_SLOTS: '2', WORKER_WORKFLOW_POLLERS: '3', WORKER_CACHED_WORKFLOWS: '4', WORKER_ACTIVITY_SLOTS: '5', WORKER_ACTIVITY_POLLERS: '6', WORKER_ATTEMPT_SLOTS: '7',
      WORKER_ATTEMPT_POLLERS: '8', WORKER_EMAIL_SLOTS: '9', WORKER_EMAIL_POLLERS: '10', WORKER_ARCHIVE_SLOTS: '11', WORKER_ERASURE_SLOTS: '12',
    }).workerSlots;
    expect({ workflows, activities, attempts, emails, archives, erasures }).toEqual({
      workflows: { slots: 2, pollers: 3, cached: 4 }, activities: { slots: 5, pollers: 6 }, attempts: { slots: 7, pollers: 8 }, emails: { slots: 9, pollers: 10 }, archives: { slots: 11 }, erasures: { slots: 12 },
    });
    expect(() => read({ WORKER_WORKFLOW_SLOTS: '1' })).toThrow('WORKER_WORKFLOW_SLOTS');
  });
});
