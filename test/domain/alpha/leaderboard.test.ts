import fc from 'fast-check';
import { withRanks } from '../../../domain/alpha/leaderboard';

it('a rank is one more than there are students with more points', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ points: fc.integer({ min: 1, max: 12 }) }), { maxLength: 60 }), (students) => {
      const ordered = [...students].sort((one, other) => other.points - one.points);
      const ranks = ordered.map(({ points }) => 1 + students.filter((other) => other.points > points).length);
      expect(withRanks(ordered)).toEqual(ordered.map((student, nth) => ({ ...student, rank: ranks[nth] })));
    }),
  );
});
