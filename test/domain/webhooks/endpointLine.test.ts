import { endpointLine } from '../../../domain/webhooks/endpointLine';

it('an email names an endpoint as its institution calls it, then its id and URL; without a description by these alone', () => {
  const endpoint = { endpoint_id: 'we_1', url: 'https://receiver.example/in' };
  expect(endpointLine({ ...endpoint, description: 'Gradebook\nof evil.example' })).toBe('Gradebook of evil example, we_1, https://receiver.example/in');
  for (const description of [null, '']) expect(endpointLine({ ...endpoint, description })).toBe('we_1, https://receiver.example/in');
});
