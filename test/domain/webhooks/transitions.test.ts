import type { DeliveryStatus } from '../../../db/repositories/webhooks/deliveryStatus';
import type { EndpointStatus } from '../../../db/entities/endpoint';
import { canTransition } from '../../../domain/transitions';
import { deliveryTransitions, endpointTransitions, openStatuses } from '../../../domain/webhooks/transitions';

const deliverySteps: Record<DeliveryStatus, string> = {
  pending: 'retrying held delivered dead cancelled',
  retrying: 'held delivered dead cancelled',
  held: 'pending retrying delivered dead cancelled',
  delivered: 'pending',
  dead: 'pending',
  cancelled: 'pending',
};

const endpointSteps: Record<EndpointStatus, string> = { active: 'paused disabled', paused: 'active disabled', disabled: 'active' };

describe('the states of a delivery', () => {
  it.each(Object.entries(deliverySteps))('%s turns to %s and to nothing else', (from, to) => {
    expect(Object.entries(deliveryTransitions).find(([state]) => state === from)?.[1]).toEqual(to.split(' '));
  });

  it('are open exactly where an attempt can still end them', () => {
    const ends = Object.entries(deliveryTransitions).filter(([, next]) => next.includes('delivered'));
    expect(ends.map(([state]) => state)).toEqual([...openStatuses]);
  });

  it('all open again from an end, by a replay alone', () => {
    const ended = Object.entries(deliveryTransitions).filter(([state]) => ![...openStatuses].some((open) => open === state));
    expect(ended).toEqual([['delivered', ['pending']], ['dead', ['pending']], ['cancelled', ['pending']]]);
  });
});

describe('the states of an endpoint', () => {
  const states: EndpointStatus[] = ['active', 'paused', 'disabled'];
  const steps = states.flatMap((from) => states.map((to) => ({ from, to, may: endpointSteps[from].split(' ').includes(to) })));

  it.each(steps)('$from to $to: $may', ({ from, to, may }) => {
    expect(canTransition(endpointTransitions, from, to)).toBe(may);
    expect(endpointTransitions[from].includes(to)).toBe(may);
  });
});
