/** The date of the latest change to the documented contract, YYYY-MM-DD; `CHANGELOG.md` says what changed, `docs/versions.md` what may. */
export const apiVersion = '2026-11-29';
