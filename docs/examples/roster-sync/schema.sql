-- The mirror: students and classes of the roster as the service has them.
CREATE TABLE IF NOT EXISTS students (student_id TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, full_name TEXT, status TEXT NOT NULL, has_left INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS classes (class TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, updated_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS members (class TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (class, id));
-- The calls that are to be made, each with its Idempotency-Key; planned_at in milliseconds.
CREATE TABLE IF NOT EXISTS outbox (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, planned_at INTEGER NOT NULL, intent TEXT NOT NULL);
-- Every event of the feed, once.
CREATE TABLE IF NOT EXISTS seen_events (id TEXT PRIMARY KEY, type TEXT NOT NULL, created_at TEXT NOT NULL);
-- The 'institution' of the mirror, 'since' of the feed, and the newest updated_at of 'students'.
CREATE TABLE IF NOT EXISTS positions (name TEXT PRIMARY KEY, value TEXT NOT NULL);
