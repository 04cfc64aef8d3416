import { alphaStudents } from './alphaStudents.operations';
import { curricula } from './curricula.operations';
import { enrollments } from './enrollments.operations';

/** Alpha Learning: curricula, enrollments, and students with their mastery and points. */
export const alpha = [...curricula, ...enrollments, ...alphaStudents];
