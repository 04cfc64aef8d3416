import type { DeveloperStatus } from '../../../db/repositories/developers/developers';
import { developerTransitions, transition, type DeveloperAction } from '../../../domain/developers/transitions';

const statuses: DeveloperStatus[] = ['invited', 'active', 'suspended', 'revoked'];

/** The steps that there are; every other one is refused, or leaves things as they are. */
const steps = ['revoked invite invited', 'invited accept active', 'active suspend suspended', 'suspended reactivate active', 'invited revoke revoked', 'active revoke revoked', 'suspended revoke revoked'];

const moves = Object.keys(developerTransitions) as DeveloperAction[];
const all = moves.flatMap((move) => statuses.map((status): [DeveloperAction, DeveloperStatus] => [move, status]));

const outcome = (move: DeveloperAction, status: DeveloperStatus): string => {
  try {
    return transition(move, status);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'broken';
  }
};

it('has the steps of a developer and no other', () => {
  const found = all.filter(([move, status]) => statuses.some((next) => next === outcome(move, status)) && outcome(move, status) !== status);
  expect(found.map(([move, status]) => `${status} ${move} ${outcome(move, status)}`).sort()).toEqual([...steps].sort());
});

it.each(all)('%s of a developer who is %s is what the table says', (move, status) => {
  expect(outcome(move, status)).toBe(developerTransitions[move][status]);
});

it('refuses an address that is a developer’s with already_added, everything else with conflict', () => {
  const refused = all.filter(([move, status]) => !statuses.some((next) => next === outcome(move, status)));
  expect(refused.length).toBeGreaterThan(0);
  for (const [move, status] of refused) expect(outcome(move, status)).toBe(move === 'invite' ? 'already_added' : 'conflict');
});
