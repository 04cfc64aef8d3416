import { alphaStudents } from './alphaStudents.endpoints';
import { curricula } from './curricula.endpoints';
import { enrollments } from './enrollments.endpoints';

/** Alpha Learning: curricula, enrollments, and students with their mastery and points. */
export const alpha = [...curricula, ...enrollments, ...alphaStudents];
