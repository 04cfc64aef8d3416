/** The date of the latest change to the documented contract, YYYY-MM-DD; `CHANGELOG.md` says what changed. */
export const apiVersion = '2026-11-27';
