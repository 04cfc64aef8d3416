/** Members of a group at most, and students that one call can name. */
export const maxMembers = 10_000;
