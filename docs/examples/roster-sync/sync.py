"""The nightly roster sync: python3 sync.py roster.csv state.sqlite, with BASE_URL and API_KEY. README.md explains it."""

import csv
import datetime
import io
import json
import pathlib
import sqlite3
import sys
import time
import uuid

from roster_api import NoAnswer, Refused, call, walk

OWN_GROUP = "Class of the roster"  # The description of the groups that this program made; it leaves all others alone.
KEPT_MS = 23 * 3_600_000  # The service keeps a key for 24 hours. A call that is older is planned again, with a new key.
RUN_AGAIN, SOME_REFUSED = 75, 2  # The program's status where the next try may succeed, and where some were refused and all else is done; 1 is for what somebody has to correct first.
NAMED = 20  # So many students of each kind of change are named, then the others are counted.
OVERLAP = datetime.timedelta(minutes=5)  # A change is visible up to this long after its updated_at.

OPTIONS = [argument for argument in sys.argv[1:] if argument.startswith("-")]
ARGUMENTS = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
UNKNOWN = [*(option for option in OPTIONS if option not in ("--many-leavers", "--dry-run")), *ARGUMENTS[2:]]
if UNKNOWN:
    raise SystemExit(f"{UNKNOWN[0]} is not known: the arguments are the path of the roster, then that of the state, --many-leavers and --dry-run")
DRY_RUN = "--dry-run" in OPTIONS  # It works on a copy of the state, and sends no call that changes anything.
ROSTER_PATH, STATE_PATH = ARGUMENTS + ["roster.csv", "state.sqlite"][len(ARGUMENTS):]

try:
    # A transaction that never ends: the lock goes with the process, however that ends.
    lock = sqlite3.connect(f"{STATE_PATH}.lock", timeout=0, isolation_level=None)
    lock.executescript("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    db = sqlite3.connect(":memory:" if DRY_RUN else STATE_PATH, timeout=10, isolation_level="IMMEDIATE")
    db.row_factory = sqlite3.Row
    db.executescript(pathlib.Path(__file__).with_name("schema.sql").read_text())
    if DRY_RUN and pathlib.Path(STATE_PATH).exists():
        db.execute("ATTACH ? AS stored", [STATE_PATH])
        # Without the outbox: what its calls were to change is found by comparison.
        for row in db.execute("SELECT name FROM stored.sqlite_master WHERE type = 'table' AND name NOT IN ('outbox', 'sqlite_sequence')").fetchall():
            db.executescript(f"INSERT INTO {row['name']} SELECT * FROM stored.{row['name']}")
        db.execute("DETACH stored")
except sqlite3.Error as error:
    if getattr(error, "sqlite_errorname", None) == "SQLITE_BUSY":
        print(f"Another run has {STATE_PATH}: run it again when that has ended.", file=sys.stderr)
        sys.exit(RUN_AGAIN)
    raise SystemExit(f"{STATE_PATH} cannot be opened: give the path of the roster, then that of the state") from error

done = {"created": 0, "renamed": 0, "suspended": 0, "reactivated": 0, "groups": 0}  # What this run has changed at the service.
failures = 0


def report(message):
    global failures
    failures += 1
    print(message, file=sys.stderr)


def position(name):
    row = db.execute("SELECT value FROM positions WHERE name = ?", [name]).fetchone()
    return row and row["value"]


def set_position(name, value):
    db.execute("INSERT OR REPLACE INTO positions VALUES (?, ?)", [name, value])


def store_student(student):
    if student["student_id"] is None:  # Students without a student_id are not of the roster.
        db.execute("DELETE FROM students WHERE id = :id", student)
        return
    # Who has another student_id than before is the same student, and has left or not as before.
    db.execute("UPDATE OR REPLACE students SET student_id = :student_id WHERE id = :id AND student_id <> :student_id", student)
    db.execute(
        """INSERT INTO students (student_id, id, full_name, status) VALUES (:student_id, :id, :full_name, :status)
           ON CONFLICT (student_id) DO UPDATE SET id = excluded.id, full_name = excluded.full_name, status = excluded.status""",
        student,
    )


def store_class(group, members):
    db.execute("INSERT OR REPLACE INTO classes VALUES (:name, :id, :updated_at)", group)
    db.execute("DELETE FROM members WHERE class = :name", group)
    db.executemany("INSERT OR IGNORE INTO members VALUES (?, ?)", [(group["name"], member) for member in members])


def store_group(group, members):
    store_class(group, members)
    done["groups"] += 1


def note_change(student, change):
    done[change] += 1
    if DRY_RUN or done[change] <= NAMED:
        print(f"{student['student_id']} {'would be' if DRY_RUN else 'was'} {change}")


def count_unnamed():
    for change, count in done.items():
        if change != "groups" and count > NAMED and not DRY_RUN:
            print(f"and {count - NAMED} more {'was' if count == NAMED + 1 else 'were'} {change}")


def send(intent, key):
    """Makes one call with its key, and returns what stores its answer in the mirror. A dry run makes no call, and its answer itself."""
    match intent["kind"]:
        case "create students":
            students = intent["students"]
            results = [{"id": f"new {student['student_id']}"} for student in students] if DRY_RUN else call("POST", "/students/bulk", {"students": students}, key)["results"]

            def store():
                for student, result in zip(students, results, strict=True):
                    if "id" in result:
                        store_student({**student, "id": result["id"], "status": "pending"})
                        note_change(student, "created")
                    else:
                        report(f"{student['student_id']} was not created: {result['error']}: {result['message']}")

            return store
        case "change student":
            mirrored = db.execute("SELECT * FROM students WHERE id = ?", [intent["id"]]).fetchone()
            student = {**mirrored, **intent["changes"]} if DRY_RUN else call("PATCH", f"/students/{intent['id']}", intent["changes"], key)

            def store():
                store_student(student)
                status = intent["changes"].get("status")
                if "full_name" in intent["changes"]:
                    note_change(student, "renamed")
                if status:
                    note_change(student, "reactivated" if status == "active" else status)
                if status == "active":
                    db.execute("UPDATE students SET has_left = 0 WHERE id = :id", intent)

            return store
        case "create group":
            name, student_ids = intent["class"], intent["student_ids"]
            group = {"name": name, "id": f"new {name}", "updated_at": ""} if DRY_RUN else call("POST", "/groups", {"name": name, "description": OWN_GROUP, "student_ids": student_ids}, key)
            return lambda: store_group(group, student_ids)
        case "replace members":
            name, student_ids = intent["class"], intent["student_ids"]
            group = {"name": name, "id": intent["id"], "updated_at": ""} if DRY_RUN else call("PATCH", f"/groups/{intent['id']}", {"student_ids": student_ids}, key)
            return lambda: store_group(group, student_ids)


def not_done(intent):
    """What a refused call did not do, with whom it was about."""
    match intent["kind"]:
        case "create students":
            return f"{len(intent['students'])} students from {intent['students'][0]['student_id']} on were not created"
        case "change student":
            row = db.execute("SELECT student_id FROM students WHERE id = :id", {"id": intent["id"]}).fetchone()
            return f"{row['student_id'] if row else intent['id']} was not changed"
        case "create group":
            return f"Class {intent['class']} was not created"
        case "replace members":
            return f"Class {intent['class']} was not changed"


def flush_outbox():
    """Makes every call of the outbox. A call leaves it in the transaction that stores its answer."""
    with db:
        db.execute("DELETE FROM outbox WHERE planned_at < ?", [time.time() * 1000 - KEPT_MS])
    while row := db.execute("SELECT n, key, intent FROM outbox ORDER BY n LIMIT 1").fetchone():
        intent, store = json.loads(row["intent"]), None
        try:
            store = send(intent, row["key"])
        except Refused as refused:
            # The same call would be refused again. Any other failure ends the program, and the next run sends the call again.
            if refused.status not in (400, 404, 422):
                raise
            report(f"{not_done(intent)}: {refused}")
        with db:
            if store:
                store()
            db.execute("DELETE FROM outbox WHERE n = ?", [row["n"]])


def plan(compare, roster):
    """Stores the calls that a comparison finds, each with its key, before any is sent."""
    with db:
        for intent in compare(roster):
            db.execute("INSERT INTO outbox (key, planned_at, intent) VALUES (?, ?, ?)", [str(uuid.uuid4()), int(time.time() * 1000), json.dumps(intent)])


def follow_feed():
    """Reads the feed to its end: statuses, and every event once."""
    more = True
    while more:
        since = position("since")
        try:
            page = call("GET", "/events", limit=200, **({"since": since} if since else {}))
        except Refused as refused:
            if refused.code != "event_pruned":
                raise
            # The last run is too long ago: begin with the oldest event, and with a full copy.
            with db:
                db.execute("DELETE FROM positions WHERE name <> 'institution'")
            continue
        with db:
            for event in page["items"]:
                db.execute("INSERT OR IGNORE INTO seen_events VALUES (:id, :type, :created_at)", event)
                if event["type"] == "student.updated":
                    db.execute("UPDATE students SET status = :status WHERE id = :student_id", event["data"])
            if page["next_since"] is not None:
                set_position("since", page["next_since"])
        more = page["has_more"]


def copy_changes():
    """Copies what changed at the service since the last run; everything in the first."""
    newest = position("students")
    query = {"updated_since": (datetime.datetime.fromisoformat(newest) - OVERLAP).isoformat().replace("+00:00", "Z")} if newest else {}
    students = list(walk("/students", **query))
    with db:
        for student in students:
            store_student(student)
        # Only after the whole walk: the list is newest first.
        if students:
            set_position("students", max([newest or "", *(student["updated_at"] for student in students)]))

    known = {row["id"]: row["updated_at"] for row in db.execute("SELECT id, updated_at FROM classes")}
    for group in walk("/groups"):
        if group["description"] != OWN_GROUP:
            continue
        if known.pop(group["id"], None) != group["updated_at"]:
            details = call("GET", f"/groups/{group['id']}")
            with db:
                store_class(details, [member["id"] for member in details["members"]])
    with db:
        for gone in known:  # Deleted by somebody else: the classes get new groups.
            db.execute("DELETE FROM classes WHERE id = ?", [gone])
        db.execute("DELETE FROM members WHERE class NOT IN (SELECT class FROM classes)")


def compare_students(roster):
    """New, renamed, left and returned students."""
    mirror = {row["student_id"]: row for row in db.execute("SELECT * FROM students").fetchall()}
    created = [row for student_id, row in roster.items() if student_id not in mirror]
    for start in range(0, len(created), 200):
        chosen = created[start:start + 200]
        students = [{"student_id": row["student_id"], "full_name": row["full_name"]} | ({"personal_email": row["email"]} if row.get("email") else {}) for row in chosen]
        yield {"kind": "create students", "students": students}
    active = [student for student in mirror.values() if student["status"] != "suspended"]
    leavers = [student["id"] for student in active if student["student_id"] not in roster]
    if len(active) >= 5 and len(leavers) > len(active) / 5 and "--many-leavers" not in OPTIONS:
        raise SystemExit(f"{len(leavers)} of {len(active)} students are not in the roster, and nobody was suspended; if that is right, run with --many-leavers")
    for leaver in leavers:
        db.execute("UPDATE students SET has_left = 1 WHERE id = ?", [leaver])
        yield {"kind": "change student", "id": leaver, "changes": {"status": "suspended"}}
    for student_id, student in mirror.items():
        if student_id not in roster:
            continue
        changes = {}
        if roster[student_id]["full_name"] != student["full_name"]:
            changes["full_name"] = roster[student_id]["full_name"]
        if student["status"] == "suspended" and student["has_left"]:  # Students whom somebody else suspended stay suspended.
            changes["status"] = "active"
        if changes:
            yield {"kind": "change student", "id": student["id"], "changes": changes}


def compare_classes(roster):
    """Groups of new classes, and members that changed; the group of a class that is gone is emptied."""
    wanted = {}
    for student in db.execute("SELECT student_id, id FROM students ORDER BY id").fetchall():
        name = roster.get(student["student_id"], {}).get("class")
        if name:
            wanted.setdefault(name, []).append(student["id"])
    classes = {row["class"]: row["id"] for row in db.execute("SELECT class, id FROM classes").fetchall()}
    for name in {**wanted, **classes}:
        student_ids = wanted.get(name, [])
        if name not in classes:
            yield {"kind": "create group", "class": name, "student_ids": student_ids}
        elif student_ids != [row["id"] for row in db.execute("SELECT id FROM members WHERE class = ? ORDER BY id", [name])]:
            yield {"kind": "replace members", "class": name, "id": classes[name], "student_ids": student_ids}


def read_roster():
    """Refuses a file that is no roster: students who are not in it are suspended."""
    roster = {}
    try:
        text = pathlib.Path(ROSTER_PATH).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SystemExit(f"{ROSTER_PATH} cannot be read: give the path of the roster, then that of the state") from error
    except UnicodeDecodeError as error:
        raise SystemExit(f"{ROSTER_PATH} is not UTF-8: save it as CSV in UTF-8") from error
    with io.StringIO(text, newline="") as file:
        reader = csv.reader(file, strict=True, skipinitialspace=True)
        lines, begin = [], 1
        try:
            for fields in reader:
                if fields:
                    lines.append((reader.line_num, [field.strip() for field in fields]))
                begin = reader.line_num + 1
        except csv.Error as error:
            # A quote that is not closed is noticed lines below.
            end = f" (this record goes on to line {reader.line_num})" if reader.line_num > begin else ""
            raise SystemExit(f"{ROSTER_PATH}, line {begin}: a quote is missing or too many{end}; a field with commas begins and ends with one") from error
    columns = [name.lower() for name in lines[0][1]] if lines else []
    for name in ("student_id", "full_name", "class") if columns else ():
        if name not in columns:
            hint = ": separate columns with commas" if len(columns) == 1 else ""
            raise SystemExit(f"{ROSTER_PATH} lacks the column {name}; it has {', '.join(columns)}{hint}")
    for number, fields in lines[1:]:
        if len(fields) != len(columns):
            raise SystemExit(f"{ROSTER_PATH}, line {number}: the first line has {len(columns)} fields, this one {len(fields)}; a field with commas begins and ends with a quote")
        row = dict(zip(columns, fields))
        if not row["student_id"]:
            raise SystemExit(f"{ROSTER_PATH}, line {number}: student_id is empty")
        if row["student_id"] in roster:
            raise SystemExit(f"{ROSTER_PATH}, line {number}: {row['student_id']} is there already; every line needs a student_id of its own")
        roster[row["student_id"]] = row
    if not roster:
        raise SystemExit(f"{ROSTER_PATH} has no students")
    return roster


def require_own_state():
    """Refuses a mirror of another institution: what is not in it would not be created."""
    institution = call("GET", "/me")["institution"]["id"]
    mirrored = position("institution")
    if mirrored not in (None, institution):
        raise SystemExit(f"{STATE_PATH} is the mirror of {mirrored}, and API_KEY is a key of {institution}: give each institution a file of its own.")
    with db:
        set_position("institution", institution)


def require_known_students():
    """Refuses a mirror from before a reset: its students would not be created again. Students keep their id otherwise, erased ones too."""
    newest = db.execute("SELECT id FROM students ORDER BY id DESC LIMIT 1").fetchone()
    if newest is None:
        return
    try:
        call("GET", f"/students/{newest['id']}")
    except Refused as refused:
        if refused.status != 404:
            raise
        raise SystemExit(f"{STATE_PATH} has students whom the institution does not have, as after a reset of the sandbox: delete it, and run the sync again.") from refused


def turn_on_unique_student_ids():
    config = call("GET", "/institution/config")
    if config["unique_student_ids"] or DRY_RUN:
        return
    try:
        call("PUT", "/institution/config", {**config, "unique_student_ids": True})
    except Refused as refused:
        if refused.status != 409:
            raise
        raise SystemExit(f"{refused}\nChange the student_id of all but one of them, for example in the portal, and run the sync again.") from refused


def passes(error):
    """Whether the error goes away without anybody's doing."""
    return isinstance(error, NoAnswer) or error.status == 429 or error.status >= 500


def way_out(error):
    """What to do after an error that ended the program."""
    if passes(error):
        return "Run it again."
    return {
        401: "API_KEY is not valid there: take a key that is, and its own BASE_URL.",
        403: "Take a key with the scopes that README.md names.",
        404: "BASE_URL is the address of the API and ends with /v1.",
    }.get(error.status, "docs/errors.md says what to do.")


def sync(roster):
    require_own_state()
    require_known_students()
    turn_on_unique_student_ids()
    flush_outbox()
    follow_feed()
    copy_changes()
    plan(compare_students, roster)
    flush_outbox()
    plan(compare_classes, roster)
    flush_outbox()
    follow_feed()


def main():
    roster = read_roster()
    try:
        sync(roster)
    finally:
        count_unnamed()
    groups = done.pop("groups")
    would = "would be " if DRY_RUN else ""
    changes = ", ".join(f"{count} {would}{what}" for what, count in done.items())
    outcome = "nothing was changed" if DRY_RUN else f"{failures} {'failure' if failures == 1 else 'failures'}"
    print(f"{len(roster)} students in the roster, {outcome}: {changes}, {groups} {'group' if groups == 1 else 'groups'} {would}created or changed")
    sys.exit(SOME_REFUSED if failures else 0)


try:
    main()
except (Refused, NoAnswer) as error:
    print(f"The sync is not finished: {str(error).rstrip('.')}. {way_out(error)}", file=sys.stderr)
    sys.exit(RUN_AGAIN if passes(error) else 1)
