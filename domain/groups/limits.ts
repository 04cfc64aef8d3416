/** Maximum number of members of a group, and of students in one call. */
export const maxMembers = 10_000;
