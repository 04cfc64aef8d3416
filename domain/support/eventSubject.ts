import { idsInEvent } from './idsInEvent';

/** The fields of the data of events, that of what an event is about before those of what has to do with it. */
const subjectFields = ['student_id', 'user_id', 'exam_id', 'faculty_id', 'endpoint_id', 'batch_id'] as const;

/** Returns the id of what a stored event is about: the person, or else the exam, endpoint or batch; undefined without any. */
export function eventSubject(body: string): string | undefined {
  const ids = idsInEvent(body);
  return subjectFields.map((field) => ids[field]).find((id) => id !== undefined) ?? Object.values(ids)[0];
}
