import { formatDay, type SimulatedDay } from './calendar';
import type { InstitutionClient } from './institutionClient';
import type { Person } from './people';

/** A student with an enrollment. */
export interface Learner extends Person {
  enrollmentId: string;
}

const concepts = 10;
const minutesPerDay = 30;

/** Creates and publishes a curriculum of the institution. */
export async function createCurriculum(client: InstitutionClient, adminId: string): Promise<string> {
  const list = Array.from({ length: concepts }, (_, nth) => ({ id: `c${nth + 1}`, title: `Concept ${nth + 1}` }));
  const { id } = await client.platform<{ id: string }>('POST', '/alpha/curricula', { title: 'Fractions', concepts: list }, adminId);
  await client.platform('POST', `/alpha/curricula/${id}/publish`, {}, adminId);
  return id;
}

/** Enrolls these students. */
export async function enroll(client: InstitutionClient, curriculumId: string, people: readonly Person[]): Promise<Learner[]> {
  const { enrollments } = await client.key<{ enrollments: { id: string; student_id: string }[] }>('POST', '/alpha/enrollments', {
    curriculum_id: curriculumId, student_ids: people.map(({ id }) => id), daily_target_minutes: minutesPerDay,
  });
  client.counts.add('enrollments', enrollments.length);
  return people.map((person) => ({ ...person, enrollmentId: enrollments.find(({ student_id }) => student_id === person.id)?.id ?? '' }));
}

/** Reports a day's work on the concept of that day, which masters it. */
export async function reportProgress(client: InstitutionClient, day: SimulatedDay, { session, enrollmentId }: Learner): Promise<void> {
  const report = { enrollment_id: enrollmentId, concept_id: `c${day.number}`, score: 85, minutes: minutesPerDay, ref: formatDay(day) };
  await client.person(session, 'POST', '/app/alpha/progress', report);
  client.counts.add('progress reports');
}

/** Awards points to a student. */
export async function awardPoints(client: InstitutionClient, day: SimulatedDay, { id }: Person): Promise<void> {
  await client.key('POST', `/alpha/students/${id}/points`, { points: 10, ref: `${formatDay(day)}-${id}` });
  client.counts.add('awards of points');
}
