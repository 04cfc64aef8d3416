import { deliveryStop, retryStopSentence } from '../../../domain/webhooks/deliveryStop';

const institutionStatuses = ['pending', 'approved', 'suspended'] as const;
const endpointStatuses = ['active', 'paused', 'disabled'] as const;
const circuits = ['closed', 'open'] as const;

const combinations = institutionStatuses.flatMap((institutionStatus) => endpointStatuses.flatMap((endpointStatus) => circuits.map((circuit) => ({ institutionStatus, endpointStatus, circuit }))));

describe.each(combinations)('the reason of $institutionStatus, $endpointStatus, circuit $circuit', (sending) => {
  const { institutionStatus, endpointStatus, circuit } = sending;
  const stop = deliveryStop(sending);
  const isDisabled = endpointStatus === 'disabled';
  const holds = { institution: institutionStatus !== 'approved', pause: endpointStatus === 'paused', circuit: circuit === 'open' };

  it('is there where anything holds what is not given up', () => {
    expect(stop !== undefined).toBe(!isDisabled && Object.values(holds).includes(true));
  });

  it('names everything that holds, what ends each of it, and nothing else', () => {
    const { because = '', sent = '' } = stop ?? {};
    expect({
      institution: [because.includes('its institution is not approved'), sent.includes('the institution is approved')],
      pause: [because.includes('is paused'), sent.includes('the endpoint is resumed')],
      circuit: [because.includes('failed so often in a row'), sent.includes('has succeeded')],
    }).toEqual(Object.fromEntries(Object.entries(holds).map(([name, isHolding]) => [name, [isHolding && !isDisabled, isHolding && !isDisabled]])));
  });

  it('stops the deadline by what is no circuit', () => {
    const withoutCircuit = deliveryStop({ ...sending, circuit: 'closed' });
    expect(stop?.deadlineStop).toBe(withoutCircuit?.because);
  });
});

it.each([
  ['approved', 'active', 'Its endpoint failed so often in a row that only one delivery is tried at a time: when its next attempt is due it is held, and sent after one has succeeded.'],
  ['approved', 'paused', 'Its endpoint is paused and failed so often in a row that only one delivery is tried at a time: when its next attempt is due it is held, and sent when the endpoint is resumed and one delivery has succeeded.'],
  ['suspended', 'active', 'Its institution is not approved and its endpoint failed so often in a row that only one delivery is tried at a time: when its next attempt is due it is held, and sent when the institution is approved and one delivery has succeeded.'],
  ['suspended', 'paused', 'Its institution is not approved, and its endpoint is paused and failed so often in a row that only one delivery is tried at a time: when its next attempt is due it is held, and sent when the institution is approved, the endpoint is resumed and one delivery has succeeded.'],
] as const)('under an open circuit the sentence of an institution that is %s and an endpoint that is %s has every reason', (institutionStatus, endpointStatus, sentence) => {
  const stop = deliveryStop({ institutionStatus, endpointStatus, circuit: 'open' });
  expect(stop && retryStopSentence(stop)).toBe(sentence);
});
