import { dayText, type PlayedDay } from './calendar';
import type { Desk } from './institutionClient';
import type { Person } from './people';

/** A student with an enrollment. */
export interface Learner extends Person {
  enrollmentId: string;
}

const concepts = 10;
const minutesADay = 30;

/** A published curriculum of the institution's own. */
export async function makeCurriculum(desk: Desk, adminId: string): Promise<string> {
  const list = Array.from({ length: concepts }, (_, nth) => ({ id: `c${nth + 1}`, title: `Concept ${nth + 1}` }));
  const { id } = await desk.platform<{ id: string }>('POST', '/alpha/curricula', { title: 'Fractions', concepts: list }, adminId);
  await desk.platform('POST', `/alpha/curricula/${id}/publish`, {}, adminId);
  return id;
}

/** Enrolls these students. */
export async function enroll(desk: Desk, curriculumId: string, people: readonly Person[]): Promise<Learner[]> {
  const { enrollments } = await desk.key<{ enrollments: { id: string; student_id: string }[] }>('POST', '/alpha/enrollments', {
    curriculum_id: curriculumId, student_ids: people.map(({ id }) => id), daily_target_minutes: minutesADay,
  });
  desk.book.note('enrollments', enrollments.length);
  return people.map((person) => ({ ...person, enrollmentId: enrollments.find(({ student_id }) => student_id === person.id)?.id ?? '' }));
}

/** A day's work on the concept of that day, mastered at once. */
export async function tellProgress(desk: Desk, day: PlayedDay, { session, enrollmentId }: Learner): Promise<void> {
  const told = { enrollment_id: enrollmentId, concept_id: `c${day.number}`, score: 85, minutes: minutesADay, ref: dayText(day) };
  await desk.person(session, 'POST', '/app/alpha/progress', told);
  desk.book.note('progress told');
}

/** Points for a student. */
export async function award(desk: Desk, day: PlayedDay, { id }: Person): Promise<void> {
  await desk.key('POST', `/alpha/students/${id}/points`, { points: 10, ref: `${dayText(day)}-${id}` });
  desk.book.note('awards of points');
}
