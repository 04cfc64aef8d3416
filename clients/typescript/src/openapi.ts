export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the key that asks.
         * @description Scope: none; any valid key.
         */
        get: operations["describeKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every scope with what it grants.
         * @description Scope: none; any valid key.
         */
        get: operations["listScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/institution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the key's institution: its profile, and counts of people and licenses.
         * @description Scope: `institution:read`.
         */
        get: operations["getInstitution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/institution/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the integration config.
         * @description Scope: `institution:read`.
         */
        get: operations["getInstitutionConfig"];
        /**
         * Replace the integration config; a field left out takes its default.
         * @description Scope: `institution:write`. Fields left out of `default_ai_policy` and `default_proctoring` take their defaults too.
         */
        put: operations["replaceInstitutionConfig"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List students, newest first.
         * @description Scope: `students:read`.
         */
        get: operations["listStudents"];
        put?: never;
        /**
         * Provision a student with a login email and a license.
         * @description Scope: `students:write`. Store the returned login_email. After a call that got no answer, send it again with the same Idempotency-Key: without one, the same call makes another student.
         */
        post: operations["createStudent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a student by internal id or login email.
         * @description Scope: `students:read`.
         */
        get: operations["getStudent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a student; fields left out stay.
         * @description Scope: `students:write`.
         */
        patch: operations["updateStudent"];
        trace?: never;
    };
    "/students/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Provision up to 200 students in one call.
         * @description Scope: `students:write`. Items that fail have an error in the response, the others are created. The call waits at most 30 seconds: an item not created by then carries `internal_error` and will not be created later; when none was, the call returns 500. An Idempotency-Key names the batch: a repeat waits for the same one and gets the same results, the 500 too. Send items that were not created in a new call, with a new key.
         */
        post: operations["createStudentsBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/enrolment-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make enrolment codes for up to 200 students.
         * @description Scope: `students:write`. Students who get none have an error in the response, the others get theirs: unknown ones, those with a mapped personal email, and those named a second time.
         */
        post: operations["createEnrolmentCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/disclosures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who has read the data of a student, newest first.
         * @description Scope: `students:read`. Reads by API keys, by guardians, and by the platform, its staff, the admin and developers in the portal, which were answered; never what was read. Kept for a year, by the month. A read is on record within a second; one of the last second may be missing after a crash. What a person reads of their own is not recorded, nor is what a write returns, which the audit log has.
         */
        get: operations["listStudentDisclosures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a student: everything personal, in every store; scores, ledgers and counts stay.
         * @description Scope: `students:write`. At once the student is suspended and signed out, name, `student_id` and personal email are gone, the license is revoked and the links of guardians are removed; a workflow erases everything else; GET …/erasure shows its progress and, at the end, the certificate. A second call returns the erasure as it is. This cannot be undone. Emits student.updated. Refer to the student by id from now on: the login email becomes another one.
         */
        post: operations["eraseStudent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a student's erasure: its progress, and the certificate once it is done.
         * @description Scope: `students:read`.
         */
        get: operations["getStudentErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/exams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the exams that a student sees, with the state of their attempt and submission, newest first.
         * @description Scope: `exams:read`. An exam is visible once it is published and assigned to a group that the student belongs to; a closed one stays visible.
         */
        get: operations["listStudentExams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a student's newest export, with a URL of its archive once it is ready.
         * @description Scope: `students:read`. `archive` is there for keys with the scopes of POST /students/{id}/export; if recordings are in it, for those that have submissions:write as well.
         */
        get: operations["getStudentExport"];
        put?: never;
        /**
         * Export all data of a student as a zip archive.
         * @description Scope: `students:write`, and `licenses:read`, and `groups:read`, and `submissions:read`, and `merits:read`, and `guardians:read`, and `alpha:read`. A workflow writes the archive; GET /students/{id}/export has its URL once it is ready. It has student.json with its JSON Schema, what happened in each attempt, and the files that were handed in; recordings if the key has submissions:write. The archive is kept for 7 days, or until the next one is ready. While one with the same contents is being prepared, the call returns that. `conflict` for a student who was erased.
         */
        post: operations["exportStudent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/guardians": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the guardians of a student, newest first.
         * @description Scope: `guardians:read`.
         */
        get: operations["listStudentGuardians"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sign-ins of a student and the failed tries, newest first.
         * @description Scope: `students:read`. Kept for a year. Sign-ins by a code of the mailbox, and failed tries at one; requests for codes are not among them.
         */
        get: operations["listStudentSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a student; their sessions end at once and the license stays.
         * @description Scope: `students:write`.
         */
        post: operations["suspendStudent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reactivate a suspended student: active if they ever signed in, pending otherwise; conflict for an erased one.
         * @description Scope: `students:write`.
         */
        post: operations["reactivateStudent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/students/{id}/enrolment-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an enrolment code for a student who has no mapped personal email.
         * @description Scope: `students:write`. Where the config has `require_enrolment_code`, the student sends it with the address that they name at the first sign-in. It is shown once, and valid for 30 days, 5 tries and one enrolment; a new one replaces it. A student with a mapped personal email: conflict.
         */
        post: operations["createEnrolmentCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faculty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List faculty, the institution admin among them, newest first.
         * @description Scope: `faculty:read`.
         */
        get: operations["listFaculty"];
        put?: never;
        /**
         * Provision a faculty member with a login email and a license of 3 devices.
         * @description Scope: `faculty:write`. Sign-in codes go to the institution admin's mailbox until the profile is complete. Store the returned login_email.
         */
        post: operations["createFaculty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faculty/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a faculty member by internal id or login email.
         * @description Scope: `faculty:read`.
         */
        get: operations["getFaculty"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a faculty member; fields left out stay.
         * @description Scope: `faculty:write`. A suspension ends their sessions at once. Their license, groups and exams stay. The institution admin is not changed or suspended with a key (`conflict`): the operators of the platform do that, and they or the admin hand the role over.
         */
        patch: operations["updateFaculty"];
        trace?: never;
    };
    "/faculty/{id}/disclosures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who has read the data of a faculty member, newest first.
         * @description Scope: `faculty:read`. Reads by API keys, by guardians, and by the platform, its staff, the admin and developers in the portal, which were answered; never what was read. Kept for a year, by the month. A read is on record within a second; one of the last second may be missing after a crash. What a person reads of their own is not recorded, nor is what a write returns, which the audit log has.
         */
        get: operations["listFacultyDisclosures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faculty/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a faculty member: everything personal, in every store; groups, exams and grades stay.
         * @description Scope: `faculty:write`. At once the member is suspended and signed out, name, `faculty_id`, profile and mailbox are gone, and the license is revoked; a workflow erases everything else; GET …/erasure shows its progress and, at the end, the certificate. A second call returns the erasure as it is. This cannot be undone. Not the institution admin (`conflict`): the operators of the platform transfer the role first. No event.
         */
        post: operations["eraseFaculty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faculty/{id}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a faculty member's erasure: its progress, and the certificate once it is done.
         * @description Scope: `faculty:read`.
         */
        get: operations["getFacultyErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faculty/{id}/exams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the exams that a faculty member owns, newest first.
         * @description Scope: `exams:read`.
         */
        get: operations["listFacultyExams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/faculty/{id}/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sign-ins of a faculty member and the failed tries, newest first.
         * @description Scope: `faculty:read`. Kept for a year. Sign-ins by a code of the mailbox, and failed tries at one; requests for codes are not among them.
         */
        get: operations["listFacultySignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups, newest first.
         * @description Scope: `groups:read`.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group, with its members where they are named.
         * @description Scope: `groups:write`. `member_count` counts the added members, `skipped` lists the entries of `student_ids` that name no student. The group is created also where all of them are skipped: check that `skipped` is empty. A change (`PATCH /groups/{id}`) with such a list is `no_valid_students` and keeps the members.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a group with its members and assigned exams.
         * @description Scope: `groups:read`.
         */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        /**
         * Delete a group and unassign its exams; students, exams and submissions stay.
         * @description Scope: `groups:write`.
         */
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        /**
         * Change a group; fields left out stay.
         * @description Scope: `groups:write`. `student_ids` replaces the entire membership.
         */
        patch: operations["updateGroup"];
        trace?: never;
    };
    "/groups/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add students to a group; no-op for those who are members.
         * @description Scope: `groups:write`. At most 10,000 members a group, otherwise `conflict` and nobody is added.
         */
        post: operations["addGroupMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/groups/{id}/members/{studentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a student from a group; returns the internal id of the student.
         * @description Scope: `groups:write`.
         */
        delete: operations["removeGroupMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List licenses, newest first.
         * @description Scope: `licenses:read`.
         */
        get: operations["listLicenses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/licenses/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count licenses by type and status, and those that expire soon.
         * @description Scope: `licenses:read`.
         */
        get: operations["summarizeLicenses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/licenses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a license.
         * @description Scope: `licenses:read`.
         */
        get: operations["getLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/licenses/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend a license by days or to a moment; an expired one becomes active.
         * @description Scope: `licenses:write`. Exactly one of `days` and `expires_at`. A suspended license stays suspended; revoked and lifetime licenses: 409. The new expiry must be in the future, at most 100 years (36,500 days) away. If the license has expired without an event, `license.expired` is emitted before it becomes active.
         */
        post: operations["extendLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/licenses/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a license; its apps sign out within 5 minutes.
         * @description Scope: `licenses:write`. Its seats end at once. Revoking a revoked license returns it unchanged.
         */
        post: operations["revokeLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/licenses/{id}/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the devices of a license: its active seats in the apps, and every device that it has seen.
         * @description Scope: `licenses:read`. Each app gives a person two seats; a third device that signs in has the one signed out that signed in longest ago. A seat is kept while its app is not used, also beyond the 12 hours of a session. `page` and `limit` are those of `activations`.
         */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/licenses/{id}/devices/{seatId}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a device's seat: its session ends at once, its app signs out at the next heartbeat.
         * @description Scope: `licenses:write`. The device may sign in again, to a new seat; to keep somebody out, suspend them or revoke the license. What the device did not hand in yet stays on it. A seat that is not active any more: not_found.
         */
        post: operations["revokeSeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exams, newest first.
         * @description Scope: `exams:read`. Items have everything of an exam but `code_spec`, groups and stats, which GET /exams/{id} has.
         */
        get: operations["listExams"];
        put?: never;
        /**
         * Create an exam, published unless `publish` is false.
         * @description Scope: `exams:write`. A published exam with `group_ids` is assigned, announced and mailed at once; a draft when it is published. A group that is not of the institution: not_found, and nothing is created. A coding exam with hidden tests is created with `publish` false (otherwise `conflict`), and published once its code secret is set.
         */
        post: operations["createExam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an exam with its groups and stats.
         * @description Scope: `exams:read`.
         */
        get: operations["getExam"];
        put?: never;
        post?: never;
        /**
         * Delete an exam that nobody has attempted, with its assignments.
         * @description Scope: `exams:write`. Conflict once an attempt has started.
         */
        delete: operations["deleteExam"];
        options?: never;
        head?: never;
        /**
         * Change an exam; fields left out stay, `group_ids` replaces the assignments.
         * @description Scope: `exams:write`. Conflict: anything but title, due_date, allow_late_submission and late_penalty_percentage of a closed exam; max_score below a score that was given; another code_spec once an attempt has started; hidden tests in a published exam without its code secret. Groups newly assigned to a published exam are announced.
         */
        patch: operations["updateExam"];
        trace?: never;
    };
    "/exams/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a draft: its groups see it, and their students and guardians are notified by mail.
         * @description Scope: `exams:write`. No-op for a published exam. Conflict for a closed exam, and for a draft with hidden tests but no code secret (PUT /exams/{id}/code-secret sets it).
         */
        post: operations["publishExam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a published exam: no attempt begins any more, and those in progress end.
         * @description Scope: `exams:write`. What is not handed in by then cannot be handed in any more, and nothing opens the exam again. To let those who are writing finish, set a `due_date` by which they can, with `allow_late_submission` false, and close the exam after it; GET /exams/{id}/attempts lists who is still in progress. Grading stays possible. A closed exam is answered as it is; a draft is a conflict.
         */
        post: operations["closeExam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the groups that an exam is assigned to, the newest assignment first.
         * @description Scope: `exams:read`.
         */
        get: operations["listExamAssignments"];
        put?: never;
        /**
         * Assign an exam to further groups.
         * @description Scope: `exams:write`. Of a published exam, emits exam.assigned for each new group, and mails its students and their verified guardians. A group that is not of the institution: not_found, and nothing is assigned. Conflict for a closed exam, and beyond 500 groups. Returns the first page of all groups.
         */
        post: operations["assignExam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts at an exam: who started and when, the latest first.
         * @description Scope: `submissions:read`.
         */
        get: operations["listExamAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the students assigned to an exam with their scores, by login email.
         * @description Scope: `submissions:read`. Each student appears once, with the latest version of their submission; those without one are not_submitted.
         */
        get: operations["listExamScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the analytics of an exam: statistics of its submissions and attempts.
         * @description Scope: `submissions:read`. Each student counts once, with the latest version of their submission, also after leaving the groups that the exam is assigned to.
         */
        get: operations["getExamAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/export.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the scores of an exam as CSV, a record for each assigned student.
         * @description Scope: `submissions:read`. RFC 4180 in UTF-8 with a header record, by login email. A student counts once, by the latest version of their submission; without one the status is `not_submitted`. `student_id` is the institution’s own. A text that a spreadsheet would run as a formula has an apostrophe in front. The answer is sent as it is made: where something fails in between, the connection is reset and the file is to be asked for again.
         */
        get: operations["exportExamScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/assignments/{groupId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unassign an exam from a group; attempts and submissions stay.
         * @description Scope: `exams:write`.
         */
        delete: operations["unassignExam"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/code-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or replace the key of the hidden tests.
         * @description Scope: `exams:write`.
         */
        put: operations["setCodeSecret"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file of a coding exam: a starter, sample tests, or encrypted hidden tests.
         * @description Scope: `exams:write`. multipart/form-data with one part, `file`; at most 50 MiB unless agreed otherwise. What is answered as `file` goes into `code_spec`, of this or another exam. A closed exam takes none, and none takes more than 100: conflict.
         */
        post: operations["uploadExamFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/code-secret/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get whether a key is set, and when it was released to whom; never the key.
         * @description Scope: `exams:read`.
         */
        get: operations["getCodeSecretStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exams/{id}/code-secret/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the key of the hidden tests, to re-run them; each time is kept on record.
         * @description Scope: `exams:write`.
         */
        post: operations["releaseCodeSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List submissions, every version, newest first.
         * @description Scope: `submissions:read`. Items have everything of a submission but text, files, `ai_usage_data` and versions, which GET /submissions/{id} has.
         */
        get: operations["listSubmissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a submission with its files and all versions.
         * @description Scope: `submissions:read`. URLs of files are valid for one hour. `recordings` is there for keys with submissions:write alone.
         */
        get: operations["getSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submissions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened in the attempt that a submission came from, oldest first.
         * @description Scope: `submissions:read`.
         */
        get: operations["listSubmissionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submissions/{id}/grade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grade a submission, again too, or ask for a resubmission with the score -1.
         * @description Scope: `submissions:write`. A late one loses the exam's late penalty. Emits exam.graded; -1 also mails the student and their verified guardians, and lets the student submit again while the exam is published and still takes submissions; what comes after the due date is late. Conflict: a voided submission, any version but the latest, and one of a student who was erased.
         */
        post: operations["gradeSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submissions/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a submission: it counts no more, and the student may submit again.
         * @description Scope: `submissions:write`. They may while the exam is published and still takes submissions; what comes after the due date is late. void_failed: a voided submission, one that is to be made again, any version but the latest, and one of a student who was erased. No event.
         */
        post: operations["voidSubmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List guardian links, newest first.
         * @description Scope: `guardians:read`.
         */
        get: operations["listGuardians"];
        put?: never;
        /**
         * Link a guardian to a student, and invite them by mail.
         * @description Scope: `guardians:write`. Emits guardian.invited. The email is sent after the response, and a reminder after 3 days; the invitation expires after 14 days and can be sent again. At most 20 guardians a student, and 10 invitations to one address within 24 hours: conflict.
         */
        post: operations["inviteGuardian"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a guardian from a student; their access to the student ends at once.
         * @description Scope: `guardians:write`. Removing the last link of a guardian ends their sessions. No event.
         */
        delete: operations["removeGuardian"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the weekly Alpha reports of verified guardians, newest first.
         * @description Scope: `guardians:read`. One item for each report and verified guardian of its student. The reports of a week are written on the Monday after it, at 12:10 UTC, for students with a verified guardian who are enrolled or were active in the week, and sent to the guardians by mail, one email each. They are kept for 104 weeks. `since` is exclusive: give the newest `created_at` that you have. An item is created when the report is written and its guardian verified: older reports come as new items of a guardian who is verified later. A later change of `sent_at` does not return the item again.
         */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase the guardian of a link, with all links of this address in the institution.
         * @description Scope: `guardians:write`. At once the person, their links, sessions and sign-in codes are deleted; a workflow erases everything else; GET …/erasure shows its progress and, at the end, the certificate. A second call returns the erasure as it is. This cannot be undone. Both are found by the id of any of the links. No event.
         */
        post: operations["eraseGuardian"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a guardian's erasure by the id of a former link: its progress, and the certificate once it is done.
         * @description Scope: `guardians:read`.
         */
        get: operations["getGuardianErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/guardians/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the invitation of a guardian link; valid for 14 days from now.
         * @description Scope: `guardians:write`. The previous invitation is no longer valid, even if it was accepted. Conflict within 10 minutes of the previous invitation (the message says when it can be sent again), and after 10 invitations to the address within 24 hours. No event.
         */
        post: operations["resendGuardianInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alpha/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The students with the most points; suspended ones and those without points are left out.
         * @description Scope: `alpha:read`.
         */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alpha/curricula": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the published curricula, shared ones and the institution's own, newest first.
         * @description Scope: `alpha:read`. Without their concepts, which `GET /alpha/curricula/{id}` has.
         */
        get: operations["listCurricula"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alpha/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List enrollments, newest first.
         * @description Scope: `alpha:read`.
         */
        get: operations["listEnrollments"];
        put?: never;
        /**
         * Enroll up to 200 students in a published curriculum.
         * @description Scope: `alpha:write`. Students who already have an enrollment in it that is not withdrawn keep it unchanged, with its daily target, so the call is safe to repeat.
         */
        post: operations["enrollStudents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alpha/students/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a student's points, streak, badges, enrollments and last days.
         * @description Scope: `alpha:read`.
         */
        get: operations["getAlphaStudent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alpha/curricula/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a published curriculum, shared or the institution's own, with its concepts.
         * @description Scope: `alpha:read`.
         */
        get: operations["getCurriculum"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alpha/enrollments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Pause, resume or withdraw an enrollment.
         * @description Scope: `alpha:write`. Completed and withdrawn enrollments cannot be changed: conflict. To undo a withdrawal, enroll the student again; mastered concepts are kept.
         */
        patch: operations["updateEnrollment"];
        trace?: never;
    };
    "/alpha/students/{id}/mastery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a student's concepts with score and status.
         * @description Scope: `alpha:read`. Every concept of each curriculum that the student is or was enrolled in: the curriculum of the newest enrollment first, its concepts in their own order.
         */
        get: operations["listMastery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alpha/students/{id}/points": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a student's points: stats, and one page of the ledger.
         * @description Scope: `alpha:read`.
         */
        get: operations["getPoints"];
        put?: never;
        /**
         * Award or deduct points; idempotent per `ref`.
         * @description Scope: `alpha:write`. A repeat with the same student, points and note returns the first result, with `applied: false`. Conflict for a different request under the same ref, and for a deduction of more points than the student has. Emits alpha.points_awarded.
         */
        post: operations["awardPoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merits/allowance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the institution has left to credit.
         * @description Scope: `merits:read`.
         */
        get: operations["getAllowance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merits/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit a person's wallet from the allowance; idempotent per ref.
         * @description Scope: `merits:write`. A repeat with the same body always returns the first result, with `applied: false`; the same ref with another person, amount or reason: conflict. An error response changes nothing, so the same ref may be sent again. Emits merits.credited.
         */
        post: operations["creditMerits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merits/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every move of money in the institution, newest first.
         * @description Scope: `merits:read`. Each move has a unique `created_at`, later than that of every move before it: a caller that sends the newest `created_at` it has as `since` misses no move.
         */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/merits/wallets/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a person's wallet: balance and last 50 moves.
         * @description Scope: `merits:read`. Every student and faculty member has one, empty before its first move, and keeps it when suspended.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List coupon batches, newest first.
         * @description Scope: `coupons:read`.
         */
        get: operations["listCouponBatches"];
        put?: never;
        /**
         * Request a batch of coupons; a platform admin approves or rejects it.
         * @description Scope: `coupons:write`. After a call that got no answer, send it again with the same Idempotency-Key: without one, the same call requests another batch. Conflict while 100 wait for a decision. Emits coupon.batch_requested.
         */
        post: operations["requestCouponBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons/redemptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who has redeemed which coupons, newest first.
         * @description Scope: `coupons:read`.
         */
        get: operations["listCouponRedemptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupons/batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a coupon batch; its codes once it is approved.
         * @description Scope: `coupons:read`.
         */
        get: operations["getCouponBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events without webhooks, oldest first.
         * @description Scope: `webhooks:read`. Pass `next_since` of each response as the next `since`: no event is missed and none repeated. Events are kept for 30 days; `event_pruned` says that one which would have matched after `since` is no longer kept.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the event types with the schema of their data.
         * @description Scope: `webhooks:read`.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints, newest first.
         * @description Scope: `webhooks:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint; its signing secret is returned only once.
         * @description Scope: `webhooks:write`. At most 20 endpoints an institution, and 60 created within an hour, deleted ones included (`endpoint_limit`). The host must be public, by its name and by what it resolves to.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, newest first.
         * @description Scope: `webhooks:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint.
         * @description Scope: `webhooks:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint; its open deliveries are cancelled, all stay readable.
         * @description Scope: `webhooks:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a webhook endpoint; fields left out stay.
         * @description Scope: `webhooks:write`. A disabled endpoint comes back with `status: active`; pausing it is a `conflict`. Support staff may change `status` alone.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts.
         * @description Scope: `webhooks:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret; the new secret is returned only once.
         * @description Scope: `webhooks:write`. During the grace attempts carry the signatures of both secrets, newest first, and of both keys where the endpoint has one; `grace_hours: 0` ends the old one at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a `ping`, or the sample of another event type, to a webhook endpoint and wait for its response.
         * @description Scope: `webhooks:write`. Signed and checked as every delivery is, once and for 10 seconds at most; it appears neither among events nor deliveries. Where it is accepted and deliveries are held because their attempts failed, the oldest of them is tried at once.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/replay-dead": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend every dead delivery of an endpoint, oldest first.
         * @description Scope: `webhooks:write`. Those whose events are still kept, each with a new window of 12 hours; with `until`, `event_types` or `response_codes`, only those that match all of them. With `dry_run` it only counts. The replay continues after the response, and stops when the endpoint is paused, disabled or deleted.
         */
        post: operations["replayDeadDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an endpoint the events of a time for which it has no delivery, oldest first.
         * @description Scope: `webhooks:write`. For events that happened while the endpoint was disabled, or before it existed: those that it subscribes to now and that are still kept each get a delivery, with a window of 12 hours from now. An event with a delivery, in any status, gets no other. With `dry_run` it only counts. The recovery continues after the response, and stops when the endpoint is paused, disabled or deleted.
         */
        post: operations["recoverDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivered, dead or cancelled delivery, with a new window of 12 hours.
         * @description Scope: `webhooks:write`. The same delivery id and the same envelope. While the delivery is open: `conflict`. While the endpoint is paused or disabled, a replay is always `endpoint_inactive`, even where the delivery is still open.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/endpoints/{id}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the attempts at a webhook endpoint, their failures and latency.
         * @description Scope: `webhooks:read`. By the hour of the last 24 hours, or by 24 hours of the last 30 days.
         */
        get: operations["getWebhookEndpointStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Reset the sandbox: erase its data, as if it was new.
         * @description Scope: `institution:write`. Test keys alone: `not_found` with a live key. Answers at once; a workflow erases the data, the files and the clock. Until it is done every other call of a test key is `conflict`. Keys and audit log stay, and the config is that of the institution again. A repetition while a reset is under way changes nothing.
         */
        delete: operations["resetSandbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the emails that the sandbox kept instead of sending them, newest first.
         * @description Scope: `institution:read`. Test keys alone: `not_found` with a live key. Sign-in codes and links of invitations are in them. The newest 1,000 are kept, for 30 days.
         */
        get: operations["listSandboxEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the sandbox's own clock.
         * @description Scope: `institution:read`. Test keys alone: `not_found` with a live key.
         */
        get: operations["readSandboxClock"];
        put?: never;
        /**
         * Move the sandbox's own clock forward; what falls due happens within seconds.
         * @description Scope: `institution:write`. Test keys alone: `not_found` with a live key. At most 7776000 seconds (90 days) a call, and 3,650 days ahead of the real time in all; the clock never moves back. Licenses expire, invitations and coupon batches lapse, attempts and due dates pass, weekly reports are written and webhook deliveries are retried. Two calls at the same time add up. Signatures, download URLs and keys stay on the real time.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/coupons/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a coupon into a student's wallet, once, as the app does.
         * @description Scope: `coupons:write`. Test keys alone: `not_found` with a live key. The student has signed in before. Emits merits.credited and coupon.redeemed. Conflict for a coupon that is expired or already redeemed.
         */
        post: operations["redeemSandboxCoupon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/alpha/curricula": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a curriculum of the sandbox's own and publish it, as an admin does in the portal.
         * @description Scope: `alpha:write`. Test keys alone: `not_found` with a live key. Students can be enrolled in it at once. An institution has at most 500 of its own: conflict beyond.
         */
        post: operations["publishSandboxCurriculum"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/exams/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a student's attempt at an exam, or resume the one in progress, as the app does.
         * @description Scope: `exams:write`. Test keys alone: `not_found` with a live key. The student has signed in before, and sees the exam: it is published, and assigned to a group of theirs. Emits exam.attempt_started. Conflict when the exam takes nothing more, when the time of the attempt is over, and after a submission; unless it was voided, or asked for again.
         */
        post: operations["startSandboxAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/attempts/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a batch of proctoring events of an attempt, each once, as the app does.
         * @description Scope: `submissions:write`. Test keys alone: `not_found` with a live key. Taken until 24 hours after the end of the attempt, and 20,000 an attempt: conflict beyond.
         */
        post: operations["recordSandboxAttemptEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/attempts/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file of an attempt, as the app does: an attachment, or a segment of a recording.
         * @description Scope: `submissions:write`. Test keys alone: `not_found` with a live key. multipart/form-data with the parts `kind` and `file`. An attachment is part of the submission once `attachments` names it. Attachments are taken while the attempt is in progress, recordings until 24 hours after its end, and 1,000 files in all: conflict beyond.
         */
        post: operations["uploadSandboxAttemptFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/attempts/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit an attempt, once, as the app does: the next version of the submission.
         * @description Scope: `submissions:write`. Test keys alone: `not_found` with a live key. Emits exam.submitted. Late after the due date. Conflict when the attempt is over, the exam closed, or the due date past where nothing may be late. An attempt that ended before it was handed in is used up: another one begins only where an earlier submission of the exam is asked for again or voided.
         */
        post: operations["submitSandboxAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/guardians/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept the newest invitation of a guardian link, as the link in its email does.
         * @description Scope: `guardians:write`. Test keys alone: `not_found` with a live key. Conflict if it was accepted or has expired. No event: the first sign-in verifies the link.
         */
        post: operations["acceptSandboxInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/guardians/{id}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign the guardian of a link in, as the code from their mailbox does.
         * @description Scope: `guardians:write`. Test keys alone: `not_found` with a live key. Verifies every link that they have accepted (guardian.verified each). Conflict for a guardian who has accepted no invitation, or only expired ones.
         */
        post: operations["signInSandboxGuardian"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/licenses/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the term of a license end now; the license expires.
         * @description Scope: `licenses:write`. Test keys alone: `not_found` with a live key. Emits license.expired. An expired license is answered unchanged. Conflict for a suspended, revoked or lifetime license.
         */
        post: operations["expireSandboxLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/students/{id}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a student in, on a device too, as the app and the code from their mailbox do.
         * @description Scope: `students:write`. Test keys alone: `not_found` with a live key. The first sign-in makes a pending student active (student.updated) and maps `personal_email` (student.email_mapped). With `app` and `device` it takes a seat, conflict if the license is not active; a device that is new to the license is registered (license.device_registered). Without them the license is not looked at. Conflict if another person has the email. Answers without the session, which nothing needs here.
         */
        post: operations["signInSandboxStudent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/coupons/batches/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a coupon batch, as a platform admin does: its codes are made.
         * @description Scope: `coupons:write`. Test keys alone: `not_found` with a live key. It answers before they are: GET /coupons/batches/{id} has them once it is `approved`, within seconds, and coupon.batch_approved is emitted. An approved batch is answered unchanged. Conflict for one that is rejected, and from its expiry date on.
         */
        post: operations["approveSandboxCouponBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/coupons/batches/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a coupon batch, as a platform admin does.
         * @description Scope: `coupons:write`. Test keys alone: `not_found` with a live key. A rejected batch is answered unchanged. Conflict for one that is approved, and from its expiry date on.
         */
        post: operations["rejectSandboxCouponBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/alpha/students/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a student's progress on a concept, as the app does; idempotent per `ref`.
         * @description Scope: `alpha:write`. Test keys alone: `not_found` with a live key. The student has signed in before. The rules are those of the app: conflict for a paused or withdrawn enrollment, and after 1,000 reports in a day.
         */
        post: operations["reportSandboxProgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description What went wrong, for programs.
         * @enum {string}
         */
        ErrorCode: "already_added" | "already_verified" | "conflict" | "endpoint_inactive" | "endpoint_limit" | "event_pruned" | "events_required" | "file_too_large" | "forbidden" | "https_required" | "insufficient_allowance" | "insufficient_scope" | "internal_error" | "invalid_api_key" | "invalid_faculty" | "no_owner" | "no_secret" | "no_valid_students" | "not_found" | "private_host" | "rate_limited" | "rate_limiter_unavailable" | "unauthorized" | "user_inactive" | "user_not_found" | "validation_error" | "void_failed";
        Activation: {
            /**
             * @description The app's own name for the device; the same in every app.
             * @example 0c5b1f6e-4e0c-4c3f-9a53-2f6f6f0f7a10
             */
            device_id: string;
            /** @example Ada's laptop */
            device_name: string;
            /** @example macos */
            platform: string;
            /**
             * @description As of the last heartbeat that reported it.
             * @example 2.4.1
             */
            app_version: string;
            /**
             * Format: date-time
             * @example 2026-09-03T07:55:00.000Z
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description The last sign-in or heartbeat, to the minute.
             * @example 2026-11-20T09:30:00.000Z
             */
            last_seen_at: string;
        };
        Allowance: {
            /**
             * @description What is left to credit.
             * @example 498500
             */
            allowance_cents: number;
            /**
             * @description What the platform has granted in all, less what it took back: always `allowance_cents` + `credited_cents`.
             * @example 500000
             */
            granted_cents: number;
            /**
             * @description What has been credited to wallets in all; coupons are not paid from the allowance.
             * @example 1500
             */
            credited_cents: number;
        };
        /** @description An Alpha Learning badge was granted. */
        AlphaBadgeGrantedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "alpha.badge_granted";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["AlphaBadgeGrantedEventData"];
        };
        AlphaBadgeGrantedEventData: {
            student_id: string;
            /** @enum {string} */
            badge: "first_mastery" | "streak_7_days" | "points_100" | "points_1000" | "curriculum_complete";
        };
        /** @description Alpha Learning points were awarded or taken. */
        AlphaPointsAwardedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "alpha.points_awarded";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["AlphaPointsAwardedEventData"];
        };
        AlphaPointsAwardedEventData: {
            student_id: string;
            points: number;
            balance: number;
            ref: string | null;
        };
        AlphaStudent: {
            student: {
                /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /** @example student1.9f86d081@north.example */
                login_email: string;
                /** @example Ada Lovelace */
                full_name: string | null;
                /**
                 * @example active
                 * @enum {string}
                 */
                status: "pending" | "active" | "suspended";
            };
            points: components["schemas"]["PointsStats"];
            streak: {
                /**
                 * @description Consecutive days, up to today or yesterday, on which a daily target was met.
                 * @example 5
                 */
                current: number;
                /**
                 * @description The longest streak so far.
                 * @example 12
                 */
                longest: number;
                /** @example true */
                met_today: boolean;
            };
            /** @description Oldest first. */
            badges: components["schemas"]["Badge"][];
            /** @description The newest 50. */
            enrollments: components["schemas"]["EnrollmentProgress"][];
            /** @description The last 14 days in the institution's time zone, today first. */
            days: {
                /**
                 * Format: date
                 * @example 2026-11-20
                 */
                day: string;
                /**
                 * @description In all enrollments.
                 * @example 35
                 */
                minutes: number;
                /**
                 * @description Whether a daily target was met.
                 * @example true
                 */
                met: boolean;
            }[];
        };
        ApiKey: {
            /** @example key_01jd4k6f2mep2s5xg5yhc8m1zr */
            key_id: string;
            /** @example SIS synchronisation */
            name: string;
            /**
             * @description `test`: the key belongs to the sandbox of an institution.
             * @example live
             * @enum {string}
             */
            environment: "live" | "test";
            institution: {
                /** @example ins_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /** @example North School */
                name: string;
            };
            /**
             * @example [
             *       "students:read"
             *     ]
             */
            scopes: ("students:read" | "students:write" | "faculty:read" | "faculty:write" | "groups:read" | "groups:write" | "licenses:read" | "licenses:write" | "exams:read" | "exams:write" | "submissions:read" | "submissions:write" | "coupons:read" | "coupons:write" | "merits:read" | "merits:write" | "guardians:read" | "guardians:write" | "alpha:read" | "alpha:write" | "institution:read" | "institution:write" | "webhooks:read" | "webhooks:write")[];
            /** @example 600 */
            rate_limit_per_min: number;
            /**
             * @description The same as the header X-Request-Id.
             * @example req_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            request_id: string;
        };
        AssignedGroup: {
            /** @example grp_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Algebra 9b */
            name: string;
            /** @example 28 */
            member_count: number;
            /**
             * Format: date-time
             * @example 2026-11-16T09:00:00.000Z
             */
            assigned_at: string;
        };
        Badge: {
            /**
             * @example first_mastery
             * @enum {string}
             */
            badge: "first_mastery" | "streak_7_days" | "points_100" | "points_1000" | "curriculum_complete";
            /**
             * Format: date-time
             * @example 2026-11-21T08:10:00.000Z
             */
            granted_at: string;
        };
        BegunAttempt: {
            /** @example att_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
            exam_id: string;
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            student_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @description The attempt is over from this very moment on; null where it has no end.
             * @example 2026-11-20T11:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the app fetched the hidden-test key.
             * @example null
             */
            hidden_released_at: string | null;
            /**
             * @example in_progress
             * @enum {string}
             */
            status: "in_progress" | "submitted" | "abandoned";
            /**
             * @description Whether it had begun before.
             * @example false
             */
            resumed: boolean;
            code_spec: components["schemas"]["OpenedCodeSpec"] | null;
        };
        BulkReplay: {
            /**
             * @description Names this replay to support, and in `sent_by` of the list of deliveries; null where nothing matched, and of a dry run.
             * @example rpl_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            workflow_id: string | null;
            /**
             * @description Dead deliveries that will be sent again.
             * @example 12
             */
            matched: number;
        };
        BulkStudentCreated: {
            /**
             * @description The place in the call, from 0.
             * @example 0
             */
            index: number;
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description What the student types to sign in.
             * @example student1.9f86d081@north.example
             */
            login_email: string;
        };
        BulkStudentFailed: {
            /**
             * @description The place in the call, from 0.
             * @example 1
             */
            index: number;
            /**
             * @description `validation_error`: `issues` names every problem. `conflict`: the personal email is mapped already, or an earlier item has it. With `unique_student_ids` also: the `student_id` is used already, or an earlier item has it; `existing` is that student. `internal_error`: not created in time, and not created later.
             * @example conflict
             * @enum {string}
             */
            error: "validation_error" | "conflict" | "internal_error";
            /**
             * @description What went wrong, for people.
             * @example personal_email is already used by another person in this institution.
             */
            message: string;
            /** @description With `validation_error` only. */
            issues?: {
                /**
                 * @description Where in the item, in dotted form; empty for the item itself.
                 * @example license_days
                 */
                path: string;
                /**
                 * @description What would be right.
                 * @example license_days must be a number
                 */
                message: string;
            }[];
            /** @description With a `conflict` of the `student_id` only: the student who has it. */
            existing?: {
                /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /** @example student1.9f86d081@north.example */
                login_email: string;
            };
        };
        BulkStudents: {
            /**
             * @description How many students were created.
             * @example 1
             */
            created: number;
            /**
             * @description How many were not.
             * @example 1
             */
            failed: number;
            /**
             * @description One entry per item, in input order.
             * @example [
             *       {
             *         "index": 0,
             *         "id": "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
             *         "login_email": "student1.9f86d081@north.example"
             *       },
             *       {
             *         "index": 1,
             *         "error": "conflict",
             *         "message": "personal_email is already used by another person in this institution."
             *       }
             *     ]
             */
            results: (components["schemas"]["BulkStudentCreated"] | components["schemas"]["BulkStudentFailed"])[];
        };
        ChangedGroup: {
            /** @example grp_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Algebra 9b */
            name: string;
            /** @example Mondays and Thursdays */
            description: string | null;
            /**
             * @description Internal id of the owner.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            faculty_id: string;
            /** @example 28 */
            member_count: number;
            /**
             * Format: date-time
             * @example 2026-09-01T08:10:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last change of the group or of its members.
             * @example 2026-09-01T08:10:00.000Z
             */
            updated_at: string;
            /**
             * @description Entries of `student_ids` that are neither the internal id nor the login email of a student of the institution: as sent, each once.
             * @example [
             *       "W-1042"
             *     ]
             */
            skipped: string[];
        };
        CodeSecret: {
            /** @example AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= */
            hidden_key_b64: string;
        };
        CodeSecretSet: {
            /**
             * @example true
             * @enum {boolean}
             */
            set: true;
            /**
             * Format: date-time
             * @example 2026-11-16T09:02:00.000Z
             */
            set_at: string;
        };
        CodeSecretStatus: {
            /**
             * @description Whether a key is set.
             * @example true
             */
            set: boolean;
            /**
             * Format: date-time
             * @description When it was last set.
             * @example 2026-11-16T09:02:00.000Z
             */
            set_at: string | null;
            /**
             * @description How often the key was released in all.
             * @example 1
             */
            release_count: number;
            /** @description The newest first, 200 at most. */
            releases: {
                /**
                 * @description Null for a release to an integration.
                 * @example att_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                attempt_id: string | null;
                /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                student_id: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:30:00.000Z
                 */
                released_at: string;
                /**
                 * @description `app`, or the id of the API key.
                 * @example app
                 */
                by: string;
            }[];
        };
        CodeSpec: {
            /**
             * @description The version of this format: always 1.
             * @example 1
             * @enum {integer}
             */
            v: 1;
            /**
             * @description The exam brief, in Markdown.
             * @example # Sum
             *     Write a function that adds two numbers.
             */
            brief_md: string;
            /**
             * @description Must be among the institution's `allowed_toolchains`; apps install what a machine lacks.
             * @example python
             * @enum {string}
             */
            toolchain: "c" | "cpp" | "java" | "python" | "node" | "sqlite";
            /**
             * @example {
             *       "kind": "empty"
             *     }
             */
            starter: {
                /**
                 * @description Here `zip`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "zip";
                /** @description A file uploaded through POST /exams/{id}/files, of this or another exam. */
                file: {
                    /**
                     * @description The `id` of the upload's response.
                     * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    id: string;
                };
            } | {
                /**
                 * @description Here `empty`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "empty";
            };
            /**
             * @example {
             *       "kind": "inline",
             *       "files": [
             *         {
             *           "path": "tests/test_sum.py",
             *           "content": "def test_sum(): ...\n"
             *         }
             *       ]
             *     }
             */
            sample_tests: {
                /**
                 * @description Here `inline`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "inline";
                /** @description At most 200 files and 1 MiB in all. */
                files: {
                    /**
                     * @description Relative, with `/` between its parts and no `..`; no two files have the same.
                     * @example tests/test_sum.py
                     */
                    path: string;
                    /**
                     * @description The text of the file.
                     * @example def test_sum(): ...
                     */
                    content: string | "";
                }[];
            } | {
                /**
                 * @description Here `zip`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "zip";
                /** @description A file uploaded through POST /exams/{id}/files, of this or another exam. */
                file: {
                    /**
                     * @description The `id` of the upload's response.
                     * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    id: string;
                };
            } | null;
            /** @example null */
            hidden_tests: {
                /**
                 * @description Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null.
                 * @enum {string}
                 */
                kind: "zip-encrypted";
                /** @description A file uploaded through POST /exams/{id}/files, of this or another exam. */
                file: {
                    /**
                     * @description The `id` of the upload's response.
                     * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    id: string;
                };
                /**
                 * @description Base64 of the 12-byte initialisation vector.
                 * @example AAECAwQFBgcICQoL
                 */
                iv_b64: string;
                /**
                 * @description Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file.
                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                sha256: string;
            } | null;
            commands: {
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example pip install -r {{workspace}}/requirements.txt
                 */
                setup: string | null;
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example python {{workspace}}/main.py
                 */
                run: string | null;
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example pytest {{workspace}}/tests --junitxml {{results}}/sample.xml
                 */
                test_sample: string | null;
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example pytest {{hidden}} --junitxml {{results}}/hidden.xml
                 */
                test_hidden: string | null;
                /**
                 * @description How long one command may run, in ms.
                 * @example 60000
                 */
                timeout_ms: number;
            };
            /**
             * @example {
             *       "allowed": false,
             *       "model_tier": "local"
             *     }
             */
            ai_policy: {
                /**
                 * @description False disables the assistant entirely.
                 * @example true
                 */
                allowed: boolean;
                /**
                 * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                 * @example any
                 * @enum {string}
                 */
                model_tier: "any" | "cloud" | "local";
            } | null;
            /**
             * @description In Markdown; for those who grade: the app does not get it.
             * @example 2 points for each passed test.
             */
            rubric_md: string | null;
            /**
             * @example [
             *       "node_modules/**"
             *     ]
             */
            exclude_globs: string[];
        };
        Concept: {
            /**
             * @description Unique in the curriculum.
             * @example fractions.adding
             */
            id: string;
            /** @example Adding fractions */
            title: string;
            /**
             * @description Ids of the concepts that come before it. Informational; not enforced.
             * @example [
             *       "fractions.reading"
             *     ]
             */
            requires: string[];
        };
        ConceptMastery: {
            /** @example cur_01jd4k6f2mep2s5xg5yhc8m1zr */
            curriculum_id: string;
            /** @example Fractions */
            curriculum_title: string;
            /** @example fractions.adding */
            concept_id: string;
            /** @example Adding fractions */
            title: string;
            /**
             * @example [
             *       "fractions.reading"
             *     ]
             */
            requires: string[];
            /**
             * @description The best so far, of 100; null where it is not started.
             * @example 92.5
             */
            score: number | null;
            /**
             * @description Mastered from a score of 80 on; a mastered concept stays mastered.
             * @example mastered
             * @enum {string}
             */
            status: "not_started" | "learning" | "mastered";
            /**
             * Format: date-time
             * @description When it was mastered.
             * @example 2026-11-20T09:30:00.000Z
             */
            mastered_at: string | null;
            /**
             * Format: date-time
             * @description The last progress in it.
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string | null;
        };
        Coupon: {
            /** @example 7CKR4MNX9TWA3HPF */
            code: string;
            /**
             * @description Internal id of who redeemed it.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            redeemed_by: string | null;
            /**
             * Format: date-time
             * @description When it was redeemed.
             * @example 2026-11-23T12:10:00.000Z
             */
            redeemed_at: string | null;
        };
        CouponBatch: {
            /** @example cpb_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Science fair */
            name: string;
            /** @example 100 */
            total_coupons: number;
            /** @example 500 */
            value_cents: number;
            /**
             * Format: date-time
             * @description From then on no coupon is redeemed.
             * @example 2031-06-30T22:00:00.000Z
             */
            expiry_date: string;
            /**
             * @description `pending` until a platform admin has decided and, once they have approved, the last code is made; `expired` when nobody decided before `expiry_date`.
             * @example approved
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "expired";
            /**
             * @description The reason given with the decision; null without one.
             * @example Agreed for this term
             */
            reason: string | null;
            /**
             * @description Coupons that have been redeemed.
             * @example 1
             */
            redeemed_count: number;
            /**
             * Format: date-time
             * @description When it was approved or rejected.
             * @example 2026-11-22T10:00:00.000Z
             */
            decided_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last change of the batch itself; redemptions do not count.
             * @example 2026-11-22T10:00:00.000Z
             */
            updated_at: string;
            /** @description All coupons of an `approved` batch; empty before. Lists of batches leave it out. */
            codes: components["schemas"]["Coupon"][];
        };
        /** @description A platform admin approved a coupon batch. */
        CouponBatchApprovedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coupon.batch_approved";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["CouponBatchApprovedEventData"];
        };
        CouponBatchApprovedEventData: {
            batch_id: string;
            total_coupons: number;
            value_cents: number;
        };
        /** @description A coupon batch was requested. */
        CouponBatchRequestedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coupon.batch_requested";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["CouponBatchRequestedEventData"];
        };
        CouponBatchRequestedEventData: {
            batch_id: string;
            total_coupons: number;
            value_cents: number;
        };
        CouponBatchSummary: {
            /** @example cpb_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Science fair */
            name: string;
            /** @example 100 */
            total_coupons: number;
            /** @example 500 */
            value_cents: number;
            /**
             * Format: date-time
             * @description From then on no coupon is redeemed.
             * @example 2031-06-30T22:00:00.000Z
             */
            expiry_date: string;
            /**
             * @description `pending` until a platform admin has decided and, once they have approved, the last code is made; `expired` when nobody decided before `expiry_date`.
             * @example approved
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "expired";
            /**
             * @description The reason given with the decision; null without one.
             * @example Agreed for this term
             */
            reason: string | null;
            /**
             * @description Coupons that have been redeemed.
             * @example 1
             */
            redeemed_count: number;
            /**
             * Format: date-time
             * @description When it was approved or rejected.
             * @example 2026-11-22T10:00:00.000Z
             */
            decided_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-22T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last change of the batch itself; redemptions do not count.
             * @example 2026-11-22T10:00:00.000Z
             */
            updated_at: string;
        };
        /** @description A coupon was redeemed. */
        CouponRedeemedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "coupon.redeemed";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["CouponRedeemedEventData"];
        };
        CouponRedeemedEventData: {
            batch_id: string;
            user_id: string;
            value_cents: number;
        };
        CouponRedemption: {
            /** @example cpb_01jd4k6f2mep2s5xg5yhc8m1zr */
            batch_id: string;
            /** @example Science fair */
            batch_name: string;
            /** @example 7CKR4MNX9TWA3HPF */
            code: string;
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            user_id: string;
            /**
             * @description Login email.
             * @example student1.9f86d081@north.example
             */
            email: string;
            /** @example 500 */
            value_cents: number;
            /**
             * Format: date-time
             * @example 2026-11-23T12:10:00.000Z
             */
            redeemed_at: string;
        };
        Credit: {
            /**
             * @description The move, as the ledger has it.
             * @example mov_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /**
             * @description The login email.
             * @example student1.9f86d081@north.example
             */
            email: string;
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            user_id: string;
            /** @example 500 */
            amount_cents: number;
            /**
             * @description What the wallet held after the move.
             * @example 1500
             */
            balance_cents: number;
            /** @example Prize of the term */
            reason: string | null;
            /** @example prize-2026-11-20-ada */
            ref: string;
            /**
             * @description False where the ref had moved it before: the response is that of the first request.
             * @example true
             */
            applied: boolean;
            /**
             * Format: date-time
             * @example 2026-11-21T08:15:00.000Z
             */
            created_at: string;
            /**
             * @description What was left of the allowance after the move.
             * @example 498500
             */
            allowance_cents: number;
        };
        Curriculum: {
            /** @example cur_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Fractions */
            title: string;
            /**
             * @description Made by the platform, for every institution; otherwise it is the institution's own.
             * @example false
             */
            shared: boolean;
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published";
            /** @example 3 */
            concept_count: number;
            /**
             * Format: date-time
             * @description Null for a draft.
             * @example 2026-08-28T08:00:00.000Z
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @example 2026-08-28T08:00:00.000Z
             */
            created_at: string;
        };
        CurriculumDetails: {
            /** @example cur_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Fractions */
            title: string;
            /**
             * @description Made by the platform, for every institution; otherwise it is the institution's own.
             * @example false
             */
            shared: boolean;
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published";
            /** @example 3 */
            concept_count: number;
            /**
             * Format: date-time
             * @description Null for a draft.
             * @example 2026-08-28T08:00:00.000Z
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @example 2026-08-28T08:00:00.000Z
             */
            created_at: string;
            /**
             * @description In the order in which they were given.
             * @example [
             *       {
             *         "id": "fractions.reading",
             *         "title": "Reading fractions",
             *         "requires": []
             *       },
             *       {
             *         "id": "fractions.adding",
             *         "title": "Adding fractions",
             *         "requires": [
             *           "fractions.reading"
             *         ]
             *       },
             *       {
             *         "id": "fractions.dividing",
             *         "title": "Dividing fractions",
             *         "requires": [
             *           "fractions.adding"
             *         ]
             *       }
             *     ]
             */
            concepts: components["schemas"]["Concept"][];
        };
        Delivery: {
            /**
             * @description Also in the header X-Svc-Delivery-Id.
             * @example whd_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /** @example evt_01jd4k6f2mep2s5xg5yhc8m1zr */
            event_id: string;
            /** @example exam.graded */
            event_type: string;
            /** @example we_01jd4k6f2mep2s5xg5yhc8m1zr */
            endpoint_id: string;
            /**
             * @description `pending`: about to be sent. `retrying`: failed, another attempt is due. `held`: its endpoint or institution takes none now. `dead`: given up. `cancelled`: its endpoint was deleted.
             * @example delivered
             * @enum {string}
             */
            status: "pending" | "retrying" | "held" | "delivered" | "dead" | "cancelled";
            /**
             * @description Attempts made, those before a replay included.
             * @example 1
             */
            attempts: number;
            /**
             * @description Status code of the last attempt's response.
             * @example 200
             */
            response_code: number | null;
            /**
             * @description Where the last attempt failed.
             * @example null
             * @enum {string|null}
             */
            error_class: "dns" | "connect" | "tls" | "timeout" | "http" | "blocked" | null;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             * @example null
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When attempts end: 12 hours after the first one began.
             * @example 2026-11-21T20:00:00.000Z
             */
            deadline_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was answered 2xx.
             * @example 2026-11-21T08:00:00.084Z
             */
            delivered_at: string | null;
            payload: components["schemas"]["Event"] | null;
        };
        DeliveryAttempt: {
            /**
             * @description From 1, counted on in replays.
             * @example 1
             */
            number: number;
            /**
             * @description 1, and one more for each replay.
             * @example 1
             */
            cycle: number;
            /**
             * Format: date-time
             * @example 2026-11-21T08:00:00.000Z
             */
            started_at: string;
            /**
             * @description The whole exchange.
             * @example 84
             */
            duration_ms: number;
            /**
             * @description Of it, until connected; null on a kept connection, and where none was made.
             * @example 21
             */
            connect_ms: number | null;
            /** @example 200 */
            response_code: number | null;
            /**
             * @example null
             * @enum {string|null}
             */
            error_class: "dns" | "connect" | "tls" | "timeout" | "http" | "blocked" | null;
            /**
             * @description What failed, in a sentence.
             * @example null
             */
            error: string | null;
            /**
             * @description The first 4 KiB of the response.
             * @example ok
             */
            response_body: string | null;
            /**
             * @description Sent twice within this attempt: a kept-alive connection broke before a byte of a response arrived.
             * @example false
             */
            resent: boolean;
        };
        DeliveryRef: {
            /**
             * @description The cycle that it began.
             * @example 2
             */
            cycle: number;
            /**
             * @description The `ref` of the replay; `rpl_…` of a replay of dead deliveries, `rcv_…` of a recovery.
             * @example replay-2026-11-20
             */
            ref: string;
            /**
             * Format: date-time
             * @example 2026-11-21T09:00:00.000Z
             */
            at: string;
        };
        DeliveryWithLog: {
            /**
             * @description Also in the header X-Svc-Delivery-Id.
             * @example whd_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /** @example evt_01jd4k6f2mep2s5xg5yhc8m1zr */
            event_id: string;
            /** @example exam.graded */
            event_type: string;
            /** @example we_01jd4k6f2mep2s5xg5yhc8m1zr */
            endpoint_id: string;
            /**
             * @description `pending`: about to be sent. `retrying`: failed, another attempt is due. `held`: its endpoint or institution takes none now. `dead`: given up. `cancelled`: its endpoint was deleted.
             * @example delivered
             * @enum {string}
             */
            status: "pending" | "retrying" | "held" | "delivered" | "dead" | "cancelled";
            /**
             * @description Attempts made, those before a replay included.
             * @example 1
             */
            attempts: number;
            /**
             * @description Status code of the last attempt's response.
             * @example 200
             */
            response_code: number | null;
            /**
             * @description Where the last attempt failed.
             * @example null
             * @enum {string|null}
             */
            error_class: "dns" | "connect" | "tls" | "timeout" | "http" | "blocked" | null;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             * @example null
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When attempts end: 12 hours after the first one began.
             * @example 2026-11-21T20:00:00.000Z
             */
            deadline_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was answered 2xx.
             * @example 2026-11-21T08:00:00.084Z
             */
            delivered_at: string | null;
            payload: components["schemas"]["Event"] | null;
            /**
             * @description Why it is `dead` or `cancelled`, as a clause after "because"; null of any other, and where it is not known.
             * @example null
             */
            ended_because: string | null;
            /** @description The newest 100 attempts, in order. */
            attempt_log: components["schemas"]["DeliveryAttempt"][];
            /** @description What sent it again, newest first, the newest 200; a replay without a `ref` is not among it. */
            sent_by: components["schemas"]["DeliveryRef"][];
        };
        Devices: {
            /**
             * @description Whose license it is; null if nobody has it.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            user_id: string | null;
            /** @description The active seats, 2 in each app at most, the newest sign-in first; all of them on every page. */
            seats: components["schemas"]["Seat"][];
            /** @description The devices that have signed in on the license, one page, the newest first; 100 are remembered. */
            activations: components["schemas"]["Activation"][];
            /**
             * @description This page, from 1; null in an answer to a `cursor`.
             * @example 1
             */
            page: number | null;
            /**
             * @description Activations a page.
             * @example 50
             */
            limit: number;
            /**
             * @description Activations in all, exact; null in an answer to a `cursor`, for which nothing is counted.
             * @example 1
             */
            total: number | null;
            /**
             * @description Whether more activations follow.
             * @example false
             */
            has_more: boolean;
            /**
             * @description The `cursor` that reads on after these activations; null at the end.
             * @example null
             */
            next_cursor: string | null;
        };
        Disclosure: {
            /** @example dsc_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * Format: date-time
             * @description When it was recorded, by the database's clock: within a second of the read, later while the database is away.
             * @example 2026-11-20T09:40:00.000Z
             */
            at: string;
            actor: {
                /**
                 * @description An API key, the platform by its own token, a person of its staff (by token or in the support console), an admin (`faculty`) or a developer of the institution in the portal, or the session of a guardian.
                 * @example key
                 * @enum {string}
                 */
                kind: "key" | "platform" | "staff" | "faculty" | "developer" | "session";
                /**
                 * @description Of the platform: `platform`.
                 * @example key_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
                /**
                 * @description Of a key or a person of the staff, as it is now; null for others.
                 * @example Student information system
                 */
                name: string | null;
            };
            /**
             * @description `record`: the data of one person; `recording`: with the URLs of recordings in it; `list` and `export`: the data of many, as a list or as a file.
             * @example record
             * @enum {string}
             */
            what: "record" | "recording" | "export" | "list";
            /**
             * @description The `operationId`.
             * @example getStudent
             */
            operation: string;
            /**
             * @description The parameters of the call by their names. Null where the value is a text, which may name a person.
             * @example {
             *       "id": "stu_01jd4k6f2mep2s5xg5yhc8m1zr"
             *     }
             */
            query: {
                [key: string]: string | null;
            };
            /**
             * @description The `X-Request-Id` of the response.
             * @example req_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            request_id: string;
        };
        /** @description The service disabled a webhook endpoint: `failing` for 72 hours, or its receiver answered 410 (`gone`). */
        EndpointDisabledEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "endpoint.disabled";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["EndpointDisabledEventData"];
        };
        EndpointDisabledEventData: {
            endpoint_id: string;
            /** @enum {string} */
            reason: "failing" | "gone";
            /** Format: date-time */
            failing_since: string | null;
        };
        /** @description A webhook endpoint has failed for 50, 70 or 90 % of the time after which it is disabled; once each. */
        EndpointFailingEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "endpoint.failing";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["EndpointFailingEventData"];
        };
        EndpointFailingEventData: {
            endpoint_id: string;
            /** @enum {integer} */
            percent: 50 | 70 | 90;
            /** Format: date-time */
            failing_since: string;
            /** Format: date-time */
            disable_at: string;
            consecutive_failures: number;
            response_code: number | null;
            /**
             * @description Where the last attempt failed.
             * @enum {string|null}
             */
            error_class: "dns" | "connect" | "tls" | "timeout" | "http" | "blocked" | null;
        };
        /** @description A webhook endpoint of which `endpoint.failing` was reported accepted a delivery. */
        EndpointRecoveredEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "endpoint.recovered";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["EndpointRecoveredEventData"];
        };
        EndpointRecoveredEventData: {
            endpoint_id: string;
            /** @enum {integer} */
            percent: 50 | 70 | 90;
            /** Format: date-time */
            failing_since: string;
            /** Format: date-time */
            recovered_at: string;
        };
        EndpointRecovery: {
            /**
             * @description Names this recovery to support, and in `sent_by` of the list of deliveries; null where nothing matched, and of a dry run.
             * @example rcv_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            workflow_id: string | null;
            /**
             * @description Events that will get a delivery. Counted among the oldest 50,000 of the range; where there are more, the recovery may find more.
             * @example 12
             */
            matched: number;
        };
        EndpointStatistics: {
            /**
             * Format: date-time
             * @description Begin of the range.
             * @example 2026-11-19T10:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, exclusive.
             * @example 2026-11-20T10:00:00.000Z
             */
            until: string;
            /**
             * @description Attempts that began in the range.
             * @example 120
             */
            attempts: number;
            /**
             * @description Those of them that failed.
             * @example 3
             */
            failures: number;
            /**
             * @description Median of the latency of attempts that got a response, estimated from a histogram; null without one.
             * @example 84
             */
            latency_p50_ms: number | null;
            /**
             * @description 95th percentile of the latency of attempts that got a response, estimated from a histogram; null without one.
             * @example 310
             */
            latency_p95_ms: number | null;
            /** @description Each range of the period, oldest first, those without attempts too. */
            ranges: components["schemas"]["EndpointStatisticsRange"][];
        };
        EndpointStatisticsRange: {
            /**
             * Format: date-time
             * @description Begin of the range.
             * @example 2026-11-20T09:00:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, exclusive.
             * @example 2026-11-20T10:00:00.000Z
             */
            until: string;
            /**
             * @description Attempts that began in the range.
             * @example 120
             */
            attempts: number;
            /**
             * @description Those of them that failed.
             * @example 3
             */
            failures: number;
            /**
             * @description Median of the latency of attempts that got a response, estimated from a histogram; null without one.
             * @example 84
             */
            latency_p50_ms: number | null;
            /**
             * @description 95th percentile of the latency of attempts that got a response, estimated from a histogram; null without one.
             * @example 310
             */
            latency_p95_ms: number | null;
        };
        Enrolled: {
            /**
             * @description Enrollments that are new.
             * @example 1
             */
            enrolled: number;
            /**
             * @description Enrollments that existed before and stay unchanged.
             * @example 0
             */
            already_enrolled: number;
            /**
             * @description Entries of `student_ids` without an enrollment.
             * @example 1
             */
            skipped: number;
            /**
             * @description Those of them that are neither the internal id nor the login email of a student of the institution: as sent, each once. The others are repeated or suspended.
             * @example [
             *       "W-1042"
             *     ]
             */
            unknown_students: string[];
            /** @description Of all students who were not skipped. */
            enrollments: components["schemas"]["Enrollment"][];
        };
        Enrollment: {
            /** @example enr_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example cur_01jd4k6f2mep2s5xg5yhc8m1zr */
            curriculum_id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description `completed` once every concept is mastered.
             * @example active
             * @enum {string}
             */
            status: "active" | "paused" | "completed" | "withdrawn";
            /** @example 30 */
            daily_target_minutes: number;
            /**
             * Format: date-time
             * @example 2026-09-03T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Null unless it is completed.
             * @example null
             */
            completed_at: string | null;
        };
        EnrollmentProgress: {
            /** @example enr_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example cur_01jd4k6f2mep2s5xg5yhc8m1zr */
            curriculum_id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description `completed` once every concept is mastered.
             * @example active
             * @enum {string}
             */
            status: "active" | "paused" | "completed" | "withdrawn";
            /** @example 30 */
            daily_target_minutes: number;
            /**
             * Format: date-time
             * @example 2026-09-03T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description Null unless it is completed.
             * @example null
             */
            completed_at: string | null;
            /** @example Fractions */
            curriculum_title: string;
            progress: {
                /**
                 * @description Concepts of the curriculum.
                 * @example 3
                 */
                concepts: number;
                /**
                 * @description Those that the student has mastered.
                 * @example 2
                 */
                mastered: number;
                /**
                 * @description Minutes of today.
                 * @example 35
                 */
                minutes_today: number;
                /**
                 * @description Minutes a day that count towards the streak.
                 * @example 30
                 */
                target_minutes: number;
            };
        };
        EnrolmentCode: {
            /**
             * @description The student.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /**
             * @description What the student types to sign in.
             * @example student1.9f86d081@north.example
             */
            login_email: string;
            /**
             * @description 10 characters, shown in this answer alone; a new one replaces it.
             * @example 7KHPW4RXCM
             */
            code: string;
            /**
             * Format: date-time
             * @description 30 days after it was made.
             * @example 2026-12-20T09:30:00.000Z
             */
            expires_at: string;
        };
        EnrolmentCodeCreated: {
            /**
             * @description The place in the call, from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The student.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /**
             * @description What the student types to sign in.
             * @example student1.9f86d081@north.example
             */
            login_email: string;
            /**
             * @description 10 characters, shown in this answer alone; a new one replaces it.
             * @example 7KHPW4RXCM
             */
            code: string;
            /**
             * Format: date-time
             * @description 30 days after it was made.
             * @example 2026-12-20T09:30:00.000Z
             */
            expires_at: string;
        };
        EnrolmentCodeFailed: {
            /**
             * @description The place in the call, from 0.
             * @example 1
             */
            index: number;
            /**
             * @description `conflict`: the personal email is mapped already, or the student is named twice in the call.
             * @example not_found
             * @enum {string}
             */
            error: "not_found" | "conflict";
            /**
             * @description What went wrong, for people.
             * @example No such student in this institution.
             */
            message: string;
        };
        EnrolmentCodes: {
            /**
             * @description How many codes were made.
             * @example 1
             */
            created: number;
            /**
             * @description How many were not.
             * @example 0
             */
            failed: number;
            /**
             * @description One entry per student, in input order.
             * @example [
             *       {
             *         "index": 0,
             *         "id": "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
             *         "login_email": "student1.9f86d081@north.example",
             *         "code": "7KHPW4RXCM",
             *         "expires_at": "2026-12-20T09:30:00.000Z"
             *       }
             *     ]
             */
            results: (components["schemas"]["EnrolmentCodeCreated"] | components["schemas"]["EnrolmentCodeFailed"])[];
        };
        Erasure: {
            person: {
                /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /**
                 * @example student
                 * @enum {string}
                 */
                kind: "student" | "faculty" | "guardian";
            };
            /**
             * @example done
             * @enum {string}
             */
            status: "running" | "done";
            /**
             * @description For a question to support.
             * @example erase_stu_01jd4k6f2mep2s5xg5yhc8m1zr:1
             */
            workflow_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @description Null until the erasure is done.
             * @example 2026-11-20T09:31:00.000Z
             */
            completed_at: string | null;
            /** @description Stores that were gone through, or are being gone through, of all. */
            progress: {
                /** @example 18 */
                done: number;
                /** @example 18 */
                total: number;
            };
            /** @description What was removed from each store so far. */
            removed: {
                /**
                 * @example sessions
                 * @enum {string}
                 */
                store: "profile" | "guardian_links" | "login_email" | "sessions" | "sign_in_codes" | "sign_ins" | "devices" | "files" | "exports" | "submissions" | "proctoring" | "notes" | "emails" | "kept_emails" | "bulk_calls" | "events" | "webhook_responses" | "stored_responses";
                /**
                 * @description Rows that were deleted, or lost their text; files; payloads.
                 * @example 3
                 */
                count: number;
                /**
                 * Format: date-time
                 * @description When the last of it was removed, or when the search found nothing.
                 * @example 2026-11-20T09:30:01.000Z
                 */
                at: string;
            }[];
            /** @description Null until the erasure is done. */
            certificate: {
                /**
                 * @description JSON: the erasure, the person, and all of `removed`. Ids, counts and times alone.
                 * @example {"erasure":"erase_stu_01jd4k6f2mep2s5xg5yhc8m1zr:1"}
                 */
                text: string;
                /**
                 * @description Of `text`, in UTF-8; hexadecimal digits.
                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                sha256: string;
            } | null;
        };
        /**
         * @description An event, discriminated by `type`. Types may be added: ignore those that you do not know.
         * @example {
         *       "id": "evt_01jd4k6f2mep2s5xg5yhc8m1zr",
         *       "type": "exam.graded",
         *       "created_at": "2026-11-21T08:00:00.000Z",
         *       "institution_id": "ins_01jd4k6f2mep2s5xg5yhc8m1zr",
         *       "data": {
         *         "submission_id": "sub_01jd4k6f2mep2s5xg5yhc8m1zr",
         *         "exam_id": "exm_01jd4k6f2mep2s5xg5yhc8m1zr",
         *         "student_id": "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
         *         "score": 80,
         *         "max_score": 100,
         *         "resubmission_required": false
         *       }
         *     }
         */
        Event: components["schemas"]["PingEvent"] | components["schemas"]["StudentCreatedEvent"] | components["schemas"]["StudentUpdatedEvent"] | components["schemas"]["StudentEmailMappedEvent"] | components["schemas"]["FacultyCreatedEvent"] | components["schemas"]["FacultyProfileCompletedEvent"] | components["schemas"]["LicenseGeneratedEvent"] | components["schemas"]["LicenseExpiredEvent"] | components["schemas"]["LicenseDeviceRegisteredEvent"] | components["schemas"]["ExamPublishedEvent"] | components["schemas"]["ExamAssignedEvent"] | components["schemas"]["ExamAttemptStartedEvent"] | components["schemas"]["ExamSubmittedEvent"] | components["schemas"]["ExamGradedEvent"] | components["schemas"]["GuardianInvitedEvent"] | components["schemas"]["GuardianVerifiedEvent"] | components["schemas"]["AlphaPointsAwardedEvent"] | components["schemas"]["AlphaBadgeGrantedEvent"] | components["schemas"]["MeritsCreditedEvent"] | components["schemas"]["CouponBatchRequestedEvent"] | components["schemas"]["CouponBatchApprovedEvent"] | components["schemas"]["CouponRedeemedEvent"] | components["schemas"]["EndpointFailingEvent"] | components["schemas"]["EndpointRecoveredEvent"] | components["schemas"]["EndpointDisabledEvent"];
        EventType: {
            /** @example exam.graded */
            type: string;
            /** @example A submission was graded. */
            description: string;
            /**
             * @description About the delivery of events: sent only to subscriptions that name it, exactly or by its prefix, never by `*`.
             * @example false
             */
            operational: boolean;
            /**
             * @description JSON Schema of `data`.
             * @example {
             *       "type": "object",
             *       "properties": {
             *         "submission_id": {
             *           "type": "string"
             *         },
             *         "exam_id": {
             *           "type": "string"
             *         },
             *         "student_id": {
             *           "type": "string"
             *         },
             *         "score": {
             *           "type": "number"
             *         },
             *         "max_score": {
             *           "type": "number"
             *         },
             *         "resubmission_required": {
             *           "type": "boolean"
             *         }
             *       }
             *     }
             */
            data_schema: Record<string, unknown>;
            /**
             * @description Example of `data`; the test of an endpoint sends it. Ids are the same in every type.
             * @example {
             *       "submission_id": "sub_01jd4k6f2mep2s5xg5yhc8m1zr",
             *       "exam_id": "exm_01jd4k6f2mep2s5xg5yhc8m1zr",
             *       "student_id": "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
             *       "score": 80,
             *       "max_score": 100,
             *       "resubmission_required": false
             *     }
             */
            sample: Record<string, unknown>;
        };
        Exam: {
            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description The owner.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            faculty_id: string;
            /** @example Algebra, midterm */
            title: string;
            /**
             * @example exam
             * @enum {string}
             */
            exam_type: "exam" | "homework" | "assignment" | "quiz" | "project";
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published" | "closed";
            /**
             * @description `svccode` where the exam has a `code_spec`, else `svc`.
             * @example svccode
             * @enum {string}
             */
            app: "svc" | "svccode";
            /** @example 100 */
            max_score: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:30:00.000Z
             */
            due_date: string | null;
            /**
             * @description A countdown from when the student opens the exam.
             * @example 90
             */
            time_limit_minutes: number | null;
            /** @example true */
            allow_late_submission: boolean;
            /**
             * @description Late penalty in percent: reduces the percentage of late submissions.
             * @example 10
             */
            late_penalty_percentage: number;
            proctoring: {
                /**
                 * @description Whether the student must grant the camera.
                 * @example true
                 */
                camera: boolean;
                /**
                 * @description Whether the student must grant the microphone.
                 * @example false
                 */
                microphone: boolean;
                /**
                 * @description Whether the student must grant the recording of the screen.
                 * @example true
                 */
                screen: boolean;
            };
            ai_policy: {
                /**
                 * @description False disables the assistant entirely.
                 * @example true
                 */
                allowed: boolean;
                /**
                 * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                 * @example any
                 * @enum {string}
                 */
                model_tier: "any" | "cloud" | "local";
                /**
                 * @description A budget per attempt; null sets none.
                 * @example 20
                 */
                max_interactions: number | null;
            };
            /**
             * Format: date-time
             * @example 2026-11-16T09:05:00.000Z
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            closed_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-16T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the exam or its assignments last changed.
             * @example 2026-11-16T09:05:00.000Z
             */
            updated_at: string;
            code_spec: components["schemas"]["CodeSpec"] | null;
            /** @description Every group that the exam is assigned to. */
            groups: components["schemas"]["AssignedGroup"][];
            /** @description Each student counts once, with the latest version of their submission. */
            stats: {
                /**
                 * @description Students in the assigned groups.
                 * @example 28
                 */
                assigned: number;
                /**
                 * @description Students who started an attempt.
                 * @example 25
                 */
                started: number;
                /**
                 * @description Students whose latest version is submitted, graded or not.
                 * @example 17
                 */
                submitted: number;
                /** @example 12 */
                graded: number;
                /**
                 * @description Of those graded; null while none is.
                 * @example 71.25
                 */
                average_percentage: number | null;
            };
            /**
             * @description Whether the hidden-test key is set.
             * @example true
             */
            code_secret_set: boolean;
        };
        ExamAnalytics: {
            /** @description Students by the latest version of their submission. */
            counts: {
                /**
                 * @description Assigned students without a submission.
                 * @example 8
                 */
                not_submitted: number;
                /** @example 5 */
                submitted: number;
                /** @example 12 */
                graded: number;
                /** @example 2 */
                resubmission_required: number;
                /** @example 1 */
                voided: number;
            };
            /** @description Of the graded ones, rounded to two decimals; nulls while none is. */
            percentage: {
                /** @example 71.25 */
                mean: number | null;
                /** @example 74 */
                median: number | null;
                /** @example 38.5 */
                min: number | null;
                /** @example 98 */
                max: number | null;
                /**
                 * @description Of the population.
                 * @example 14.82
                 */
                standard_deviation: number | null;
            };
            /**
             * @description The percentages of the graded ones in ten bins, 0 to 10 first.
             * @example [
             *       {
             *         "from": 0,
             *         "to": 10,
             *         "count": 0
             *       },
             *       {
             *         "from": 10,
             *         "to": 20,
             *         "count": 0
             *       },
             *       {
             *         "from": 20,
             *         "to": 30,
             *         "count": 0
             *       },
             *       {
             *         "from": 30,
             *         "to": 40,
             *         "count": 1
             *       },
             *       {
             *         "from": 40,
             *         "to": 50,
             *         "count": 0
             *       },
             *       {
             *         "from": 50,
             *         "to": 60,
             *         "count": 2
             *       },
             *       {
             *         "from": 60,
             *         "to": 70,
             *         "count": 2
             *       },
             *       {
             *         "from": 70,
             *         "to": 80,
             *         "count": 4
             *       },
             *       {
             *         "from": 80,
             *         "to": 90,
             *         "count": 2
             *       },
             *       {
             *         "from": 90,
             *         "to": 100,
             *         "count": 1
             *       }
             *     ]
             */
            histogram: {
                /**
                 * @description Inclusive.
                 * @example 70
                 */
                from: number;
                /**
                 * @description Exclusive; 100 is inclusive.
                 * @example 80
                 */
                to: number;
                /** @example 4 */
                count: number;
            }[];
            /**
             * @description Latest versions handed in after the due date; voided ones do not count.
             * @example 3
             */
            late_count: number;
            /**
             * @description From start to submission, over all submitted attempts; null while there is none.
             * @example 3840.5
             */
            mean_duration_seconds: number | null;
            /** @description Over all attempts. */
            focus: {
                /** @example 41 */
                losses: number;
                /** @example 512.5 */
                seconds_away: number;
            };
        };
        /** @description An exam was assigned to a group; one event a group. */
        ExamAssignedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exam.assigned";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["ExamAssignedEventData"];
        };
        ExamAssignedEventData: {
            exam_id: string;
            group_id: string;
            student_count: number;
        };
        ExamAttempt: {
            /** @example att_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description The generated login email.
             * @example student1.9f86d081@north.example
             */
            student_email: string;
            /**
             * @example submitted
             * @enum {string}
             */
            status: "in_progress" | "submitted" | "abandoned";
            /**
             * Format: date-time
             * @example 2026-11-20T09:30:00.000Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T11:00:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the app fetched the hidden-test key.
             * @example 2026-11-20T10:30:00.000Z
             */
            hidden_released_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:40:00.000Z
             */
            ended_at: string | null;
            /**
             * @description What it was submitted as.
             * @example sub_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            submission_id: string | null;
        };
        /** @description A student started an attempt. */
        ExamAttemptStartedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exam.attempt_started";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["ExamAttemptStartedEventData"];
        };
        ExamAttemptStartedEventData: {
            attempt_id: string;
            exam_id: string;
            student_id: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        /** @description A submission was graded, or a resubmission was requested (`score` null, `resubmission_required` true). */
        ExamGradedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exam.graded";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["ExamGradedEventData"];
        };
        ExamGradedEventData: {
            submission_id: string;
            exam_id: string;
            student_id: string;
            score: number | null;
            max_score: number;
            resubmission_required: boolean;
        };
        /** @description An exam was published. */
        ExamPublishedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exam.published";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["ExamPublishedEventData"];
        };
        ExamPublishedEventData: {
            exam_id: string;
            faculty_id: string;
            /** @enum {string} */
            app: "svc" | "svccode";
        };
        ExamScore: {
            /**
             * @description Internal id of the student.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /**
             * @description The institution's own identifier.
             * @example SIS-1042
             */
            student_id: string | null;
            /**
             * @description The generated login email.
             * @example student1.9f86d081@north.example
             */
            email: string;
            /**
             * @example graded
             * @enum {string}
             */
            status: "not_submitted" | "submitted" | "graded" | "resubmission_required" | "voided";
            /**
             * @description Null unless graded.
             * @example 80
             */
            score: number | null;
            /**
             * @description As of grading, else the exam's.
             * @example 100
             */
            max_score: number;
            /**
             * @description After any late penalty; null unless graded.
             * @example 72
             */
            percentage: number | null;
            /**
             * @description Null without a submission.
             * @example true
             */
            is_late: boolean | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:40:00.000Z
             */
            submitted_at: string | null;
            /**
             * Format: date-time
             * @description Null unless graded.
             * @example 2026-11-21T08:00:00.000Z
             */
            graded_at: string | null;
        };
        /** @description A student submitted; every version. */
        ExamSubmittedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exam.submitted";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["ExamSubmittedEventData"];
        };
        ExamSubmittedEventData: {
            submission_id: string;
            exam_id: string;
            student_id: string;
            version: number;
            is_late: boolean;
        };
        ExamSummary: {
            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description The owner.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            faculty_id: string;
            /** @example Algebra, midterm */
            title: string;
            /**
             * @example exam
             * @enum {string}
             */
            exam_type: "exam" | "homework" | "assignment" | "quiz" | "project";
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published" | "closed";
            /**
             * @description `svccode` where the exam has a `code_spec`, else `svc`.
             * @example svccode
             * @enum {string}
             */
            app: "svc" | "svccode";
            /** @example 100 */
            max_score: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:30:00.000Z
             */
            due_date: string | null;
            /**
             * @description A countdown from when the student opens the exam.
             * @example 90
             */
            time_limit_minutes: number | null;
            /** @example true */
            allow_late_submission: boolean;
            /**
             * @description Late penalty in percent: reduces the percentage of late submissions.
             * @example 10
             */
            late_penalty_percentage: number;
            proctoring: {
                /**
                 * @description Whether the student must grant the camera.
                 * @example true
                 */
                camera: boolean;
                /**
                 * @description Whether the student must grant the microphone.
                 * @example false
                 */
                microphone: boolean;
                /**
                 * @description Whether the student must grant the recording of the screen.
                 * @example true
                 */
                screen: boolean;
            };
            ai_policy: {
                /**
                 * @description False disables the assistant entirely.
                 * @example true
                 */
                allowed: boolean;
                /**
                 * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                 * @example any
                 * @enum {string}
                 */
                model_tier: "any" | "cloud" | "local";
                /**
                 * @description A budget per attempt; null sets none.
                 * @example 20
                 */
                max_interactions: number | null;
            };
            /**
             * Format: date-time
             * @example 2026-11-16T09:05:00.000Z
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            closed_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-16T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the exam or its assignments last changed.
             * @example 2026-11-16T09:05:00.000Z
             */
            updated_at: string;
        };
        Faculty: {
            /** @example fac_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description What the teacher types to sign in.
             * @example faculty2.9f86d081@north.example
             */
            login_email: string;
            /** @example Grace Hopper */
            full_name: string;
            /**
             * @description The institution's own (HR) identifier.
             * @example HR-204
             */
            faculty_id: string | null;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "suspended";
            /**
             * @description Whether this is the institution admin, who owns what nobody else is named for.
             * @example false
             */
            is_admin: boolean;
            /**
             * @description False until the first-login profile is complete; until then sign-in codes go to the admin's mailbox.
             * @example true
             */
            profile_completed: boolean;
            license: components["schemas"]["PersonLicense"];
            /**
             * Format: date-time
             * @description When the erasure of the member was requested; null otherwise.
             * @example null
             */
            erased_at: string | null;
        };
        /** @description A faculty member was provisioned. */
        FacultyCreatedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "faculty.created";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["FacultyCreatedEventData"];
        };
        FacultyCreatedEventData: {
            faculty_id: string;
            login_email: string;
            /** @enum {string} */
            status: "active" | "suspended";
        };
        /** @description A teacher completed the profile of the first sign-in. */
        FacultyProfileCompletedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "faculty.profile_completed";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["FacultyProfileCompletedEventData"];
        };
        FacultyProfileCompletedEventData: {
            faculty_id: string;
        };
        Group: {
            /** @example grp_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Algebra 9b */
            name: string;
            /** @example Mondays and Thursdays */
            description: string | null;
            /**
             * @description Internal id of the owner.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            faculty_id: string;
            /** @example 28 */
            member_count: number;
            /**
             * Format: date-time
             * @example 2026-09-01T08:10:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last change of the group or of its members.
             * @example 2026-09-01T08:10:00.000Z
             */
            updated_at: string;
        };
        GroupDetails: {
            /** @example grp_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example Algebra 9b */
            name: string;
            /** @example Mondays and Thursdays */
            description: string | null;
            /**
             * @description Internal id of the owner.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            faculty_id: string;
            /** @example 28 */
            member_count: number;
            /**
             * Format: date-time
             * @example 2026-09-01T08:10:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last change of the group or of its members.
             * @example 2026-09-01T08:10:00.000Z
             */
            updated_at: string;
            /** @description Every member, by login email. */
            members: components["schemas"]["GroupMember"][];
            /** @description Exams assigned to the group, the newest 200. */
            exams: components["schemas"]["ExamSummary"][];
            /**
             * @description How many exams are assigned in all.
             * @example 1
             */
            exam_count: number;
        };
        GroupMember: {
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example student1.9f86d081@north.example */
            login_email: string;
            /** @example Ada Lovelace */
            full_name: string | null;
            /**
             * @example active
             * @enum {string}
             */
            status: "pending" | "active" | "suspended";
        };
        /** @description A guardian link was created. */
        GuardianInvitedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guardian.invited";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["GuardianInvitedEventData"];
        };
        GuardianInvitedEventData: {
            guardian_id: string;
            student_id: string;
            /** @enum {string} */
            guardian_type: "father" | "mother" | "guardian";
        };
        GuardianLink: {
            /**
             * @description Of the link; `guardian_id` in events.
             * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description The generated login email.
             * @example student1.9f86d081@north.example
             */
            student_email: string;
            /**
             * @description The address for emails and for signing in.
             * @example augusta@example.org
             */
            guardian_email: string;
            /**
             * @example mother
             * @enum {string}
             */
            guardian_type: "father" | "mother" | "guardian";
            /** @example Augusta King */
            guardian_name: string | null;
            /**
             * @description At most one of a student’s guardians is.
             * @example true
             */
            is_primary: boolean;
            /**
             * @description Whether the guardian has signed in. Only verified guardians see the student and receive emails about them.
             * @example true
             */
            verified: boolean;
            /**
             * @description `accepted`: by the link of the email, but not signed in yet. `expired`: can be sent again.
             * @example verified
             * @enum {string}
             */
            status: "invited" | "accepted" | "expired" | "verified";
            /**
             * Format: date-time
             * @description Of the newest invitation.
             * @example 2026-09-02T08:00:00.000Z
             */
            invited_at: string;
            /**
             * Format: date-time
             * @description Until when it can be accepted and signed in with; of no meaning once verified.
             * @example 2026-09-16T08:00:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When the newest invitation was accepted.
             * @example 2026-09-02T18:20:00.000Z
             */
            accepted_at: string | null;
            /**
             * Format: date-time
             * @description When the guardian first signed in after accepting.
             * @example 2026-09-02T18:30:00.000Z
             */
            verified_at: string | null;
            /**
             * Format: date-time
             * @example 2026-09-02T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-09-02T18:30:00.000Z
             */
            updated_at: string;
        };
        /** @description A guardian signed in for the first time. */
        GuardianVerifiedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guardian.verified";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["GuardianVerifiedEventData"];
        };
        GuardianVerifiedEventData: {
            guardian_id: string;
            student_id: string;
            /** @enum {string} */
            guardian_type: "father" | "mother" | "guardian";
        };
        Institution: {
            /** @example ins_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example North School */
            name: string;
            /**
             * @example approved
             * @enum {string}
             */
            status: "pending" | "approved" | "suspended";
            /**
             * @description What follows the @ of generated login emails.
             * @example north.example
             */
            login_domain: string;
            /** @example Europe/Berlin */
            time_zone: string;
            /** @description The institution admin, a faculty record. */
            admin: {
                /** @example fac_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /** @example faculty2.9f86d081@north.example */
                login_email: string;
            } | null;
            /**
             * Format: date-time
             * @example 2026-08-24T07:00:00.000Z
             */
            created_at: string;
            /** @description People by kind and status. */
            users: {
                student: {
                    /** @example 3 */
                    pending: number;
                    /** @example 35 */
                    active: number;
                    /** @example 2 */
                    suspended: number;
                    /** @example 40 */
                    total: number;
                };
                faculty: {
                    /** @example 5 */
                    active: number;
                    /** @example 0 */
                    suspended: number;
                    /** @example 5 */
                    total: number;
                };
            };
            /** @description Licenses by type and by status, as in the license summary. */
            licenses: {
                by_type: {
                    student: {
                        /** @example 38 */
                        active: number;
                        /** @example 1 */
                        expired: number;
                        /** @example 0 */
                        suspended: number;
                        /** @example 1 */
                        revoked: number;
                        /** @example 40 */
                        total: number;
                    };
                    faculty: {
                        /** @example 5 */
                        active: number;
                        /** @example 0 */
                        expired: number;
                        /** @example 0 */
                        suspended: number;
                        /** @example 0 */
                        revoked: number;
                        /** @example 5 */
                        total: number;
                    };
                    institution: {
                        /** @example 2 */
                        active: number;
                        /** @example 0 */
                        expired: number;
                        /** @example 0 */
                        suspended: number;
                        /** @example 0 */
                        revoked: number;
                        /** @example 2 */
                        total: number;
                    };
                };
                by_status: {
                    /** @example 45 */
                    active: number;
                    /** @example 1 */
                    expired: number;
                    /** @example 0 */
                    suspended: number;
                    /** @example 1 */
                    revoked: number;
                };
                /** @example 47 */
                total: number;
            };
        };
        IntegrationConfig: {
            default_ai_policy: {
                /**
                 * @description False disables the assistant entirely.
                 * @example true
                 */
                allowed: boolean;
                /**
                 * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                 * @example any
                 * @enum {string}
                 */
                model_tier: "any" | "cloud" | "local";
                /**
                 * @description A budget per attempt; null sets none.
                 * @example 20
                 */
                max_interactions: number | null;
            };
            default_proctoring: {
                /**
                 * @description Whether the student must grant the camera.
                 * @example true
                 */
                camera: boolean;
                /**
                 * @description Whether the student must grant the microphone.
                 * @example false
                 */
                microphone: boolean;
                /**
                 * @description Whether the student must grant the recording of the screen.
                 * @example true
                 */
                screen: boolean;
            };
            /**
             * @example [
             *       "python",
             *       "node"
             *     ]
             */
            allowed_toolchains: ("c" | "cpp" | "java" | "python" | "node" | "sqlite")[];
            toolchain_mirror: {
                /**
                 * Format: uri
                 * @example https://mirror.north.example/toolchains
                 */
                base_url: string;
            } | null;
            /**
             * @example {
             *       "provider": "moodle",
             *       "course_prefix": "NS"
             *     }
             */
            lms: Record<string, unknown>;
            /**
             * @description Whether no two students may have the same `student_id`.
             * @example false
             */
            unique_student_ids: boolean;
            /**
             * @description Whether a student without a mapped personal email needs an enrolment code to name one.
             * @example true
             */
            require_enrolment_code: boolean;
        };
        /** @description One problem of a body or query. */
        Issue: {
            /**
             * @description Where, in dotted form.
             * @example students.3.full_name
             */
            path: string;
            /**
             * @description What would be right.
             * @example full_name must be a string
             */
            message: string;
        };
        Leader: {
            /**
             * @description The same points share a rank: 1, 2, 2, 4.
             * @example 1
             */
            rank: number;
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            student_id: string;
            /**
             * @description The login email.
             * @example student1.9f86d081@north.example
             */
            email: string;
            /** @example Ada Lovelace */
            full_name: string | null;
            /** @example 110 */
            points: number;
            /**
             * @description As of now.
             * @example 5
             */
            streak_days: number;
        };
        LedgerMove: {
            /** @example mov_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description `grant` and `reclaim` move the allowance, `credit` moves from it to a wallet, `coupon` into a wallet, `spend` out of one.
             * @example credit
             * @enum {string}
             */
            kind: "grant" | "reclaim" | "credit" | "coupon" | "spend";
            /**
             * @description The account that gave.
             * @example allowance
             * @enum {string}
             */
            from: "platform" | "allowance" | "wallet" | "coupons" | "models";
            /**
             * @description The account that got.
             * @example wallet
             * @enum {string}
             */
            to: "platform" | "allowance" | "wallet" | "coupons" | "models";
            /**
             * @description What moved, always above 0.
             * @example 500
             */
            amount_cents: number;
            /**
             * @description The wallet's owner; null where no wallet took part.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            user_id: string | null;
            /**
             * @description The login email.
             * @example student1.9f86d081@north.example
             */
            email: string | null;
            /**
             * @description What the wallet held after the move; null where none took part.
             * @example 1500
             */
            balance_cents: number | null;
            /**
             * @description What was left of the allowance after the move; null where it took no part.
             * @example 498500
             */
            allowance_cents: number | null;
            /** @example Prize of the term */
            reason: string | null;
            /**
             * @description Of a credit or a spend.
             * @example prize-2026-11-20-ada
             */
            ref: string | null;
            /**
             * @description Of a coupon: its batch.
             * @example null
             */
            batch_id: string | null;
            /**
             * Format: date-time
             * @description Unique in the institution, and rising with each move: the newest one's is the next `since`.
             * @example 2026-11-21T08:15:00.000Z
             */
            created_at: string;
        };
        License: {
            /** @example lic_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @example student
             * @enum {string}
             */
            license_type: "student" | "faculty" | "institution";
            /**
             * @description `expired` as soon as the expiry has passed.
             * @example active
             * @enum {string}
             */
            status: "active" | "expired" | "suspended" | "revoked";
            /** @description Who carries the license; null for an institution license (lab machines). */
            user: {
                /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                user_id: string;
                /** @example student1.9f86d081@north.example */
                login_email: string;
            } | null;
            /**
             * @description Devices, at most.
             * @example 2
             */
            max_activations: number;
            /**
             * Format: date-time
             * @description Null for a lifetime license.
             * @example 2027-09-01T08:00:00.000Z
             */
            expires_at: string | null;
            /** @example false */
            is_lifetime: boolean;
            /**
             * Format: date-time
             * @example null
             */
            revoked_at: string | null;
            /** @example null */
            revoke_reason: string | null;
            /**
             * Format: date-time
             * @example 2026-09-01T08:00:00.000Z
             */
            created_at: string;
        };
        /** @description A device was registered to a license. */
        LicenseDeviceRegisteredEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "license.device_registered";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["LicenseDeviceRegisteredEventData"];
        };
        LicenseDeviceRegisteredEventData: {
            license_id: string;
            user_id: string;
            seat_id: string;
            /** @enum {string} */
            app: "svcapp" | "svccode" | "svcfilm";
            /** @description The operating system of the device, as the app names it, such as `macos`. */
            platform: string;
        };
        /** @description A license passed its expiry. Sent once per expiry, by the daily sweep (up to a day later), or earlier when an app checks in or the license is changed. */
        LicenseExpiredEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "license.expired";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["LicenseExpiredEventData"];
        };
        LicenseExpiredEventData: {
            license_id: string;
            /** @enum {string} */
            license_type: "student" | "faculty" | "institution";
            user_id: string | null;
            /** Format: date-time */
            expired_at: string;
        };
        /** @description A license was created. */
        LicenseGeneratedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "license.generated";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["LicenseGeneratedEventData"];
        };
        LicenseGeneratedEventData: {
            license_id: string;
            /** @enum {string} */
            license_type: "student" | "faculty" | "institution";
            user_id: string | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        LicenseSummary: {
            by_type: {
                student: {
                    /** @example 38 */
                    active: number;
                    /** @example 1 */
                    expired: number;
                    /** @example 0 */
                    suspended: number;
                    /** @example 1 */
                    revoked: number;
                    /** @example 40 */
                    total: number;
                };
                faculty: {
                    /** @example 5 */
                    active: number;
                    /** @example 0 */
                    expired: number;
                    /** @example 0 */
                    suspended: number;
                    /** @example 0 */
                    revoked: number;
                    /** @example 5 */
                    total: number;
                };
                institution: {
                    /** @example 2 */
                    active: number;
                    /** @example 0 */
                    expired: number;
                    /** @example 0 */
                    suspended: number;
                    /** @example 0 */
                    revoked: number;
                    /** @example 2 */
                    total: number;
                };
            };
            by_status: {
                /** @example 45 */
                active: number;
                /** @example 1 */
                expired: number;
                /** @example 0 */
                suspended: number;
                /** @example 1 */
                revoked: number;
            };
            /** @example 47 */
            total: number;
            /**
             * @description Active licenses that expire within 30 days.
             * @example 4
             */
            expiring_within_30_days: number;
        };
        /** @description A wallet was credited, from any source. */
        MeritsCreditedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "merits.credited";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["MeritsCreditedEventData"];
        };
        MeritsCreditedEventData: {
            user_id: string;
            amount_cents: number;
            balance_cents: number;
            /**
             * @description Credited from the allowance, or by a coupon.
             * @enum {string}
             */
            source: "credit" | "coupon";
            ref: string | null;
        };
        /** @description What the app works by, its files with URLs that are valid for one hour. Null before the first attempt, and for a document exam. */
        OpenedCodeSpec: {
            /**
             * @description The version of this format: always 1.
             * @example 1
             * @enum {integer}
             */
            v: 1;
            /**
             * @description The exam brief, in Markdown.
             * @example # Sum
             *     Write a function that adds two numbers.
             */
            brief_md: string;
            /**
             * @description Must be among the institution's `allowed_toolchains`; apps install what a machine lacks.
             * @example python
             * @enum {string}
             */
            toolchain: "c" | "cpp" | "java" | "python" | "node" | "sqlite";
            commands: {
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example pip install -r {{workspace}}/requirements.txt
                 */
                setup: string | null;
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example python {{workspace}}/main.py
                 */
                run: string | null;
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example pytest {{workspace}}/tests --junitxml {{results}}/sample.xml
                 */
                test_sample: string | null;
                /**
                 * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                 * @example pytest {{hidden}} --junitxml {{results}}/hidden.xml
                 */
                test_hidden: string | null;
                /**
                 * @description How long one command may run, in ms.
                 * @example 60000
                 */
                timeout_ms: number;
            };
            /**
             * @example {
             *       "allowed": false,
             *       "model_tier": "local"
             *     }
             */
            ai_policy: {
                /**
                 * @description False disables the assistant entirely.
                 * @example true
                 */
                allowed: boolean;
                /**
                 * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                 * @example any
                 * @enum {string}
                 */
                model_tier: "any" | "cloud" | "local";
            } | null;
            /**
             * @example [
             *       "node_modules/**"
             *     ]
             */
            exclude_globs: string[];
            /**
             * @example {
             *       "kind": "empty"
             *     }
             */
            starter: {
                /**
                 * @description Here `zip`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "zip";
                file: {
                    /** @example file_01jd4k6f2mep2s5xg5yhc8m1zr */
                    id: string;
                    /**
                     * Format: uri
                     * @description Where the bytes are until then.
                     * @example https://api.institution.example/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795167060&signature=9f86d081
                     */
                    url: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T10:30:00.000Z
                     */
                    url_expires_at: string;
                };
            } | {
                /**
                 * @description Here `empty`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "empty";
            };
            /**
             * @example {
             *       "kind": "inline",
             *       "files": [
             *         {
             *           "path": "tests/test_sum.py",
             *           "content": "def test_sum(): ...\n"
             *         }
             *       ]
             *     }
             */
            sample_tests: {
                /**
                 * @description Here `inline`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "inline";
                /** @description At most 200 files and 1 MiB in all. */
                files: {
                    /**
                     * @description Relative, with `/` between its parts and no `..`; no two files have the same.
                     * @example tests/test_sum.py
                     */
                    path: string;
                    /**
                     * @description The text of the file.
                     * @example def test_sum(): ...
                     */
                    content: string | "";
                }[];
            } | {
                /**
                 * @description Here `zip`; the other fields depend on it.
                 * @enum {string}
                 */
                kind: "zip";
                file: {
                    /** @example file_01jd4k6f2mep2s5xg5yhc8m1zr */
                    id: string;
                    /**
                     * Format: uri
                     * @description Where the bytes are until then.
                     * @example https://api.institution.example/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795167060&signature=9f86d081
                     */
                    url: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T10:30:00.000Z
                     */
                    url_expires_at: string;
                };
            } | null;
            /** @example null */
            hidden_tests: {
                /**
                 * @description Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null.
                 * @enum {string}
                 */
                kind: "zip-encrypted";
                file: {
                    /** @example file_01jd4k6f2mep2s5xg5yhc8m1zr */
                    id: string;
                    /**
                     * Format: uri
                     * @description Where the bytes are until then.
                     * @example https://api.institution.example/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795167060&signature=9f86d081
                     */
                    url: string;
                    /**
                     * Format: date-time
                     * @example 2026-11-20T10:30:00.000Z
                     */
                    url_expires_at: string;
                };
                /**
                 * @description Base64 of the 12-byte initialisation vector.
                 * @example AAECAwQFBgcICQoL
                 */
                iv_b64: string;
                /**
                 * @description Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file.
                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                sha256: string;
            } | null;
        };
        PersonLicense: {
            /** @example lic_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @example active
             * @enum {string}
             */
            status: "active" | "expired" | "suspended" | "revoked";
            /**
             * @description The person's kind.
             * @example student
             * @enum {string}
             */
            license_type: "student" | "faculty" | "institution";
            /**
             * Format: date-time
             * @description Null for a lifetime license.
             * @example 2027-09-01T08:00:00.000Z
             */
            expires_at: string | null;
            /** @example false */
            is_lifetime: boolean;
        };
        /** @description A test delivery to one endpoint. Sent by POST /webhooks/endpoints/{id}/test only; appears neither in the feed nor among deliveries. */
        PingEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["PingEventData"];
        };
        PingEventData: {
            endpoint_id: string;
        };
        PointsAwarded: {
            /** @example pts_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description Negative where points were taken.
             * @example 10
             */
            points: number;
            /**
             * @description After it.
             * @example 110
             */
            balance: number;
            /** @example Helped others */
            note: string | null;
            /** @example award-2026-11-20-ada */
            ref: string;
            /**
             * Format: date-time
             * @example 2026-11-21T08:10:00.000Z
             */
            created_at: string;
            /**
             * @description False for a repeat of a `ref`, which returns the result of the first request.
             * @example true
             */
            applied: boolean;
        };
        PointsEntry: {
            /** @example pts_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description Negative where points were taken.
             * @example 10
             */
            points: number;
            /**
             * @description After it.
             * @example 110
             */
            balance: number;
            /** @example Helped others */
            note: string | null;
            /** @example award-2026-11-20-ada */
            ref: string;
            /**
             * Format: date-time
             * @example 2026-11-21T08:10:00.000Z
             */
            created_at: string;
        };
        PointsStats: {
            /**
             * @description What the student has now.
             * @example 110
             */
            balance: number;
            /**
             * @description All that was given.
             * @example 120
             */
            earned: number;
            /**
             * @description All that was taken.
             * @example 10
             */
            deducted: number;
            /**
             * @description Entries of the ledger, of both kinds.
             * @example 12
             */
            awards: number;
            /**
             * Format: date-time
             * @description The newest entry; null without one.
             * @example 2026-11-21T08:10:00.000Z
             */
            last_awarded_at: string | null;
        };
        Progress: {
            /**
             * @description False for a repeated `ref`; the response is then the current progress of the student.
             * @example true
             */
            applied: boolean;
            concept: {
                /** @example fractions.adding */
                id: string;
                /**
                 * @description The best so far.
                 * @example 92.5
                 */
                score: number;
                /**
                 * @example mastered
                 * @enum {string}
                 */
                status: "learning" | "mastered";
                /**
                 * Format: date-time
                 * @description When it was mastered.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                mastered_at: string | null;
            };
            enrollment: {
                /** @example enr_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /**
                 * @example active
                 * @enum {string}
                 */
                status: "active" | "paused" | "completed" | "withdrawn";
                /** @example 2 */
                mastered: number;
                /** @example 3 */
                concepts: number;
            };
            /**
             * @description Consecutive days, up to today or yesterday, on which a daily target was met.
             * @example 5
             */
            streak_days: number;
            /**
             * @description By this very call.
             * @example []
             */
            badges_granted: ("first_mastery" | "streak_7_days" | "points_100" | "points_1000" | "curriculum_complete")[];
        };
        RecordedEvents: {
            /**
             * @description Events that this call stored.
             * @example 1
             */
            stored: number;
            /**
             * @description Events that were stored already, or stood twice in the batch.
             * @example 0
             */
            repeated: number;
        };
        Redeemed: {
            /**
             * @description The move, as the ledger has it.
             * @example mov_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /** @example cpb_01jd4k6f2mep2s5xg5yhc8m1zr */
            batch_id: string;
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            user_id: string;
            /**
             * @description The login email.
             * @example student1.9f86d081@north.example
             */
            email: string;
            /**
             * @description What the coupon was worth.
             * @example 500
             */
            amount_cents: number;
            /**
             * @description What the wallet holds with it.
             * @example 2000
             */
            balance_cents: number;
            /**
             * Format: date-time
             * @example 2026-11-23T12:10:00.000Z
             */
            redeemed_at: string;
        };
        ReplayedDelivery: {
            /**
             * @description Also in the header X-Svc-Delivery-Id.
             * @example whd_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /** @example evt_01jd4k6f2mep2s5xg5yhc8m1zr */
            event_id: string;
            /** @example exam.graded */
            event_type: string;
            /** @example we_01jd4k6f2mep2s5xg5yhc8m1zr */
            endpoint_id: string;
            /**
             * @description `pending`: about to be sent. `retrying`: failed, another attempt is due. `held`: its endpoint or institution takes none now. `dead`: given up. `cancelled`: its endpoint was deleted.
             * @example pending
             * @enum {string}
             */
            status: "pending" | "retrying" | "held" | "delivered" | "dead" | "cancelled";
            /**
             * @description Attempts made, those before a replay included.
             * @example 1
             */
            attempts: number;
            /**
             * @description Status code of the last attempt's response.
             * @example 200
             */
            response_code: number | null;
            /**
             * @description Where the last attempt failed.
             * @example null
             * @enum {string|null}
             */
            error_class: "dns" | "connect" | "tls" | "timeout" | "http" | "blocked" | null;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             * @example 2026-11-23T09:00:00.000Z
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When attempts end: 12 hours after the first one began.
             * @example 2026-11-23T21:00:00.000Z
             */
            deadline_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-21T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was answered 2xx.
             * @example null
             */
            delivered_at: string | null;
            payload: components["schemas"]["Event"] | null;
            /**
             * @description False when this ref had replayed the delivery before.
             * @example true
             */
            applied: boolean;
        };
        RevokedSeat: {
            /** @example seat_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @example svcapp
             * @enum {string}
             */
            app: "svcapp" | "svccode" | "svcfilm";
            /**
             * @description The app's own name for the device; the same in every app.
             * @example 0c5b1f6e-4e0c-4c3f-9a53-2f6f6f0f7a10
             */
            device_id: string;
            /** @example Ada's laptop */
            device_name: string;
            /** @example macos */
            platform: string;
            /**
             * @description As of the last heartbeat that reported it.
             * @example 2.4.1
             */
            app_version: string;
            /**
             * Format: date-time
             * @description The last sign-in or heartbeat, to the minute.
             * @example 2026-11-20T09:30:00.000Z
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When the device signed in last.
             * @example 2026-11-20T07:55:00.000Z
             */
            signed_in_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T09:31:00.000Z
             */
            revoked_at: string;
        };
        SandboxClock: {
            /**
             * Format: date-time
             * @description The time of the sandbox.
             * @example 2026-11-27T09:30:00.000Z
             */
            now: string;
            /**
             * @description How far it is ahead of the real time.
             * @example 604800
             */
            offset_seconds: number;
        };
        SandboxEmail: {
            /** @example eml_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description What it would have been sent for.
             * @example guardian_invitation
             * @enum {string}
             */
            kind: "sign_in_code" | "guardian_invitation" | "guardian_reminder" | "developer_invitation" | "exam_announcement" | "resubmission_request" | "weekly_report" | "coupon_reminder" | "offboarding" | "endpoint_disabled" | "endpoint_failing" | "endpoint_recovered";
            /** @description The recipient, never the address. */
            to: {
                /**
                 * @description An invitation to a guardian names the link of GET /guardians.
                 * @example guardian_link
                 * @enum {string}
                 */
                kind: "student" | "faculty" | "guardian" | "guardian_link" | "developer" | "platform";
                /**
                 * @description Of the platform: `platform`.
                 * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            /** @example Invitation to follow Ada Lovelace at North School (sandbox) */
            subject: string;
            /**
             * @description Where it names the recipient's address: `(address)`.
             * @example Please accept the invitation by Friday.
             */
            text: string;
            /**
             * @description The links in the text, in its order.
             * @example [
             *       "https://portal.example/guardians/accept?token=abc"
             *     ]
             */
            links: string[];
            /**
             * Format: date-time
             * @description By the sandbox's clock.
             * @example 2026-09-02T08:00:00.000Z
             */
            created_at: string;
        };
        SandboxSignIn: {
            user: {
                /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /**
                 * @example student
                 * @enum {string}
                 */
                kind: "student" | "faculty" | "guardian" | "developer";
                /**
                 * @description Of a guardian or developer their own address.
                 * @example student1.9f86d081@north.example
                 */
                login_email: string;
                /**
                 * @description For the app to show; null if no name is known.
                 * @example Ada Lovelace
                 */
                full_name: string | null;
                /** @example active */
                status: string;
            };
            /**
             * Format: date-time
             * @description When the session ends; the seat stays.
             * @example 2026-11-20T21:30:00.000Z
             */
            expires_at: string;
            seat: components["schemas"]["Seat"] | null;
        };
        Scope: {
            /**
             * @example students:read
             * @enum {string}
             */
            scope: "students:read" | "students:write" | "faculty:read" | "faculty:write" | "groups:read" | "groups:write" | "licenses:read" | "licenses:write" | "exams:read" | "exams:write" | "submissions:read" | "submissions:write" | "coupons:read" | "coupons:write" | "merits:read" | "merits:write" | "guardians:read" | "guardians:write" | "alpha:read" | "alpha:write" | "institution:read" | "institution:write" | "webhooks:read" | "webhooks:write";
            /** @example List and read students. */
            description: string;
        };
        ScopeList: {
            items: components["schemas"]["Scope"][];
        };
        Seat: {
            /** @example seat_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @example svcapp
             * @enum {string}
             */
            app: "svcapp" | "svccode" | "svcfilm";
            /**
             * @description The app's own name for the device; the same in every app.
             * @example 0c5b1f6e-4e0c-4c3f-9a53-2f6f6f0f7a10
             */
            device_id: string;
            /** @example Ada's laptop */
            device_name: string;
            /** @example macos */
            platform: string;
            /**
             * @description As of the last heartbeat that reported it.
             * @example 2.4.1
             */
            app_version: string;
            /**
             * Format: date-time
             * @description The last sign-in or heartbeat, to the minute.
             * @example 2026-11-20T09:30:00.000Z
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When the device signed in last.
             * @example 2026-11-20T07:55:00.000Z
             */
            signed_in_at: string;
        };
        SignIn: {
            /** @example sgn_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * Format: date-time
             * @description Of the first, where `tries` is more than 1.
             * @example 2026-11-20T09:30:00.000Z
             */
            at: string;
            /**
             * @description The IP address of the client; null where it is not known.
             * @example 203.0.113.7
             */
            client_address: string | null;
            /**
             * @description `signed_in`; or why not: `wrong_code`; `no_valid_code`, because there is none, or it is used or expired; `locked` after too many wrong tries; `not_allowed`, such as a suspended person; `unlicensed`, where the sign-in was to take a seat.
             * @example signed_in
             * @enum {string}
             */
            result: "signed_in" | "wrong_code" | "no_valid_code" | "locked" | "not_allowed" | "unlicensed";
            /**
             * @description Failed tries within a minute with one result from one address are one entry.
             * @example 1
             */
            tries: number;
        };
        SignedFile: {
            /** @example file_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example workspace.zip */
            name: string;
            /**
             * @description In bytes.
             * @example 20480
             */
            size: number;
            /**
             * @description Hexadecimal SHA-256 of the bytes.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /** @example application/zip */
            content_type: string;
            /**
             * @description Fetched without a key.
             * @example https://api.example.org/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795172400&signature=9f86
             */
            url: string;
            /**
             * Format: date-time
             * @description An hour from now at most.
             * @example 2026-11-20T10:30:00.000Z
             */
            url_expires_at: string;
        };
        StoredFile: {
            /**
             * @description The id of the file; usable as `file` in `code_spec`, as `file` below is.
             * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            ref: string;
            /** @description To be put into `code_spec`, or that of an attempt into `attachments`, as it is. */
            file: {
                /** @example file_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
            };
            /**
             * @description The last part of the path that was sent, without control characters.
             * @example starter.zip
             */
            filename: string;
            /**
             * @description In bytes.
             * @example 20480
             */
            size: number;
            /**
             * @description Hexadecimal SHA-256 of the bytes, as they were counted coming in.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /**
             * @description As sent, else `application/octet-stream`.
             * @example application/zip
             */
            content_type: string;
        };
        Student: {
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description The same value as login_email.
             * @example student1.9f86d081@north.example
             */
            email: string;
            /**
             * @description What the student types to sign in.
             * @example student1.9f86d081@north.example
             */
            login_email: string;
            /**
             * @example institution_student
             * @enum {string}
             */
            user_type: "institution_student";
            /** @example Ada Lovelace */
            full_name: string | null;
            /**
             * @description The institution's own (SIS) identifier.
             * @example SIS-1042
             */
            student_id: string | null;
            /**
             * @example active
             * @enum {string}
             */
            status: "pending" | "active" | "suspended";
            /**
             * @description Whether a personal email is mapped.
             * @example true
             */
            personal_email_mapped: boolean;
            license: components["schemas"]["PersonLicense"];
            /**
             * Format: date-time
             * @example 2026-09-01T08:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the name, `student_id`, status or mapped personal email last changed; the license does not count.
             * @example 2026-09-01T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When the erasure of the student was requested; null otherwise.
             * @example null
             */
            erased_at: string | null;
        };
        /** @description A student was provisioned, one at a time or in bulk. */
        StudentCreatedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "student.created";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["StudentCreatedEventData"];
        };
        StudentCreatedEventData: {
            student_id: string;
            login_email: string;
            /** @enum {string} */
            status: "pending" | "active" | "suspended";
        };
        /** @description A personal email was mapped to a student. */
        StudentEmailMappedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "student.email_mapped";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["StudentEmailMappedEventData"];
        };
        StudentEmailMappedEventData: {
            student_id: string;
        };
        StudentExam: {
            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description The owner.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            faculty_id: string;
            /** @example Algebra, midterm */
            title: string;
            /**
             * @example exam
             * @enum {string}
             */
            exam_type: "exam" | "homework" | "assignment" | "quiz" | "project";
            /**
             * @example published
             * @enum {string}
             */
            status: "draft" | "published" | "closed";
            /**
             * @description `svccode` where the exam has a `code_spec`, else `svc`.
             * @example svccode
             * @enum {string}
             */
            app: "svc" | "svccode";
            /** @example 100 */
            max_score: number;
            /**
             * Format: date-time
             * @example 2026-11-20T10:30:00.000Z
             */
            due_date: string | null;
            /**
             * @description A countdown from when the student opens the exam.
             * @example 90
             */
            time_limit_minutes: number | null;
            /** @example true */
            allow_late_submission: boolean;
            /**
             * @description Late penalty in percent: reduces the percentage of late submissions.
             * @example 10
             */
            late_penalty_percentage: number;
            proctoring: {
                /**
                 * @description Whether the student must grant the camera.
                 * @example true
                 */
                camera: boolean;
                /**
                 * @description Whether the student must grant the microphone.
                 * @example false
                 */
                microphone: boolean;
                /**
                 * @description Whether the student must grant the recording of the screen.
                 * @example true
                 */
                screen: boolean;
            };
            ai_policy: {
                /**
                 * @description False disables the assistant entirely.
                 * @example true
                 */
                allowed: boolean;
                /**
                 * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                 * @example any
                 * @enum {string}
                 */
                model_tier: "any" | "cloud" | "local";
                /**
                 * @description A budget per attempt; null sets none.
                 * @example 20
                 */
                max_interactions: number | null;
            };
            /**
             * Format: date-time
             * @example 2026-11-16T09:05:00.000Z
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @example null
             */
            closed_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-16T09:00:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the exam or its assignments last changed.
             * @example 2026-11-16T09:05:00.000Z
             */
            updated_at: string;
            /** @description The latest attempt; null before the first. */
            attempt: {
                /** @example att_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /**
                 * @example submitted
                 * @enum {string}
                 */
                status: "in_progress" | "submitted" | "abandoned";
                /**
                 * Format: date-time
                 * @example 2026-11-20T09:30:00.000Z
                 */
                started_at: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T11:00:00.000Z
                 */
                expires_at: string | null;
                /**
                 * Format: date-time
                 * @description When the app fetched the hidden-test key.
                 * @example 2026-11-20T10:30:00.000Z
                 */
                hidden_released_at: string | null;
            } | null;
            /** @description The latest version; null before the first. */
            submission: {
                /** @example sub_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /** @example 1 */
                version: number;
                /**
                 * @example graded
                 * @enum {string}
                 */
                status: "submitted" | "graded" | "resubmission_required" | "voided";
                /** @example true */
                is_late: boolean;
                /**
                 * @description Null unless graded.
                 * @example 80
                 */
                score: number | null;
                /**
                 * @description After any late penalty; null unless graded.
                 * @example 72
                 */
                percentage: number | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:40:00.000Z
                 */
                submitted_at: string;
                /**
                 * Format: date-time
                 * @description Null unless graded.
                 * @example 2026-11-21T08:00:00.000Z
                 */
                graded_at: string | null;
            } | null;
        };
        StudentExport: {
            /** @example exp_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @example ready
             * @enum {string}
             */
            status: "preparing" | "ready" | "expired";
            /**
             * @description Whether recordings are in the archive: if the key that asked for it has submissions:write.
             * @example true
             */
            with_recordings: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T09:25:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the archive was complete.
             * @example 2026-11-20T09:30:00.000Z
             */
            ready_at: string | null;
            /**
             * Format: date-time
             * @description When the archive is deleted: 7 days after it was complete.
             * @example 2026-11-27T09:30:00.000Z
             */
            expires_at: string | null;
            /** @description Null unless it is `ready` and the key may have it. */
            archive: {
                /**
                 * @description Of the archive, for anybody who has it.
                 * @example https://api.institution.example/v1/files/file_01jd4k6f2mep2s5xg5yhc8m1zr?expires=1795172400&signature=9f86d081
                 */
                url: string;
                /**
                 * Format: date-time
                 * @description An hour after the response; ask again for another URL.
                 * @example 2026-11-20T10:30:00.000Z
                 */
                url_expires_at: string;
                /**
                 * @description In bytes.
                 * @example 1048576
                 */
                size: number;
                /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
                sha256: string;
            } | null;
        };
        StudentPoints: {
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            stats: components["schemas"]["PointsStats"];
            /** @description Newest first. */
            ledger: {
                items: components["schemas"]["PointsEntry"][];
                /**
                 * @description This page, from 1; null in an answer to a `cursor`.
                 * @example 1
                 */
                page: number | null;
                /**
                 * @description Items a page.
                 * @example 50
                 */
                limit: number;
                /**
                 * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                 * @example 1
                 */
                total: number | null;
                /**
                 * @description Whether more items follow.
                 * @example false
                 */
                has_more: boolean;
                /**
                 * @description The `cursor` that reads on after these items; null at the end.
                 * @example null
                 */
                next_cursor: string | null;
            };
        };
        /** @description Fields or the status of a student changed; `changed` names them. */
        StudentUpdatedEvent: {
            /** @description Receivers dedupe on it. */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "student.updated";
            /**
             * Format: date-time
             * @description Unique in the institution, rising in the order of commits.
             */
            created_at: string;
            institution_id: string;
            data: components["schemas"]["StudentUpdatedEventData"];
        };
        StudentUpdatedEventData: {
            student_id: string;
            /** @description The names of the fields that changed. */
            changed: ("full_name" | "student_id" | "login_email" | "status")[];
            /** @enum {string} */
            status: "pending" | "active" | "suspended";
        };
        Submission: {
            /** @example sub_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
            exam_id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description The generated login email.
             * @example student1.9f86d081@north.example
             */
            student_email: string;
            /** @example att_01jd4k6f2mep2s5xg5yhc8m1zr */
            attempt_id: string;
            /**
             * @description Counts up with each of the student's submissions in this exam.
             * @example 1
             */
            version: number;
            /**
             * @description Whether there is no later version. Only the latest is graded and voided, and counts.
             * @example true
             */
            is_latest: boolean;
            /**
             * @example graded
             * @enum {string}
             */
            status: "submitted" | "graded" | "resubmission_required" | "voided";
            /**
             * @description Submitted after the due date.
             * @example true
             */
            is_late: boolean;
            /** @example Show how you got there. */
            feedback: string | null;
            /** @description Null until it is graded. A graded submission that is voided keeps it. */
            score_detail: {
                /**
                 * @description As given.
                 * @example 80
                 */
                score: number;
                /**
                 * @description The exam's as of grading.
                 * @example 100
                 */
                max_score: number;
                /**
                 * @description The final value: score / max_score × 100 × (1 − penalty / 100), rounded half up to two decimals.
                 * @example 72
                 */
                percentage: number;
                /**
                 * @description The late penalty that was applied; 0 unless late.
                 * @example 10
                 */
                late_penalty_percentage: number;
            } | null;
            /** @description Totals of the attempt. */
            proctoring: {
                /**
                 * @description How often the window lost the focus.
                 * @example 2
                 */
                focus_losses: number;
                /**
                 * @description Total seconds without the focus.
                 * @example 14.5
                 */
                seconds_away: number;
                /** @example 0 */
                recorder_errors: number;
                /**
                 * @description Recorded segments that were uploaded.
                 * @example 12
                 */
                segments: number;
            };
            /**
             * @description Who graded it, or asked for a resubmission.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            graded_by: string | null;
            /**
             * Format: date-time
             * @description When that was last done.
             * @example 2026-11-21T08:00:00.000Z
             */
            graded_at: string | null;
            /** @example null */
            void_reason: string | null;
            /**
             * Format: date-time
             * @example null
             */
            voided_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:40:00.000Z
             */
            submitted_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:00:00.000Z
             */
            updated_at: string;
            /** @example See the comments in main.py. */
            text: string | null;
            /** @description Of a coding exam: workspace.zip, transcript.json and test-results.json. */
            attachments: components["schemas"]["SignedFile"][];
            /**
             * @description Files that came with the feedback.
             * @example []
             */
            feedback_attachments: components["schemas"]["SignedFile"][];
            /**
             * @description As the app reported it.
             * @example {
             *       "total_interactions": 3,
             *       "models_used": [
             *         "local-7b"
             *       ]
             *     }
             */
            ai_usage_data: Record<string, unknown> | null;
            /** @description Every version of this student in this exam, newest first; each is read by its id. */
            versions: {
                /** @example sub_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /** @example 1 */
                version: number;
                /**
                 * @example graded
                 * @enum {string}
                 */
                status: "submitted" | "graded" | "resubmission_required" | "voided";
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:40:00.000Z
                 */
                submitted_at: string;
            }[];
            /** @description The recorded segments, in order. With the scope submissions:write alone: for other keys the field is absent. */
            recordings?: components["schemas"]["SignedFile"][];
        };
        SubmissionEvents: {
            attempt: {
                /** @example att_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                student_id: string;
                /**
                 * @example submitted
                 * @enum {string}
                 */
                status: "in_progress" | "submitted" | "abandoned";
                /**
                 * Format: date-time
                 * @example 2026-11-20T09:30:00.000Z
                 */
                started_at: string;
                /**
                 * Format: date-time
                 * @example 2026-11-20T11:00:00.000Z
                 */
                expires_at: string | null;
                /**
                 * Format: date-time
                 * @description When the app fetched the hidden-test key.
                 * @example 2026-11-20T10:30:00.000Z
                 */
                hidden_released_at: string | null;
                /**
                 * Format: date-time
                 * @example 2026-11-20T10:40:00.000Z
                 */
                ended_at: string | null;
            };
            /**
             * @description Total number of events of each type, across all pages.
             * @example {
             *       "attempt_started": 1,
             *       "focus_gained": 2,
             *       "focus_lost": 2,
             *       "submitted": 1
             *     }
             */
            counts: {
                [key: string]: number;
            };
            /** @description In the order of `at`. */
            events: {
                /** @example focus_gained */
                type: string;
                /**
                 * Format: date-time
                 * @description By the clock of the reporter: the student's machine, or the service.
                 * @example 2026-11-20T09:41:00.000Z
                 */
                at: string;
                /**
                 * @description Absent where there is none.
                 * @example {
                 *       "away_seconds": 7.5
                 *     }
                 */
                detail?: Record<string, unknown>;
            }[];
            /**
             * @description This page, from 1; null in an answer to a `cursor`.
             * @example 1
             */
            page: number | null;
            /**
             * @description Events a page.
             * @example 50
             */
            limit: number;
            /**
             * @description Events in all, exact; null in an answer to a `cursor`, for which nothing is counted.
             * @example 1
             */
            total: number | null;
            /**
             * @description Whether more events follow.
             * @example false
             */
            has_more: boolean;
            /**
             * @description The `cursor` that reads on after these events; null at the end.
             * @example null
             */
            next_cursor: string | null;
        };
        SubmissionSummary: {
            /** @example sub_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
            exam_id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description The generated login email.
             * @example student1.9f86d081@north.example
             */
            student_email: string;
            /** @example att_01jd4k6f2mep2s5xg5yhc8m1zr */
            attempt_id: string;
            /**
             * @description Counts up with each of the student's submissions in this exam.
             * @example 1
             */
            version: number;
            /**
             * @description Whether there is no later version. Only the latest is graded and voided, and counts.
             * @example true
             */
            is_latest: boolean;
            /**
             * @example graded
             * @enum {string}
             */
            status: "submitted" | "graded" | "resubmission_required" | "voided";
            /**
             * @description Submitted after the due date.
             * @example true
             */
            is_late: boolean;
            /** @example Show how you got there. */
            feedback: string | null;
            /** @description Null until it is graded. A graded submission that is voided keeps it. */
            score_detail: {
                /**
                 * @description As given.
                 * @example 80
                 */
                score: number;
                /**
                 * @description The exam's as of grading.
                 * @example 100
                 */
                max_score: number;
                /**
                 * @description The final value: score / max_score × 100 × (1 − penalty / 100), rounded half up to two decimals.
                 * @example 72
                 */
                percentage: number;
                /**
                 * @description The late penalty that was applied; 0 unless late.
                 * @example 10
                 */
                late_penalty_percentage: number;
            } | null;
            /** @description Totals of the attempt. */
            proctoring: {
                /**
                 * @description How often the window lost the focus.
                 * @example 2
                 */
                focus_losses: number;
                /**
                 * @description Total seconds without the focus.
                 * @example 14.5
                 */
                seconds_away: number;
                /** @example 0 */
                recorder_errors: number;
                /**
                 * @description Recorded segments that were uploaded.
                 * @example 12
                 */
                segments: number;
            };
            /**
             * @description Who graded it, or asked for a resubmission.
             * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            graded_by: string | null;
            /**
             * Format: date-time
             * @description When that was last done.
             * @example 2026-11-21T08:00:00.000Z
             */
            graded_at: string | null;
            /** @example null */
            void_reason: string | null;
            /**
             * Format: date-time
             * @example null
             */
            voided_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T10:40:00.000Z
             */
            submitted_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T08:00:00.000Z
             */
            updated_at: string;
        };
        SubmittedVersion: {
            /** @example sub_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
            exam_id: string;
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            student_id: string;
            /** @example att_01jd4k6f2mep2s5xg5yhc8m1zr */
            attempt_id: string;
            /** @example 1 */
            version: number;
            /**
             * @example submitted
             * @enum {string}
             */
            status: "submitted";
            /**
             * @description Submitted after the due date.
             * @example true
             */
            is_late: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T10:40:00.000Z
             */
            submitted_at: string;
        };
        Wallet: {
            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
            user_id: string;
            /**
             * @description The login email.
             * @example student1.9f86d081@north.example
             */
            email: string;
            /**
             * @description What the wallet holds; 0 before its first move.
             * @example 1500
             */
            balance_cents: number;
            /** @description The newest 50, newest first. */
            moves: {
                /** @example mov_01jd4k6f2mep2s5xg5yhc8m1zr */
                id: string;
                /**
                 * @description `grant` and `reclaim` move the allowance, `credit` moves from it to a wallet, `coupon` into a wallet, `spend` out of one.
                 * @example credit
                 * @enum {string}
                 */
                kind: "grant" | "reclaim" | "credit" | "coupon" | "spend";
                /**
                 * @description The account that gave.
                 * @example allowance
                 * @enum {string}
                 */
                from: "platform" | "allowance" | "wallet" | "coupons" | "models";
                /**
                 * @description The account that got.
                 * @example wallet
                 * @enum {string}
                 */
                to: "platform" | "allowance" | "wallet" | "coupons" | "models";
                /**
                 * @description What moved, always above 0.
                 * @example 500
                 */
                amount_cents: number;
                /**
                 * @description What the wallet held after the move.
                 * @example 1500
                 */
                balance_cents: number;
                /** @example Prize of the term */
                reason: string | null;
                /**
                 * @description Of a credit or a spend.
                 * @example prize-2026-11-20-ada
                 */
                ref: string | null;
                /**
                 * @description Of a coupon: its batch.
                 * @example null
                 */
                batch_id: string | null;
                /**
                 * Format: date-time
                 * @description Unique in the institution, and rising with each move: the newest one's is the next `since`.
                 * @example 2026-11-21T08:15:00.000Z
                 */
                created_at: string;
            }[];
        };
        WebhookEndpoint: {
            /** @example we_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example https://hooks.example.org/institution */
            url: string;
            /** @example Gradebook */
            description: string | null;
            /**
             * @description `*`, prefixes such as `exam.*`, or exact types.
             * @example [
             *       "exam.*"
             *     ]
             */
            events: string[];
            /**
             * @description `disabled` is set by the service when an endpoint fails for days or answers 410.
             * @example active
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /**
             * @description Deliveries per second at most; null without a limit.
             * @example 20
             */
            rate_limit: number | null;
            /**
             * Format: date-time
             * @example 2026-09-01T07:45:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last attempt that was answered 2xx.
             * @example 2026-11-21T08:00:00.084Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description The last attempt that was not.
             * @example 2026-11-20T10:40:00.512Z
             */
            last_failure_at: string | null;
            /**
             * @description Failures since the last success.
             * @example 0
             */
            consecutive_failures: number;
            /**
             * @description `open` after 20 failures in a row: deliveries are held, and the oldest is tried from time to time until one is accepted.
             * @example closed
             * @enum {string}
             */
            circuit: "closed" | "open";
            /**
             * Format: date-time
             * @description While the circuit is open: when the oldest held delivery is tried next, at the earliest; a test that is accepted, or setting `status` to `active`, has it tried at once.
             * @example null
             */
            next_probe_at: string | null;
            /**
             * @description Why the service disabled the endpoint.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description When the signing secret was last rotated.
             * @example null
             */
            secret_rotated_at: string | null;
            /**
             * Format: date-time
             * @description Until when attempts also carry the signature of the previous secret; null outside of a grace.
             * @example null
             */
            previous_secret_expires_at: string | null;
            /**
             * @description Names of the headers that each attempt also has; their values are never shown.
             * @example [
             *       "X-Api-Key"
             *     ]
             */
            header_names: string[];
            /**
             * @description `ed25519`: attempts also have a signature by a key of the endpoint.
             * @example ed25519
             * @enum {string}
             */
            signature_scheme: "hmac" | "ed25519";
            /**
             * @description Verifies the `v1a` signatures; null for `hmac`.
             * @example whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=
             */
            public_key: string | null;
            /**
             * @description The key before the last rotation, in a grace; else null.
             * @example null
             */
            previous_public_key: string | null;
        };
        WebhookEndpointWithSecret: {
            /** @example we_01jd4k6f2mep2s5xg5yhc8m1zr */
            id: string;
            /** @example https://hooks.example.org/institution */
            url: string;
            /** @example Gradebook */
            description: string | null;
            /**
             * @description `*`, prefixes such as `exam.*`, or exact types.
             * @example [
             *       "exam.*"
             *     ]
             */
            events: string[];
            /**
             * @description `disabled` is set by the service when an endpoint fails for days or answers 410.
             * @example active
             * @enum {string}
             */
            status: "active" | "paused" | "disabled";
            /**
             * @description Deliveries per second at most; null without a limit.
             * @example 20
             */
            rate_limit: number | null;
            /**
             * Format: date-time
             * @example 2026-09-01T07:45:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The last attempt that was answered 2xx.
             * @example 2026-11-21T08:00:00.084Z
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description The last attempt that was not.
             * @example 2026-11-20T10:40:00.512Z
             */
            last_failure_at: string | null;
            /**
             * @description Failures since the last success.
             * @example 0
             */
            consecutive_failures: number;
            /**
             * @description `open` after 20 failures in a row: deliveries are held, and the oldest is tried from time to time until one is accepted.
             * @example closed
             * @enum {string}
             */
            circuit: "closed" | "open";
            /**
             * Format: date-time
             * @description While the circuit is open: when the oldest held delivery is tried next, at the earliest; a test that is accepted, or setting `status` to `active`, has it tried at once.
             * @example null
             */
            next_probe_at: string | null;
            /**
             * @description Why the service disabled the endpoint.
             * @example null
             */
            disabled_reason: string | null;
            /**
             * Format: date-time
             * @description When the signing secret was last rotated.
             * @example null
             */
            secret_rotated_at: string | null;
            /**
             * Format: date-time
             * @description Until when attempts also carry the signature of the previous secret; null outside of a grace.
             * @example null
             */
            previous_secret_expires_at: string | null;
            /**
             * @description Names of the headers that each attempt also has; their values are never shown.
             * @example [
             *       "X-Api-Key"
             *     ]
             */
            header_names: string[];
            /**
             * @description `ed25519`: attempts also have a signature by a key of the endpoint.
             * @example ed25519
             * @enum {string}
             */
            signature_scheme: "hmac" | "ed25519";
            /**
             * @description Verifies the `v1a` signatures; null for `hmac`.
             * @example whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=
             */
            public_key: string | null;
            /**
             * @description The key before the last rotation, in a grace; else null.
             * @example null
             */
            previous_public_key: string | null;
            /**
             * @description The signing secret; shown this once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
        };
        WebhookTest: {
            /**
             * @description Whether the receiver answered 2xx within 10 seconds.
             * @example true
             */
            delivered: boolean;
            /**
             * @description Status code of the response; null without one.
             * @example 200
             */
            response_code: number | null;
            /**
             * @description The whole exchange, name look-up and connect included.
             * @example 84
             */
            latency_ms: number;
            /**
             * @description What failed, in a sentence; null when delivered.
             * @example null
             */
            error: string | null;
            /**
             * @description The first 4 KiB of the response, where a receiver may say why it refuses; null without a body.
             * @example ok
             */
            response_body: string | null;
        };
        WeeklyReport: {
            /**
             * @description Of the student's report: the same for each of their guardians.
             * @example rep_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            id: string;
            /**
             * @description The guardian link.
             * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            guardian_id: string;
            /**
             * @description Internal id.
             * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
             */
            student_id: string;
            /**
             * @description The generated login email.
             * @example student1.9f86d081@north.example
             */
            student_email: string;
            /**
             * Format: date
             * @description The Monday, as a calendar day of the time zone.
             * @example 2026-11-16
             */
            week_start: string;
            /**
             * Format: date
             * @description The Sunday.
             * @example 2026-11-22
             */
            week_end: string;
            /**
             * @description The institution's: the week begins and ends at its midnight.
             * @example Europe/Berlin
             */
            time_zone: string;
            /**
             * @description Spent learning in the week.
             * @example 175
             */
            minutes: number;
            /**
             * @description Days on which the daily target of an enrollment was met.
             * @example 5
             */
            days_met: number;
            /**
             * @description Awarded less deducted in the week.
             * @example 40
             */
            points: number;
            /**
             * @description At the end of the week.
             * @example 110
             */
            points_balance: number;
            /**
             * @description In the week.
             * @example 2
             */
            concepts_mastered: number;
            /**
             * @description Days in a row with the target met, up to the Sunday.
             * @example 5
             */
            streak_days: number;
            /**
             * @description Granted in the week, oldest first.
             * @example [
             *       "first_mastery"
             *     ]
             */
            badges: string[];
            /**
             * Format: date-time
             * @description When the report was emailed to this guardian. Null if no email was sent, and from 90 days after the last email of the week on.
             * @example 2026-11-23T12:10:00.400Z
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description The later of when the report was written and when the guardian was verified.
             * @example 2026-11-23T12:10:00.000Z
             */
            created_at: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ErrorCode = components['schemas']['ErrorCode'];
export type Activation = components['schemas']['Activation'];
export type Allowance = components['schemas']['Allowance'];
export type AlphaBadgeGrantedEvent = components['schemas']['AlphaBadgeGrantedEvent'];
export type AlphaBadgeGrantedEventData = components['schemas']['AlphaBadgeGrantedEventData'];
export type AlphaPointsAwardedEvent = components['schemas']['AlphaPointsAwardedEvent'];
export type AlphaPointsAwardedEventData = components['schemas']['AlphaPointsAwardedEventData'];
export type AlphaStudent = components['schemas']['AlphaStudent'];
export type ApiKey = components['schemas']['ApiKey'];
export type AssignedGroup = components['schemas']['AssignedGroup'];
export type Badge = components['schemas']['Badge'];
export type BegunAttempt = components['schemas']['BegunAttempt'];
export type BulkReplay = components['schemas']['BulkReplay'];
export type BulkStudentCreated = components['schemas']['BulkStudentCreated'];
export type BulkStudentFailed = components['schemas']['BulkStudentFailed'];
export type BulkStudents = components['schemas']['BulkStudents'];
export type ChangedGroup = components['schemas']['ChangedGroup'];
export type CodeSecret = components['schemas']['CodeSecret'];
export type CodeSecretSet = components['schemas']['CodeSecretSet'];
export type CodeSecretStatus = components['schemas']['CodeSecretStatus'];
export type CodeSpec = components['schemas']['CodeSpec'];
export type Concept = components['schemas']['Concept'];
export type ConceptMastery = components['schemas']['ConceptMastery'];
export type Coupon = components['schemas']['Coupon'];
export type CouponBatch = components['schemas']['CouponBatch'];
export type CouponBatchApprovedEvent = components['schemas']['CouponBatchApprovedEvent'];
export type CouponBatchApprovedEventData = components['schemas']['CouponBatchApprovedEventData'];
export type CouponBatchRequestedEvent = components['schemas']['CouponBatchRequestedEvent'];
export type CouponBatchRequestedEventData = components['schemas']['CouponBatchRequestedEventData'];
export type CouponBatchSummary = components['schemas']['CouponBatchSummary'];
export type CouponRedeemedEvent = components['schemas']['CouponRedeemedEvent'];
export type CouponRedeemedEventData = components['schemas']['CouponRedeemedEventData'];
export type CouponRedemption = components['schemas']['CouponRedemption'];
export type Credit = components['schemas']['Credit'];
export type Curriculum = components['schemas']['Curriculum'];
export type CurriculumDetails = components['schemas']['CurriculumDetails'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryRef = components['schemas']['DeliveryRef'];
export type DeliveryWithLog = components['schemas']['DeliveryWithLog'];
export type Devices = components['schemas']['Devices'];
export type Disclosure = components['schemas']['Disclosure'];
export type EndpointDisabledEvent = components['schemas']['EndpointDisabledEvent'];
export type EndpointDisabledEventData = components['schemas']['EndpointDisabledEventData'];
export type EndpointFailingEvent = components['schemas']['EndpointFailingEvent'];
export type EndpointFailingEventData = components['schemas']['EndpointFailingEventData'];
export type EndpointRecoveredEvent = components['schemas']['EndpointRecoveredEvent'];
export type EndpointRecoveredEventData = components['schemas']['EndpointRecoveredEventData'];
export type EndpointRecovery = components['schemas']['EndpointRecovery'];
export type EndpointStatistics = components['schemas']['EndpointStatistics'];
export type EndpointStatisticsRange = components['schemas']['EndpointStatisticsRange'];
export type Enrolled = components['schemas']['Enrolled'];
export type Enrollment = components['schemas']['Enrollment'];
export type EnrollmentProgress = components['schemas']['EnrollmentProgress'];
export type EnrolmentCode = components['schemas']['EnrolmentCode'];
export type EnrolmentCodeCreated = components['schemas']['EnrolmentCodeCreated'];
export type EnrolmentCodeFailed = components['schemas']['EnrolmentCodeFailed'];
export type EnrolmentCodes = components['schemas']['EnrolmentCodes'];
export type Erasure = components['schemas']['Erasure'];
export type Event = components['schemas']['Event'];
export type EventType = components['schemas']['EventType'];
export type Exam = components['schemas']['Exam'];
export type ExamAnalytics = components['schemas']['ExamAnalytics'];
export type ExamAssignedEvent = components['schemas']['ExamAssignedEvent'];
export type ExamAssignedEventData = components['schemas']['ExamAssignedEventData'];
export type ExamAttempt = components['schemas']['ExamAttempt'];
export type ExamAttemptStartedEvent = components['schemas']['ExamAttemptStartedEvent'];
export type ExamAttemptStartedEventData = components['schemas']['ExamAttemptStartedEventData'];
export type ExamGradedEvent = components['schemas']['ExamGradedEvent'];
export type ExamGradedEventData = components['schemas']['ExamGradedEventData'];
export type ExamPublishedEvent = components['schemas']['ExamPublishedEvent'];
export type ExamPublishedEventData = components['schemas']['ExamPublishedEventData'];
export type ExamScore = components['schemas']['ExamScore'];
export type ExamSubmittedEvent = components['schemas']['ExamSubmittedEvent'];
export type ExamSubmittedEventData = components['schemas']['ExamSubmittedEventData'];
export type ExamSummary = components['schemas']['ExamSummary'];
export type Faculty = components['schemas']['Faculty'];
export type FacultyCreatedEvent = components['schemas']['FacultyCreatedEvent'];
export type FacultyCreatedEventData = components['schemas']['FacultyCreatedEventData'];
export type FacultyProfileCompletedEvent = components['schemas']['FacultyProfileCompletedEvent'];
export type FacultyProfileCompletedEventData = components['schemas']['FacultyProfileCompletedEventData'];
export type Group = components['schemas']['Group'];
export type GroupDetails = components['schemas']['GroupDetails'];
export type GroupMember = components['schemas']['GroupMember'];
export type GuardianInvitedEvent = components['schemas']['GuardianInvitedEvent'];
export type GuardianInvitedEventData = components['schemas']['GuardianInvitedEventData'];
export type GuardianLink = components['schemas']['GuardianLink'];
export type GuardianVerifiedEvent = components['schemas']['GuardianVerifiedEvent'];
export type GuardianVerifiedEventData = components['schemas']['GuardianVerifiedEventData'];
export type Institution = components['schemas']['Institution'];
export type IntegrationConfig = components['schemas']['IntegrationConfig'];
export type Issue = components['schemas']['Issue'];
export type Leader = components['schemas']['Leader'];
export type LedgerMove = components['schemas']['LedgerMove'];
export type License = components['schemas']['License'];
export type LicenseDeviceRegisteredEvent = components['schemas']['LicenseDeviceRegisteredEvent'];
export type LicenseDeviceRegisteredEventData = components['schemas']['LicenseDeviceRegisteredEventData'];
export type LicenseExpiredEvent = components['schemas']['LicenseExpiredEvent'];
export type LicenseExpiredEventData = components['schemas']['LicenseExpiredEventData'];
export type LicenseGeneratedEvent = components['schemas']['LicenseGeneratedEvent'];
export type LicenseGeneratedEventData = components['schemas']['LicenseGeneratedEventData'];
export type LicenseSummary = components['schemas']['LicenseSummary'];
export type MeritsCreditedEvent = components['schemas']['MeritsCreditedEvent'];
export type MeritsCreditedEventData = components['schemas']['MeritsCreditedEventData'];
export type OpenedCodeSpec = components['schemas']['OpenedCodeSpec'];
export type PersonLicense = components['schemas']['PersonLicense'];
export type PingEvent = components['schemas']['PingEvent'];
export type PingEventData = components['schemas']['PingEventData'];
export type PointsAwarded = components['schemas']['PointsAwarded'];
export type PointsEntry = components['schemas']['PointsEntry'];
export type PointsStats = components['schemas']['PointsStats'];
export type Progress = components['schemas']['Progress'];
export type RecordedEvents = components['schemas']['RecordedEvents'];
export type Redeemed = components['schemas']['Redeemed'];
export type ReplayedDelivery = components['schemas']['ReplayedDelivery'];
export type RevokedSeat = components['schemas']['RevokedSeat'];
export type SandboxClock = components['schemas']['SandboxClock'];
export type SandboxEmail = components['schemas']['SandboxEmail'];
export type SandboxSignIn = components['schemas']['SandboxSignIn'];
export type Scope = components['schemas']['Scope'];
export type ScopeList = components['schemas']['ScopeList'];
export type Seat = components['schemas']['Seat'];
export type SignIn = components['schemas']['SignIn'];
export type SignedFile = components['schemas']['SignedFile'];
export type StoredFile = components['schemas']['StoredFile'];
export type Student = components['schemas']['Student'];
export type StudentCreatedEvent = components['schemas']['StudentCreatedEvent'];
export type StudentCreatedEventData = components['schemas']['StudentCreatedEventData'];
export type StudentEmailMappedEvent = components['schemas']['StudentEmailMappedEvent'];
export type StudentEmailMappedEventData = components['schemas']['StudentEmailMappedEventData'];
export type StudentExam = components['schemas']['StudentExam'];
export type StudentExport = components['schemas']['StudentExport'];
export type StudentPoints = components['schemas']['StudentPoints'];
export type StudentUpdatedEvent = components['schemas']['StudentUpdatedEvent'];
export type StudentUpdatedEventData = components['schemas']['StudentUpdatedEventData'];
export type Submission = components['schemas']['Submission'];
export type SubmissionEvents = components['schemas']['SubmissionEvents'];
export type SubmissionSummary = components['schemas']['SubmissionSummary'];
export type SubmittedVersion = components['schemas']['SubmittedVersion'];
export type Wallet = components['schemas']['Wallet'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpointWithSecret = components['schemas']['WebhookEndpointWithSecret'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WeeklyReport = components['schemas']['WeeklyReport'];
export type $defs = Record<string, never>;
export interface operations {
    describeKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    listScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ScopeList"];
                    };
                };
            };
        };
    };
    getInstitution: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Institution"];
                    };
                };
            };
        };
    };
    getInstitutionConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["IntegrationConfig"];
                    };
                };
            };
        };
    };
    replaceInstitutionConfig: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What new exams take where they name no ai_policy. */
                    default_ai_policy?: {
                        /**
                         * @description False disables the assistant entirely.
                         * @default false
                         * @example true
                         */
                        allowed?: boolean;
                        /**
                         * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                         * @default any
                         * @example any
                         * @enum {string}
                         */
                        model_tier?: "any" | "cloud" | "local";
                        /**
                         * @description A budget per attempt; null sets none.
                         * @default null
                         * @example 20
                         */
                        max_interactions?: number | null;
                    };
                    /** @description What new exams take where they name no proctoring. */
                    default_proctoring?: {
                        /**
                         * @description Whether the student must grant the camera.
                         * @default false
                         * @example true
                         */
                        camera?: boolean;
                        /**
                         * @description Whether the student must grant the microphone.
                         * @default false
                         * @example false
                         */
                        microphone?: boolean;
                        /**
                         * @description Whether the student must grant the recording of the screen.
                         * @default false
                         * @example true
                         */
                        screen?: boolean;
                    };
                    /**
                     * @description Toolchains that coding exams may name; all six by default.
                     * @example [
                     *       "python",
                     *       "node"
                     *     ]
                     */
                    allowed_toolchains?: ("c" | "cpp" | "java" | "python" | "node" | "sqlite")[];
                    /** @description Where apps install toolchains from. */
                    toolchain_mirror?: {
                        /**
                         * Format: uri
                         * @description An https URL without a user name and password.
                         * @example https://mirror.north.example/toolchains
                         */
                        base_url: string;
                    } | null;
                    /**
                     * @description Any JSON object: at most 16 KiB serialised, at most 20 levels deep; its numbers 0, or in size at least 0.000001 and below 1e21.
                     * @example {
                     *       "provider": "moodle",
                     *       "course_prefix": "NS"
                     *     }
                     */
                    lms?: Record<string, unknown>;
                    /**
                     * @description Whether a second student with the same `student_id` (exact text; students without one never conflict) is refused as `conflict`. Turning it on while several students have the same is `conflict` too; the error names up to 20 of them.
                     * @default false
                     * @example false
                     */
                    unique_student_ids?: boolean;
                    /**
                     * @description Recommended. Whether a student without a mapped personal email needs an enrolment code to name one at the first sign-in; `POST /students/{id}/enrolment-code` makes it. Without it, anyone who knows the login email of such a student can name an address.
                     * @default false
                     * @example true
                     */
                    require_enrolment_code?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["IntegrationConfig"];
                    };
                };
            };
        };
    };
    listStudents: {
        parameters: {
            query?: {
                /** @description A login email. What is no address is a `validation_error`; an address that is nobody’s login email, such as a personal email, finds nobody. */
                email?: string;
                /** @description Only students with this status. */
                status?: "pending" | "active" | "suspended";
                /** @description The institution's own identifier; all students with it are returned. */
                student_id?: string;
                /** @description Members of this group. */
                group_id?: string;
                /**
                 * @description Inclusive, of `updated_at`. Ask from five minutes before the newest `updated_at` that you have seen: changes bear the moment at which their call began. At most 5 minutes ahead.
                 * @example 2026-09-01T00:00:00Z
                 */
                updated_since?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Student"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createStudent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Shown in the apps.
                     * @example Ada Lovelace
                     */
                    full_name?: string | null;
                    /**
                     * @description The institution's own (SIS) identifier; need not be unique unless the config has `unique_student_ids`.
                     * @example SIS-1042
                     */
                    student_id?: string | null;
                    /**
                     * Format: email
                     * @description Write-only: one-time codes and announcements of exams go there. Never returned. A login email of the institution has no mailbox: validation_error.
                     * @example ada@example.org
                     */
                    personal_email?: string | null;
                    /**
                     * @description How long the license runs, in days.
                     * @default 365
                     * @example 365
                     */
                    license_days?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    getStudent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    updateStudent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Shown in the apps.
                     * @example Ada Lovelace
                     */
                    full_name?: string | null;
                    /**
                     * @description The institution's own (SIS) identifier; need not be unique unless the config has `unique_student_ids`.
                     * @example SIS-1042
                     */
                    student_id?: string | null;
                    /**
                     * @description `active` reactivates a suspended student; a pending one stays pending.
                     * @example active
                     * @enum {string}
                     */
                    status?: "active" | "suspended";
                    /**
                     * Format: email
                     * @description Write-only: one-time codes and announcements of exams go there. Never returned. A login email of the institution has no mailbox: validation_error.
                     * @example ada@example.org
                     */
                    personal_email?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    createStudentsBulk: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description 1 to 200 students, each with the fields of POST /students.
                     * @example [
                     *       {
                     *         "full_name": "Ada Lovelace",
                     *         "student_id": "SIS-1042"
                     *       },
                     *       {
                     *         "full_name": "Alan Turing",
                     *         "student_id": "SIS-1043",
                     *         "personal_email": "alan@example.org"
                     *       }
                     *     ]
                     */
                    students: {
                        /**
                         * @description Shown in the apps.
                         * @example Ada Lovelace
                         */
                        full_name?: string | null;
                        /**
                         * @description The institution's own (SIS) identifier; need not be unique unless the config has `unique_student_ids`.
                         * @example SIS-1042
                         */
                        student_id?: string | null;
                        /**
                         * Format: email
                         * @description Write-only: one-time codes and announcements of exams go there. Never returned. A login email of the institution has no mailbox: validation_error.
                         * @example ada@example.org
                         */
                        personal_email?: string | null;
                        /**
                         * @description How long the license runs, in days.
                         * @default 365
                         * @example 365
                         */
                        license_days?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BulkStudents"];
                    };
                };
            };
        };
    };
    createEnrolmentCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description 1 to 200 students, by internal id or login email.
                     * @example [
                     *       "student1.9f86d081@north.example"
                     *     ]
                     */
                    student_ids: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EnrolmentCodes"];
                    };
                };
            };
        };
    };
    listStudentDisclosures: {
        parameters: {
            query?: {
                /**
                 * @description `person`: reads of the data of this person alone; `many`: lists and exports of the institution, each of which may have contained this person.
                 * @example person
                 */
                about?: "person" | "many";
                /**
                 * @description Whose reads: a key, a person, or `platform`.
                 * @example key_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                actor_id?: string;
                /**
                 * @description Reads after this moment. At most 5 minutes ahead.
                 * @example 2026-11-20T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Reads up to this moment, inclusively.
                 * @example 2026-11-20T10:30:00Z
                 */
                until?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Disclosure"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    eraseStudent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
        };
    };
    getStudentErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
        };
    };
    listStudentExams: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["StudentExam"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getStudentExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StudentExport"];
                    };
                };
            };
        };
    };
    exportStudent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StudentExport"];
                    };
                };
            };
        };
    };
    listStudentGuardians: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["GuardianLink"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listStudentSignIns: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["SignIn"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    suspendStudent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    reactivateStudent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Student"];
                    };
                };
            };
        };
    };
    createEnrolmentCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EnrolmentCode"];
                    };
                };
            };
        };
    };
    listFaculty: {
        parameters: {
            query?: {
                /** @description A login email. What is no address is a `validation_error`; an address that is nobody’s login email, such as a personal email, finds nobody. */
                email?: string;
                /** @description The institution's own identifier; all faculty members with it are returned. */
                faculty_id?: string;
                /** @description Only faculty with this status. */
                status?: "active" | "suspended";
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Faculty"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createFaculty: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Shown in the apps.
                     * @example Grace Hopper
                     */
                    full_name: string;
                    /**
                     * @description The institution's own (HR) identifier; need not be unique.
                     * @example HR-204
                     */
                    faculty_id?: string | null;
                    /**
                     * @description How long the license runs, in days.
                     * @default 365
                     * @example 365
                     */
                    license_days?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Faculty"];
                    };
                };
            };
        };
    };
    getFaculty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Faculty"];
                    };
                };
            };
        };
    };
    updateFaculty: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Shown in the apps.
                     * @example Grace Hopper
                     */
                    full_name?: string;
                    /**
                     * @description The institution's own (HR) identifier; need not be unique.
                     * @example HR-204
                     */
                    faculty_id?: string | null;
                    /**
                     * @description `suspended` ends their sessions at once; they can own nothing new until `active` again.
                     * @example active
                     * @enum {string}
                     */
                    status?: "active" | "suspended";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Faculty"];
                    };
                };
            };
        };
    };
    listFacultyDisclosures: {
        parameters: {
            query?: {
                /**
                 * @description `person`: reads of the data of this person alone; `many`: lists and exports of the institution, each of which may have contained this person.
                 * @example person
                 */
                about?: "person" | "many";
                /**
                 * @description Whose reads: a key, a person, or `platform`.
                 * @example key_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                actor_id?: string;
                /**
                 * @description Reads after this moment. At most 5 minutes ahead.
                 * @example 2026-11-20T09:30:00Z
                 */
                since?: string;
                /**
                 * @description Reads up to this moment, inclusively.
                 * @example 2026-11-20T10:30:00Z
                 */
                until?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Disclosure"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    eraseFaculty: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
        };
    };
    getFacultyErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
        };
    };
    listFacultyExams: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["ExamSummary"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listFacultySignIns: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["SignIn"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description The owner's internal id or login email; a text in neither form is a `validation_error`. */
                faculty_id?: string;
                /**
                 * @description Text to find anywhere in name or description, case-insensitive. No wildcards.
                 * @example algebra
                 */
                q?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Group"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Need not be unique.
                     * @example Algebra 9b
                     */
                    name: string;
                    /**
                     * @description Of your choice; null for none.
                     * @example Mondays and Thursdays
                     */
                    description?: string | null;
                    /**
                     * @description The owner's internal id or login email; the institution admin without it.
                     * @example faculty2.9f86d081@north.example
                     */
                    faculty_id?: string;
                    /**
                     * @description Students by internal id or login email; what names nobody is skipped, and answered in `skipped`.
                     * @example [
                     *       "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
                     *       "student2.60303ae2@north.example",
                     *       "W-1042"
                     *     ]
                     */
                    student_ids?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ChangedGroup"];
                    };
                };
            };
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the group.
                 * @example grp_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GroupDetails"];
                    };
                };
            };
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example grp_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example grp_01jd4k6f2mep2s5xg5yhc8m1zr */
                            id: string;
                            /**
                             * @example true
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example grp_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Need not be unique.
                     * @example Algebra 9b
                     */
                    name?: string;
                    /**
                     * @description Of your choice; null for none.
                     * @example Mondays and Thursdays
                     */
                    description?: string | null;
                    /**
                     * @description The new owner's internal id or login email.
                     * @example faculty2.9f86d081@north.example
                     */
                    faculty_id?: string;
                    /**
                     * @description Replaces the entire membership, an empty list by nobody. Students by internal id or login email; what names nobody is skipped, and answered in `skipped`. `no_valid_students` when a list names no student at all.
                     * @example [
                     *       "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
                     *       "student2.60303ae2@north.example",
                     *       "W-1042"
                     *     ]
                     */
                    student_ids?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ChangedGroup"];
                    };
                };
            };
        };
    };
    addGroupMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example grp_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Students by internal id or login email; what names nobody is skipped, and answered in `skipped`. `no_valid_students` when a list names no student at all.
                     * @example [
                     *       "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
                     *       "student2.60303ae2@north.example",
                     *       "W-1042"
                     *     ]
                     */
                    student_ids: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ChangedGroup"];
                    };
                };
            };
        };
    };
    removeGroupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the group.
                 * @example grp_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
                /**
                 * @description Internal id or generated login email of the student.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                studentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example stu_01jd4k6f2mep2s5xg5yhc8m1zr */
                            id: string;
                            /**
                             * @example true
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    listLicenses: {
        parameters: {
            query?: {
                /**
                 * @description As shown: an unswept license whose time has passed is `expired`.
                 * @example active
                 */
                status?: "active" | "expired" | "suspended" | "revoked";
                /**
                 * @description Exclusive; lifetime licenses never match.
                 * @example 2027-10-01T00:00:00Z
                 */
                expires_before?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["License"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    summarizeLicenses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["LicenseSummary"];
                    };
                };
            };
        };
    };
    getLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A license.
                 * @example lic_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["License"];
                    };
                };
            };
        };
    };
    extendLicense: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A license.
                 * @example lic_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Counts from the later of now and the present expiry. Exactly one of `days` and `expires_at`.
                     * @example 365
                     */
                    days?: number;
                    /**
                     * Format: date-time
                     * @description The new expiry, in the future. Exactly one of `days` and `expires_at`.
                     */
                    expires_at?: string;
                } & (unknown | unknown);
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["License"];
                    };
                };
            };
        };
    };
    revokeLicense: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A license.
                 * @example lic_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Kept with the license.
                     * @example Left the school
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["License"];
                    };
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A license.
                 * @example lic_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Devices"];
                    };
                };
            };
        };
    };
    revokeSeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A license.
                 * @example lic_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
                /**
                 * @description An active seat of the license.
                 * @example seat_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                seatId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RevokedSeat"];
                    };
                };
            };
        };
    };
    listExams: {
        parameters: {
            query?: {
                /** @description `svccode` where the exam has a `code_spec`, else `svc`. */
                app?: "svc" | "svccode";
                /** @description Only exams with this status. */
                status?: "draft" | "published" | "closed";
                /**
                 * @description Inclusive. Ask from a minute before the newest `updated_at` that you have seen: changes bear the moment at which their call began. At most 5 minutes ahead.
                 * @example 2026-11-16T00:00:00Z
                 */
                updated_since?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["ExamSummary"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The owner: id or login email of an active faculty member.
                     * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    faculty_id: string;
                    /**
                     * @description Shown to students and guardians.
                     * @example Algebra, midterm
                     */
                    title: string;
                    /**
                     * @description What kind of work it is, for those who read it; the rules are the same for all.
                     * @default exam
                     * @example exam
                     * @enum {string}
                     */
                    exam_type?: "exam" | "homework" | "assignment" | "quiz" | "project";
                    /**
                     * @description Above 0; up to two decimals.
                     * @default 100
                     * @example 100
                     */
                    max_score?: number;
                    /**
                     * Format: date-time
                     * @description A submission after it is late; null: no submission is.
                     * @example 2026-11-20T10:30:00Z
                     */
                    due_date?: string | null;
                    /**
                     * @description A countdown from when the student opens the exam; null: none. A change moves the end of attempts in progress, those of all students: more minutes are added at once, and fewer may end them at once.
                     * @example 90
                     */
                    time_limit_minutes?: number | null;
                    /**
                     * @description Whether work is accepted after `due_date`.
                     * @default false
                     * @example true
                     */
                    allow_late_submission?: boolean;
                    /**
                     * @description Taken off late submissions; up to two decimals.
                     * @default 0
                     * @example 10
                     */
                    late_penalty_percentage?: number;
                    /** @description What the student must grant before the exam opens. Parts left out take `default_proctoring` of the institution config (nothing, unless it says otherwise); in a PATCH they stay. */
                    proctoring?: {
                        /**
                         * @description Whether the student must grant the camera.
                         * @example true
                         */
                        camera?: boolean;
                        /**
                         * @description Whether the student must grant the microphone.
                         * @example false
                         */
                        microphone?: boolean;
                        /**
                         * @description Whether the student must grant the recording of the screen.
                         * @example true
                         */
                        screen?: boolean;
                    };
                    /** @description What the assistant may do. Parts left out take `default_ai_policy` of the institution config (not allowed, unless it says otherwise); in a PATCH they stay. */
                    ai_policy?: {
                        /**
                         * @description False disables the assistant entirely.
                         * @example true
                         */
                        allowed?: boolean;
                        /**
                         * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                         * @example any
                         * @enum {string}
                         */
                        model_tier?: "any" | "cloud" | "local";
                        /**
                         * @description A budget per attempt; null sets none.
                         * @example 20
                         */
                        max_interactions?: number | null;
                    };
                    /** @description Makes it a coding exam. */
                    code_spec?: {
                        /**
                         * @description The version of this format: always 1.
                         * @example 1
                         * @enum {integer}
                         */
                        v: 1;
                        /**
                         * @description The exam brief, in Markdown.
                         * @example # Sum
                         *     Write a function that adds two numbers.
                         */
                        brief_md: string;
                        /**
                         * @description Must be among the institution's `allowed_toolchains`; apps install what a machine lacks.
                         * @example python
                         * @enum {string}
                         */
                        toolchain: "c" | "cpp" | "java" | "python" | "node" | "sqlite";
                        /**
                         * @description What a workspace begins with; empty by default.
                         * @example {
                         *       "kind": "empty"
                         *     }
                         */
                        starter?: {
                            /**
                             * @description Here `zip`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "zip";
                            /**
                             * @description The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam.
                             * @example {
                             *       "id": "file_01jd4k6f2mep2s5xg5yhc8m1zr"
                             *     }
                             */
                            file: {
                                /**
                                 * @description The `id` of the upload's response.
                                 * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                                 */
                                id: string;
                            } | string;
                        } | {
                            /**
                             * @description Here `empty`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "empty";
                        };
                        /**
                         * @description Tests that the student sees.
                         * @example {
                         *       "kind": "inline",
                         *       "files": [
                         *         {
                         *           "path": "tests/test_sum.py",
                         *           "content": "def test_sum(): ...\n"
                         *         }
                         *       ]
                         *     }
                         */
                        sample_tests?: {
                            /**
                             * @description Here `inline`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "inline";
                            /** @description At most 200 files and 1 MiB in all. */
                            files: {
                                /**
                                 * @description Relative, with `/` between its parts and no `..`; no two files have the same.
                                 * @example tests/test_sum.py
                                 */
                                path: string;
                                /**
                                 * @description The text of the file.
                                 * @example def test_sum(): ...
                                 */
                                content: string | "";
                            }[];
                        } | {
                            /**
                             * @description Here `zip`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "zip";
                            /**
                             * @description The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam.
                             * @example {
                             *       "id": "file_01jd4k6f2mep2s5xg5yhc8m1zr"
                             *     }
                             */
                            file: {
                                /**
                                 * @description The `id` of the upload's response.
                                 * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                                 */
                                id: string;
                            } | string;
                        } | null;
                        /**
                         * @description A zip encrypted with AES-256-GCM: ciphertext followed by the tag. Its key is set with PUT /exams/{id}/code-secret.
                         * @example null
                         */
                        hidden_tests?: {
                            /**
                             * @description Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null.
                             * @enum {string}
                             */
                            kind: "zip-encrypted";
                            /**
                             * @description The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam.
                             * @example {
                             *       "id": "file_01jd4k6f2mep2s5xg5yhc8m1zr"
                             *     }
                             */
                            file: {
                                /**
                                 * @description The `id` of the upload's response.
                                 * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                                 */
                                id: string;
                            } | string;
                            /**
                             * @description Base64 of the 12-byte initialisation vector.
                             * @example AAECAwQFBgcICQoL
                             */
                            iv_b64: string;
                            /**
                             * @description Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file.
                             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                             */
                            sha256: string;
                        } | null;
                        /** @description What the app runs; a command that is left out is not there. */
                        commands: {
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example pip install -r {{workspace}}/requirements.txt
                             */
                            setup?: string | null;
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example python {{workspace}}/main.py
                             */
                            run?: string | null;
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example pytest {{workspace}}/tests --junitxml {{results}}/sample.xml
                             */
                            test_sample?: string | null;
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example pytest {{hidden}} --junitxml {{results}}/hidden.xml
                             */
                            test_hidden?: string | null;
                            /**
                             * @description How long one command may run, in ms.
                             * @default 60000
                             * @example 60000
                             */
                            timeout_ms?: number;
                        };
                        /**
                         * @description Enforced on the student's machine; null or left out: the exam's own `ai_policy`.
                         * @example {
                         *       "allowed": false,
                         *       "model_tier": "local"
                         *     }
                         */
                        ai_policy?: {
                            /**
                             * @description False disables the assistant entirely.
                             * @example true
                             */
                            allowed: boolean;
                            /**
                             * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                             * @example any
                             * @enum {string}
                             */
                            model_tier?: "any" | "cloud" | "local";
                        } | null;
                        /**
                         * @description In Markdown; for those who grade: the app does not get it.
                         * @example 2 points for each passed test.
                         */
                        rubric_md?: string | null;
                        /**
                         * @description What is left out of the submitted workspace.
                         * @example [
                         *       "node_modules/**"
                         *     ]
                         */
                        exclude_globs?: string[];
                    } | null;
                    /**
                     * @description False keeps a draft.
                     * @default true
                     * @example false
                     */
                    publish?: boolean;
                    /**
                     * @description Assigns in the same call; of a published exam, students and verified guardians are emailed.
                     * @example [
                     *       "grp_01jd4k6f2mep2s5xg5yhc8m1zr"
                     *     ]
                     */
                    group_ids?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Exam"];
                    };
                };
            };
        };
    };
    getExam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Exam"];
                    };
                };
            };
        };
    };
    deleteExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example exm_01jd4k6f2mep2s5xg5yhc8m1zr */
                            id: string;
                            /**
                             * @example true
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    updateExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The owner: id or login email of an active faculty member.
                     * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    faculty_id?: string;
                    /**
                     * @description Shown to students and guardians.
                     * @example Algebra, midterm
                     */
                    title?: string;
                    /**
                     * @description What kind of work it is, for those who read it; the rules are the same for all.
                     * @example exam
                     * @enum {string}
                     */
                    exam_type?: "exam" | "homework" | "assignment" | "quiz" | "project";
                    /**
                     * @description Above 0; up to two decimals.
                     * @example 100
                     */
                    max_score?: number;
                    /**
                     * Format: date-time
                     * @description A submission after it is late; null: no submission is.
                     * @example 2026-11-20T10:30:00Z
                     */
                    due_date?: string | null;
                    /**
                     * @description A countdown from when the student opens the exam; null: none. A change moves the end of attempts in progress, those of all students: more minutes are added at once, and fewer may end them at once.
                     * @example 90
                     */
                    time_limit_minutes?: number | null;
                    /**
                     * @description Whether work is accepted after `due_date`.
                     * @example true
                     */
                    allow_late_submission?: boolean;
                    /**
                     * @description Taken off late submissions; up to two decimals.
                     * @example 10
                     */
                    late_penalty_percentage?: number;
                    /** @description What the student must grant before the exam opens. Parts left out take `default_proctoring` of the institution config (nothing, unless it says otherwise); in a PATCH they stay. */
                    proctoring?: {
                        /**
                         * @description Whether the student must grant the camera.
                         * @example true
                         */
                        camera?: boolean;
                        /**
                         * @description Whether the student must grant the microphone.
                         * @example false
                         */
                        microphone?: boolean;
                        /**
                         * @description Whether the student must grant the recording of the screen.
                         * @example true
                         */
                        screen?: boolean;
                    };
                    /** @description What the assistant may do. Parts left out take `default_ai_policy` of the institution config (not allowed, unless it says otherwise); in a PATCH they stay. */
                    ai_policy?: {
                        /**
                         * @description False disables the assistant entirely.
                         * @example true
                         */
                        allowed?: boolean;
                        /**
                         * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                         * @example any
                         * @enum {string}
                         */
                        model_tier?: "any" | "cloud" | "local";
                        /**
                         * @description A budget per attempt; null sets none.
                         * @example 20
                         */
                        max_interactions?: number | null;
                    };
                    /** @description Makes it a coding exam. */
                    code_spec?: {
                        /**
                         * @description The version of this format: always 1.
                         * @example 1
                         * @enum {integer}
                         */
                        v: 1;
                        /**
                         * @description The exam brief, in Markdown.
                         * @example # Sum
                         *     Write a function that adds two numbers.
                         */
                        brief_md: string;
                        /**
                         * @description Must be among the institution's `allowed_toolchains`; apps install what a machine lacks.
                         * @example python
                         * @enum {string}
                         */
                        toolchain: "c" | "cpp" | "java" | "python" | "node" | "sqlite";
                        /**
                         * @description What a workspace begins with; empty by default.
                         * @example {
                         *       "kind": "empty"
                         *     }
                         */
                        starter?: {
                            /**
                             * @description Here `zip`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "zip";
                            /**
                             * @description The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam.
                             * @example {
                             *       "id": "file_01jd4k6f2mep2s5xg5yhc8m1zr"
                             *     }
                             */
                            file: {
                                /**
                                 * @description The `id` of the upload's response.
                                 * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                                 */
                                id: string;
                            } | string;
                        } | {
                            /**
                             * @description Here `empty`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "empty";
                        };
                        /**
                         * @description Tests that the student sees.
                         * @example {
                         *       "kind": "inline",
                         *       "files": [
                         *         {
                         *           "path": "tests/test_sum.py",
                         *           "content": "def test_sum(): ...\n"
                         *         }
                         *       ]
                         *     }
                         */
                        sample_tests?: {
                            /**
                             * @description Here `inline`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "inline";
                            /** @description At most 200 files and 1 MiB in all. */
                            files: {
                                /**
                                 * @description Relative, with `/` between its parts and no `..`; no two files have the same.
                                 * @example tests/test_sum.py
                                 */
                                path: string;
                                /**
                                 * @description The text of the file.
                                 * @example def test_sum(): ...
                                 */
                                content: string | "";
                            }[];
                        } | {
                            /**
                             * @description Here `zip`; the other fields depend on it.
                             * @enum {string}
                             */
                            kind: "zip";
                            /**
                             * @description The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam.
                             * @example {
                             *       "id": "file_01jd4k6f2mep2s5xg5yhc8m1zr"
                             *     }
                             */
                            file: {
                                /**
                                 * @description The `id` of the upload's response.
                                 * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                                 */
                                id: string;
                            } | string;
                        } | null;
                        /**
                         * @description A zip encrypted with AES-256-GCM: ciphertext followed by the tag. Its key is set with PUT /exams/{id}/code-secret.
                         * @example null
                         */
                        hidden_tests?: {
                            /**
                             * @description Always `zip-encrypted`: an exam without hidden tests leaves `hidden_tests` out, or has null.
                             * @enum {string}
                             */
                            kind: "zip-encrypted";
                            /**
                             * @description The `file` of the response of POST /exams/{id}/files, or its `ref`; a file of this or another exam.
                             * @example {
                             *       "id": "file_01jd4k6f2mep2s5xg5yhc8m1zr"
                             *     }
                             */
                            file: {
                                /**
                                 * @description The `id` of the upload's response.
                                 * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                                 */
                                id: string;
                            } | string;
                            /**
                             * @description Base64 of the 12-byte initialisation vector.
                             * @example AAECAwQFBgcICQoL
                             */
                            iv_b64: string;
                            /**
                             * @description Hexadecimal SHA-256 of the ciphertext, which must be that of the stored file.
                             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                             */
                            sha256: string;
                        } | null;
                        /** @description What the app runs; a command that is left out is not there. */
                        commands: {
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example pip install -r {{workspace}}/requirements.txt
                             */
                            setup?: string | null;
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example python {{workspace}}/main.py
                             */
                            run?: string | null;
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example pytest {{workspace}}/tests --junitxml {{results}}/sample.xml
                             */
                            test_sample?: string | null;
                            /**
                             * @description Run as written, several lines too; `{{workspace}}`, `{{hidden}}` and `{{results}}` are substituted.
                             * @example pytest {{hidden}} --junitxml {{results}}/hidden.xml
                             */
                            test_hidden?: string | null;
                            /**
                             * @description How long one command may run, in ms.
                             * @default 60000
                             * @example 60000
                             */
                            timeout_ms?: number;
                        };
                        /**
                         * @description Enforced on the student's machine; null or left out: the exam's own `ai_policy`.
                         * @example {
                         *       "allowed": false,
                         *       "model_tier": "local"
                         *     }
                         */
                        ai_policy?: {
                            /**
                             * @description False disables the assistant entirely.
                             * @example true
                             */
                            allowed: boolean;
                            /**
                             * @description `cloud`: hosted models only; `local`: models on the device only; `any`: both.
                             * @example any
                             * @enum {string}
                             */
                            model_tier?: "any" | "cloud" | "local";
                        } | null;
                        /**
                         * @description In Markdown; for those who grade: the app does not get it.
                         * @example 2 points for each passed test.
                         */
                        rubric_md?: string | null;
                        /**
                         * @description What is left out of the submitted workspace.
                         * @example [
                         *       "node_modules/**"
                         *     ]
                         */
                        exclude_globs?: string[];
                    } | null;
                    /**
                     * @description Replaces the assignments.
                     * @example [
                     *       "grp_01jd4k6f2mep2s5xg5yhc8m1zr"
                     *     ]
                     */
                    group_ids?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Exam"];
                    };
                };
            };
        };
    };
    publishExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Exam"];
                    };
                };
            };
        };
    };
    closeExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Exam"];
                    };
                };
            };
        };
    };
    listExamAssignments: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["AssignedGroup"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    assignExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Groups of the institution. No-op for groups that have the exam.
                     * @example [
                     *       "grp_01jd4k6f2mep2s5xg5yhc8m1zr"
                     *     ]
                     */
                    group_ids: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["AssignedGroup"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listExamAttempts: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["ExamAttempt"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listExamScores: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["ExamScore"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getExamAnalytics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ExamAnalytics"];
                    };
                };
            };
        };
    };
    exportExamScores: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, streamed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    unassignExam: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
                /**
                 * @description The group.
                 * @example grp_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                groupId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example grp_01jd4k6f2mep2s5xg5yhc8m1zr */
                            id: string;
                            /**
                             * @example true
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    setCodeSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Base64 of the 32-byte AES key. Sealed before it is kept; never logged, never read back but by a release.
                     * @example AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
                     */
                    hidden_key_b64: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CodeSecretSet"];
                    };
                };
            };
        };
    };
    uploadExamFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file, with a filename.
                     */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StoredFile"];
                    };
                };
            };
        };
    };
    getCodeSecretStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CodeSecretStatus"];
                    };
                };
            };
        };
    };
    releaseCodeSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CodeSecret"];
                    };
                };
            };
        };
    };
    listSubmissions: {
        parameters: {
            query?: {
                /**
                 * @description Only submissions of this exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                exam_id?: string;
                /** @description Only submissions with this status. */
                status?: "submitted" | "graded" | "resubmission_required" | "voided";
                /**
                 * @description Internal id or login email; a text in neither form is a `validation_error`.
                 * @example student1.9f86d081@north.example
                 */
                student_id?: string;
                /**
                 * @description Exclusive, of `updated_at`. Ask from a minute before the newest that you have seen: changes bear the moment at which their call began. At most 5 minutes ahead.
                 * @example 2026-11-20T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["SubmissionSummary"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getSubmission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The submission.
                 * @example sub_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Submission"];
                    };
                };
            };
        };
    };
    listSubmissionEvents: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The submission.
                 * @example sub_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SubmissionEvents"];
                    };
                };
            };
        };
    };
    gradeSubmission: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The submission.
                 * @example sub_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description From 0 to the exam's max_score, with up to two decimals; -1 asks for a resubmission.
                     * @example 80
                     */
                    score: number | -1;
                    /**
                     * @description Replaces earlier feedback; if absent, there is no feedback.
                     * @example Show how you got there.
                     */
                    feedback?: string | null;
                    /**
                     * @description An active faculty member, by id or login email; the exam's owner by default.
                     * @example fac_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    graded_by?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Submission"];
                    };
                };
            };
        };
    };
    voidSubmission: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The submission.
                 * @example sub_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Why; returned as `void_reason`.
                     * @example Handed in for another student.
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Submission"];
                    };
                };
            };
        };
    };
    listGuardians: {
        parameters: {
            query?: {
                /**
                 * @description Internal id or login email; a text in neither form is a `validation_error`.
                 * @example student1.9f86d081@north.example
                 */
                student_id?: string;
                /**
                 * @description Whether the guardian has signed in.
                 * @example true
                 */
                verified?: boolean;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["GuardianLink"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    inviteGuardian: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Internal id or login email.
                     * @example student1.9f86d081@north.example
                     */
                    student_id: string;
                    /**
                     * Format: email
                     * @description An address of the guardian’s own. One address is one guardian, of whom a student has one link.
                     * @example augusta@example.org
                     */
                    guardian_email: string;
                    /**
                     * @description What the guardian is to the student.
                     * @example mother
                     * @enum {string}
                     */
                    guardian_type: "father" | "mother" | "guardian";
                    /**
                     * @description The guardian's name, if you know it.
                     * @example Augusta King
                     */
                    guardian_name?: string | null;
                    /**
                     * @description False by default. A primary guardian takes the place of the primary one before.
                     * @example true
                     */
                    is_primary?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GuardianLink"];
                    };
                };
            };
        };
    };
    removeGuardian: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The guardian link.
                 * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr */
                            id: string;
                            /**
                             * @example true
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                /**
                 * @description Exclusive, of `created_at`: give the newest that you have. At most 5 minutes ahead.
                 * @example 2026-11-16T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["WeeklyReport"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    eraseGuardian: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The guardian link.
                 * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
        };
    };
    getGuardianErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The guardian link.
                 * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
        };
    };
    resendGuardianInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The guardian link.
                 * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GuardianLink"];
                    };
                };
            };
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                /**
                 * @description So many students, 100 at most.
                 * @example 10
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Leader"][];
                        };
                    };
                };
            };
        };
    };
    listCurricula: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Curriculum"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    listEnrollments: {
        parameters: {
            query?: {
                /**
                 * @description The student's internal id or login email; a text in neither form is a `validation_error`.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                student_id?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Enrollment"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    enrollStudents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description A published curriculum.
                     * @example cur_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    curriculum_id: string;
                    /**
                     * @description By internal id or login email; unknown, foreign, repeated and suspended ones are skipped. `no_valid_students` when all are.
                     * @example [
                     *       "stu_01jd4k6f2mep2s5xg5yhc8m1zr",
                     *       "student2.60303ae2@north.example"
                     *     ]
                     */
                    student_ids: string[];
                    /**
                     * @description Minutes a day that count towards the streak; 30 without it.
                     * @example 30
                     */
                    daily_target_minutes?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Enrolled"];
                    };
                };
            };
        };
    };
    getAlphaStudent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["AlphaStudent"];
                    };
                };
            };
        };
    };
    getCurriculum: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the curriculum.
                 * @example cur_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CurriculumDetails"];
                    };
                };
            };
        };
    };
    updateEnrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the enrollment.
                 * @example enr_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `completed` is reached by mastering every concept.
                     * @example paused
                     * @enum {string}
                     */
                    status: "active" | "paused" | "withdrawn";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Enrollment"];
                    };
                };
            };
        };
    };
    listMastery: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["ConceptMastery"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getPoints: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StudentPoints"];
                    };
                };
            };
        };
    };
    awardPoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Negative takes points; not 0.
                     * @example 10
                     */
                    points: number;
                    /**
                     * @description What the points are for.
                     * @example Helped others
                     */
                    note?: string | null;
                    /**
                     * @description Unique in the institution: a repeat of the same award under it is answered as the first time and awards nothing.
                     * @example award-2026-11-20-ada
                     */
                    ref: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["PointsAwarded"];
                    };
                };
            };
        };
    };
    getAllowance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Allowance"];
                    };
                };
            };
        };
    };
    creditMerits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The login email of a student or faculty member; the internal id is taken, too.
                     * @example student1.9f86d081@north.example
                     */
                    email: string;
                    /**
                     * @description Cents; 100 cents are 1 merit.
                     * @example 500
                     */
                    amount_cents: number;
                    /**
                     * @description Kept with the move.
                     * @example Prize of the term
                     */
                    reason?: string | null;
                    /**
                     * @description The caller's own, unique in the institution: what is sent again under it moves nothing again.
                     * @example prize-2026-11-20-ada
                     */
                    ref: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Credit"];
                    };
                };
            };
        };
    };
    listLedger: {
        parameters: {
            query?: {
                /**
                 * @description Exclusive, of `created_at`. At most 5 minutes ahead.
                 * @example 2026-11-20T09:30:00.000Z
                 */
                since?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["LedgerMove"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Login email of a student or faculty member, case-insensitive, percent-encoded or not; or the internal id.
                 * @example student1.9f86d081@north.example
                 */
                email: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Wallet"];
                    };
                };
            };
        };
    };
    listCouponBatches: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["CouponBatchSummary"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    requestCouponBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description For people; need not be unique.
                     * @example Science fair
                     */
                    name: string;
                    /**
                     * @description How many codes are wanted.
                     * @example 100
                     */
                    total_coupons: number;
                    /**
                     * @description What each coupon credits, in cents.
                     * @example 500
                     */
                    value_cents: number;
                    /**
                     * Format: date-time
                     * @description In the future, ten years away at most. Undecided, the request expires then; the coupons of an approved one too.
                     * @example 2031-06-30T22:00:00Z
                     */
                    expiry_date: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CouponBatch"];
                    };
                };
            };
        };
    };
    listCouponRedemptions: {
        parameters: {
            query?: {
                /**
                 * @description Exclusive, of `redeemed_at`: pass the newest that you have seen, and none is missed or repeated. At most 5 minutes ahead.
                 * @example 2026-11-20T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["CouponRedemption"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getCouponBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A coupon batch.
                 * @example cpb_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CouponBatch"];
                    };
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Returns events created after this time, exclusive: pass next_since of the last response, which is always accepted. At most 5 minutes ahead otherwise. */
                since?: string;
                /**
                 * @description An event type, a prefix such as `exam.*`, or `*`. Operational events (`endpoint.*`) are listed only where their type is named.
                 * @example exam.*
                 */
                type?: "*" | "student.*" | "faculty.*" | "license.*" | "exam.*" | "guardian.*" | "alpha.*" | "merits.*" | "coupon.*" | "endpoint.*" | "ping" | "student.created" | "student.updated" | "student.email_mapped" | "faculty.created" | "faculty.profile_completed" | "license.generated" | "license.expired" | "license.device_registered" | "exam.published" | "exam.assigned" | "exam.attempt_started" | "exam.submitted" | "exam.graded" | "guardian.invited" | "guardian.verified" | "alpha.points_awarded" | "alpha.badge_granted" | "merits.credited" | "coupon.batch_requested" | "coupon.batch_approved" | "coupon.redeemed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled";
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Oldest first. */
                            items: components["schemas"]["Event"][];
                            /**
                             * @description Whether further events wait already.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * Format: date-time
                             * @description The newest created_at seen: the next `since`. Null while there is no event and none was passed.
                             * @example 2026-11-21T08:00:00.000Z
                             */
                            next_since: string | null;
                        };
                    };
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["EventType"][];
                        };
                    };
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["WebhookEndpoint"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Public https, without credentials or fragment, port 443 or 1024 to 65535.
                     * @example https://hooks.example.org/institution
                     */
                    url: string;
                    /**
                     * @description Of your choice, such as what receives the events; null for none.
                     * @example Gradebook
                     */
                    description?: string | null;
                    /**
                     * @description `*`, prefixes such as `exam.*`, or exact types; at least one (`events_required`), each kept once. `*` leaves out operational events (`endpoint.*`).
                     * @example [
                     *       "exam.*"
                     *     ]
                     */
                    events: ("*" | "student.*" | "faculty.*" | "license.*" | "exam.*" | "guardian.*" | "alpha.*" | "merits.*" | "coupon.*" | "endpoint.*" | "ping" | "student.created" | "student.updated" | "student.email_mapped" | "faculty.created" | "faculty.profile_completed" | "license.generated" | "license.expired" | "license.device_registered" | "exam.published" | "exam.assigned" | "exam.attempt_started" | "exam.submitted" | "exam.graded" | "guardian.invited" | "guardian.verified" | "alpha.points_awarded" | "alpha.badge_granted" | "merits.credited" | "coupon.batch_requested" | "coupon.batch_approved" | "coupon.redeemed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled")[];
                    /**
                     * @description Deliveries per second at most, first attempts and retries together; further ones wait as `pending`, oldest first. Null: no limit.
                     * @example 20
                     */
                    rate_limit?: number | null;
                    /**
                     * @description Headers that each attempt also has, by name: all of them, in place of the earlier ones; null removes them. At most 10, and 4096 bytes in all. Names that HTTP or this service uses itself are refused. Stored sealed, and shown by name only.
                     * @example {
                     *       "X-Api-Key": "k-7f3a"
                     *     }
                     */
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description `ed25519` adds a signature that anyone can verify with `public_key` and nobody forge; the signatures by the secret stay. `hmac` takes the key away.
                     * @example ed25519
                     * @enum {string}
                     */
                    signature_scheme?: "hmac" | "ed25519";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WebhookEndpointWithSecret"];
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description For example `dead`. `open`: those that have not ended: `pending`, `retrying` or `held`.
                 * @example dead
                 */
                status?: "open" | "pending" | "retrying" | "held" | "delivered" | "dead" | "cancelled";
                /** @description Deliveries to this endpoint. */
                endpoint_id?: string;
                /** @description Deliveries of this event. */
                event_id?: string;
                /**
                 * @description An exact event type, no pattern such as `exam.*`. A `ping` is no delivery.
                 * @example exam.graded
                 */
                event_type?: "student.created" | "student.updated" | "student.email_mapped" | "faculty.created" | "faculty.profile_completed" | "license.generated" | "license.expired" | "license.device_registered" | "exam.published" | "exam.assigned" | "exam.attempt_started" | "exam.submitted" | "exam.graded" | "guardian.invited" | "guardian.verified" | "alpha.points_awarded" | "alpha.badge_granted" | "merits.credited" | "coupon.batch_requested" | "coupon.batch_approved" | "coupon.redeemed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled";
                /**
                 * @description Status code of the last attempt's response, such as `503`, or a class such as `5xx`.
                 * @example 5xx
                 */
                response_code?: string;
                /**
                 * @description Where the last attempt failed; those that are delivered have none.
                 * @example http
                 */
                error_class?: "dns" | "connect" | "tls" | "timeout" | "http" | "blocked";
                /**
                 * @description Sent by this recovery or replay of dead deliveries, its `workflow_id`, or under this `ref` of a replay. `total` is how many it has released so far.
                 * @example rcv_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                sent_by?: string;
                /** @description Created after this moment, exclusively. At most 5 minutes ahead. */
                since?: string;
                /** @description Created up to this moment, inclusively. */
                until?: string;
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["Delivery"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example we_01jd4k6f2mep2s5xg5yhc8m1zr */
                            id: string;
                            /**
                             * @example true
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Public https, without credentials or fragment, port 443 or 1024 to 65535.
                     * @example https://hooks.example.org/institution
                     */
                    url?: string;
                    /**
                     * @description Of your choice, such as what receives the events; null for none.
                     * @example Gradebook
                     */
                    description?: string | null;
                    /**
                     * @description `*`, prefixes such as `exam.*`, or exact types; at least one (`events_required`), each kept once. `*` leaves out operational events (`endpoint.*`).
                     * @example [
                     *       "exam.*"
                     *     ]
                     */
                    events?: ("*" | "student.*" | "faculty.*" | "license.*" | "exam.*" | "guardian.*" | "alpha.*" | "merits.*" | "coupon.*" | "endpoint.*" | "ping" | "student.created" | "student.updated" | "student.email_mapped" | "faculty.created" | "faculty.profile_completed" | "license.generated" | "license.expired" | "license.device_registered" | "exam.published" | "exam.assigned" | "exam.attempt_started" | "exam.submitted" | "exam.graded" | "guardian.invited" | "guardian.verified" | "alpha.points_awarded" | "alpha.badge_granted" | "merits.credited" | "coupon.batch_requested" | "coupon.batch_approved" | "coupon.redeemed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled")[];
                    /**
                     * @description Deliveries per second at most, first attempts and retries together; further ones wait as `pending`, oldest first. Null: no limit.
                     * @example 20
                     */
                    rate_limit?: number | null;
                    /**
                     * @description Headers that each attempt also has, by name: all of them, in place of the earlier ones; null removes them. At most 10, and 4096 bytes in all. Names that HTTP or this service uses itself are refused. Stored sealed, and shown by name only.
                     * @example {
                     *       "X-Api-Key": "k-7f3a"
                     *     }
                     */
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description `ed25519` adds a signature that anyone can verify with `public_key` and nobody forge; the signatures by the secret stay. `hmac` takes the key away.
                     * @example ed25519
                     * @enum {string}
                     */
                    signature_scheme?: "hmac" | "ed25519";
                    /**
                     * @description `paused` holds deliveries and stops their clock; `active` releases them, and reactivates a disabled endpoint.
                     * @example paused
                     * @enum {string}
                     */
                    status?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the delivery.
                 * @example whd_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["DeliveryWithLog"];
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description For how many hours attempts carry the signatures of both secrets.
                     * @default 24
                     * @example 24
                     */
                    grace_hours?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WebhookEndpointWithSecret"];
                    };
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Its sample is sent, as `GET /events/types` shows it.
                     * @default ping
                     * @example exam.graded
                     * @enum {string}
                     */
                    event_type?: "ping" | "student.created" | "student.updated" | "student.email_mapped" | "faculty.created" | "faculty.profile_completed" | "license.generated" | "license.expired" | "license.device_registered" | "exam.published" | "exam.assigned" | "exam.attempt_started" | "exam.submitted" | "exam.graded" | "guardian.invited" | "guardian.verified" | "alpha.points_awarded" | "alpha.badge_granted" | "merits.credited" | "coupon.batch_requested" | "coupon.batch_approved" | "coupon.redeemed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["WebhookTest"];
                    };
                };
            };
        };
    };
    replayDeadDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Dead deliveries created after this moment, exclusively. At most 5 minutes ahead.
                     * @example 2026-11-20T09:30:00Z
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description Created up to this moment, inclusively; without it, up to the newest event.
                     * @example 2026-11-20T11:00:00Z
                     */
                    until?: string;
                    /**
                     * @description Only of these types: exact ones, prefixes such as `exam.*`, or `*`.
                     * @example [
                     *       "student.*",
                     *       "exam.graded"
                     *     ]
                     */
                    event_types?: ("*" | "student.*" | "faculty.*" | "license.*" | "exam.*" | "guardian.*" | "alpha.*" | "merits.*" | "coupon.*" | "endpoint.*" | "ping" | "student.created" | "student.updated" | "student.email_mapped" | "faculty.created" | "faculty.profile_completed" | "license.generated" | "license.expired" | "license.device_registered" | "exam.published" | "exam.assigned" | "exam.attempt_started" | "exam.submitted" | "exam.graded" | "guardian.invited" | "guardian.verified" | "alpha.points_awarded" | "alpha.badge_granted" | "merits.credited" | "coupon.batch_requested" | "coupon.batch_approved" | "coupon.redeemed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled")[];
                    /**
                     * @description Only those whose last attempt was answered so: status codes such as `503`, or classes such as `5xx`.
                     * @example [
                     *       "5xx",
                     *       "429"
                     *     ]
                     */
                    response_codes?: string[];
                    /**
                     * @description Only counts, also for an endpoint that is paused or disabled; nothing is sent.
                     * @default false
                     * @example false
                     */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BulkReplay"];
                    };
                };
            };
        };
    };
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Events that happened after this moment, exclusively. At most 5 minutes ahead.
                     * @example 2026-11-20T09:30:00Z
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description Events that happened up to this moment, inclusively; without it, up to the newest event.
                     * @example 2026-11-20T11:00:00Z
                     */
                    until?: string;
                    /**
                     * @description Only events of these types, of those that the endpoint subscribes to: exact ones, prefixes such as `exam.*`, or `*`.
                     * @example [
                     *       "student.*",
                     *       "exam.graded"
                     *     ]
                     */
                    event_types?: ("*" | "student.*" | "faculty.*" | "license.*" | "exam.*" | "guardian.*" | "alpha.*" | "merits.*" | "coupon.*" | "endpoint.*" | "ping" | "student.created" | "student.updated" | "student.email_mapped" | "faculty.created" | "faculty.profile_completed" | "license.generated" | "license.expired" | "license.device_registered" | "exam.published" | "exam.assigned" | "exam.attempt_started" | "exam.submitted" | "exam.graded" | "guardian.invited" | "guardian.verified" | "alpha.points_awarded" | "alpha.badge_granted" | "merits.credited" | "coupon.batch_requested" | "coupon.batch_approved" | "coupon.redeemed" | "endpoint.failing" | "endpoint.recovered" | "endpoint.disabled")[];
                    /**
                     * @description Only counts, also for an endpoint that is paused or disabled; nothing is sent.
                     * @default false
                     * @example false
                     */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EndpointRecovery"];
                    };
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Id of the delivery.
                 * @example whd_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Makes the replay idempotent: the same ref again for this delivery answers it with `applied: false`. Each delivery has refs of its own.
                     * @example replay-2026-11-20
                     */
                    ref?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["ReplayedDelivery"];
                    };
                };
            };
        };
    };
    getWebhookEndpointStatistics: {
        parameters: {
            query?: {
                /**
                 * @description `24h`: 24 ranges of an hour. `30d`: 30 ranges of 24 hours. Both end with the present hour.
                 * @example 24h
                 */
                period?: "24h" | "30d";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example we_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["EndpointStatistics"];
                    };
                };
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @example ins_01jd4k6f2mep2s5xg5yhc8m1zr */
                            id: string;
                            /**
                             * @example true
                             * @enum {boolean}
                             */
                            deleted: true;
                        };
                    };
                };
            };
        };
    };
    listSandboxEmails: {
        parameters: {
            query?: {
                /**
                 * @description Instead of `page`: `next_cursor` of the last answer, or empty to begin. Valid for 24 hours at least, with the same filters.
                 * @example
                 */
                cursor?: string;
                /**
                 * @description Which page, from 1.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Items a page, 200 at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            items: components["schemas"]["SandboxEmail"][];
                            /**
                             * @description This page, from 1; null in an answer to a `cursor`.
                             * @example 1
                             */
                            page: number | null;
                            /**
                             * @description Items a page.
                             * @example 50
                             */
                            limit: number;
                            /**
                             * @description Items in all, exact; null in an answer to a `cursor`, for which nothing is counted.
                             * @example 1
                             */
                            total: number | null;
                            /**
                             * @description Whether more items follow.
                             * @example false
                             */
                            has_more: boolean;
                            /**
                             * @description The `cursor` that reads on after these items; null at the end.
                             * @example null
                             */
                            next_cursor: string | null;
                        };
                    };
                };
            };
        };
    };
    readSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SandboxClock"];
                    };
                };
            };
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The clock only moves forward.
                     * @example 604800
                     */
                    advance_seconds: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SandboxClock"];
                    };
                };
            };
        };
    };
    redeemSandboxCoupon: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Internal id or generated login email.
                     * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    student_id: string;
                    /**
                     * @description As it was typed: in any case, with or without blanks and hyphens.
                     * @example 7CKR-4MNX-9TWA-3HPF
                     */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Redeemed"];
                    };
                };
            };
        };
    };
    publishSandboxCurriculum: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Shown to students.
                     * @example Fractions
                     */
                    title: string;
                    /**
                     * @description What is learned, in the order in which it is shown.
                     * @example [
                     *       {
                     *         "id": "fractions.reading",
                     *         "title": "Reading fractions",
                     *         "requires": []
                     *       },
                     *       {
                     *         "id": "fractions.adding",
                     *         "title": "Adding fractions",
                     *         "requires": [
                     *           "fractions.reading"
                     *         ]
                     *       },
                     *       {
                     *         "id": "fractions.dividing",
                     *         "title": "Dividing fractions",
                     *         "requires": [
                     *           "fractions.adding"
                     *         ]
                     *       }
                     *     ]
                     */
                    concepts: {
                        /**
                         * @description Unique in the curriculum.
                         * @example fractions.adding
                         */
                        id: string & unknown;
                        /**
                         * @description Shown to students.
                         * @example Adding fractions
                         */
                        title: string;
                        /**
                         * @description Ids of concepts of this curriculum, each once, without circles.
                         * @example []
                         */
                        requires?: (string & unknown)[];
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CurriculumDetails"];
                    };
                };
            };
        };
    };
    startSandboxAttempt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The exam.
                 * @example exm_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Internal id or generated login email.
                     * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    student_id: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["BegunAttempt"];
                    };
                };
            };
        };
    };
    recordSandboxAttemptEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The attempt.
                 * @example att_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What happened in the app. */
                    events: ({
                        /**
                         * @description The client's, unique in the attempt: what is sent again under it is stored once.
                         * @example 5f0c-17
                         */
                        id: string;
                        /**
                         * Format: date-time
                         * @description By the app's clock.
                         * @example 2026-11-20T09:41:07.250Z
                         */
                        at: string;
                        /**
                         * @description What happened.
                         * @example focus_lost
                         * @enum {string}
                         */
                        type: "focus_lost" | "screen_locked" | "screen_unlocked" | "system_suspend" | "system_resume" | "recording_started" | "recording_stopped" | "recorder_error" | "segment_uploaded" | "segment_upload_failed";
                        /** @description Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and below 1e21. */
                        detail?: Record<string, unknown> | null;
                    } | {
                        /**
                         * @description The client's, unique in the attempt: what is sent again under it is stored once.
                         * @example 5f0c-17
                         */
                        id: string;
                        /**
                         * Format: date-time
                         * @description By the app's clock.
                         * @example 2026-11-20T09:41:07.250Z
                         */
                        at: string;
                        /**
                         * @description What happened.
                         * @enum {string}
                         */
                        type: "focus_gained";
                        /** @description Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and below 1e21. */
                        detail: {
                            /**
                             * @description How long the window was without the focus, in seconds.
                             * @example 12.5
                             */
                            away_seconds: number;
                        };
                    } | {
                        /**
                         * @description The client's, unique in the attempt: what is sent again under it is stored once.
                         * @example 5f0c-17
                         */
                        id: string;
                        /**
                         * Format: date-time
                         * @description By the app's clock.
                         * @example 2026-11-20T09:41:07.250Z
                         */
                        at: string;
                        /**
                         * @description What happened.
                         * @enum {string}
                         */
                        type: "sample_tests_run";
                        /** @description Any JSON object: at most 4 KiB serialised, at most 5 levels deep; its numbers 0, or in size at least 0.000001 and below 1e21. */
                        detail: {
                            /**
                             * @description How many sample tests passed.
                             * @example 3
                             */
                            passed: number;
                            /**
                             * @description How many sample tests failed.
                             * @example 3
                             */
                            failed: number;
                        };
                    })[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["RecordedEvents"];
                    };
                };
            };
        };
    };
    uploadSandboxAttemptFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The attempt.
                 * @example att_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file, with a filename.
                     */
                    file: Blob;
                    /**
                     * @description What the student hands in (attachment), or a segment of a recording. Before the file or behind it.
                     * @enum {string}
                     */
                    kind: "attachment" | "recording";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["StoredFile"];
                    };
                };
            };
        };
    };
    submitSandboxAttempt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The attempt.
                 * @example att_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What the student wrote.
                     * @example See the comments in main.py.
                     */
                    text?: string | ("" | null);
                    /**
                     * @description No two have the same name, or are the same file.
                     * @example []
                     */
                    attachments?: {
                        /** @description A file of kind `attachment` that was uploaded to this attempt. */
                        file: {
                            /**
                             * @description Id of the file.
                             * @example file_01jd4k6f2mep2s5xg5yhc8m1zr
                             */
                            id: string;
                        };
                        /**
                         * @description A filename without a path. Of a coding exam: `workspace.zip`, `transcript.json` or `test-results.json`.
                         * @example workspace.zip
                         */
                        name: string;
                    }[];
                    /**
                     * @description Usage data of the app for the attempt: with `kind` svccode for a coding exam, without it for a document exam.
                     * @example {
                     *       "total_interactions": 3,
                     *       "models_used": [
                     *         "local-7b"
                     *       ]
                     *     }
                     */
                    ai_usage_data?: {
                        /**
                         * @description Of a coding exam: always `svccode`.
                         * @example svccode
                         * @enum {string}
                         */
                        kind: "svccode";
                        /**
                         * @description The version of this format: always 1.
                         * @example 1
                         * @enum {integer}
                         */
                        v: 1;
                        /** @description Results of the tests. */
                        tests: {
                            /** @description Null where there are none, or they were not run. */
                            sample: {
                                /**
                                 * @description Tests that passed.
                                 * @example 4
                                 */
                                passed: number;
                                /**
                                 * @description Tests that failed.
                                 * @example 1
                                 */
                                failed: number;
                            } | null;
                            /** @description Null where there are none, or they were not run. */
                            hidden: {
                                /**
                                 * @description Tests that passed.
                                 * @example 4
                                 */
                                passed: number;
                                /**
                                 * @description Tests that failed.
                                 * @example 1
                                 */
                                failed: number;
                                /**
                                 * @description Hexadecimal SHA-256 of the zip of hidden tests.
                                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                                 */
                                hidden_zip_sha256: string;
                                /**
                                 * @description Hexadecimal SHA-256 of the tested workspace.
                                 * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                                 */
                                workspace_sha256: string;
                            } | null;
                        };
                        /** @description By the app's clock. */
                        timing: {
                            /**
                             * Format: date-time
                             * @description When the attempt began.
                             * @example 2026-11-20T09:30:00Z
                             */
                            started_at: string;
                            /**
                             * Format: date-time
                             * @description When the app fetched the hidden-test key; null if it did not.
                             * @example 2026-11-20T10:30:00Z
                             */
                            hidden_released_at: string | null;
                            /**
                             * Format: date-time
                             * @description When the student handed in.
                             * @example 2026-11-20T10:40:00Z
                             */
                            submitted_at: string;
                        };
                        /** @description How the student was away from the window. */
                        focus: {
                            /**
                             * @description How often the window lost the focus.
                             * @example 2
                             */
                            lost_count: number;
                            /**
                             * @description 0, or at least 0.000001.
                             * @example 31.5
                             */
                            lost_seconds: number;
                        };
                        /**
                         * @description The toolchain of the exam.
                         * @example python
                         * @enum {string}
                         */
                        toolchain: "c" | "cpp" | "java" | "python" | "node" | "sqlite";
                        /** @description The app that the student used. */
                        app: {
                            /**
                             * @description Name of the app.
                             * @example svccode
                             */
                            name: string;
                            /**
                             * @description Version of the app.
                             * @example 2.4.1
                             */
                            version: string;
                            /**
                             * @description Operating system and architecture.
                             * @example linux-x64
                             */
                            platform: string;
                        };
                        /**
                         * @description Questions put to the assistant.
                         * @example 12
                         */
                        total_interactions: number;
                        /**
                         * @description The models that answered.
                         * @example [
                         *       "local-7b"
                         *     ]
                         */
                        models_used: string[];
                    } | {
                        /**
                         * @description Questions put to the assistant.
                         * @example 12
                         */
                        total_interactions: number;
                        /**
                         * @description The models that answered.
                         * @example [
                         *       "local-7b"
                         *     ]
                         */
                        models_used: string[];
                    } | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SubmittedVersion"];
                    };
                };
            };
        };
    };
    acceptSandboxInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The guardian link.
                 * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GuardianLink"];
                    };
                };
            };
        };
    };
    signInSandboxGuardian: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The guardian link.
                 * @example gdn_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["GuardianLink"];
                    };
                };
            };
        };
    };
    expireSandboxLicense: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A license.
                 * @example lic_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["License"];
                    };
                };
            };
        };
    };
    signInSandboxStudent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description The address that the student names for the code; required for a student without a mapped personal email, and ignored for others.
                     * @example ada@example.org
                     */
                    personal_email?: string;
                    /**
                     * @description The app that signs in, together with `device`; left out where no seat is to be taken. For students and faculty.
                     * @example svcapp
                     * @enum {string}
                     */
                    app?: "svcapp" | "svccode" | "svcfilm";
                    /** @description The device that the app runs on, together with `app`. */
                    device?: {
                        /**
                         * @description A stable identifier of the device, chosen by the app; two apps on one device must send the same identifier.
                         * @example 0c5b1f6e-4e0c-4c3f-9a53-2f6f6f0f7a10
                         */
                        id: string;
                        /**
                         * @description Shown to the institution.
                         * @example Ada's laptop
                         */
                        name: string;
                        /**
                         * @description Operating system of the device.
                         * @example macos
                         */
                        platform: string;
                        /**
                         * @description The app's own.
                         * @example 2.4.1
                         */
                        app_version: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["SandboxSignIn"];
                    };
                };
            };
        };
    };
    approveSandboxCouponBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A coupon batch.
                 * @example cpb_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Shown with the batch.
                     * @example Agreed for this term
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CouponBatch"];
                    };
                };
            };
        };
    };
    rejectSandboxCouponBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description A coupon batch.
                 * @example cpb_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Shown with the batch.
                     * @example Agreed for this term
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["CouponBatch"];
                    };
                };
            };
        };
    };
    reportSandboxProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the call one that may be repeated: for 24 hours, the same key with the same request gets the stored response, and nothing is done again. Any text of your own, such as a UUID; it belongs to the institution. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Internal id or generated login email.
                 * @example stu_01jd4k6f2mep2s5xg5yhc8m1zr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description One of the student's own.
                     * @example enr_01jd4k6f2mep2s5xg5yhc8m1zr
                     */
                    enrollment_id: string;
                    /**
                     * @description A concept of its curriculum.
                     * @example fractions.adding
                     */
                    concept_id: string;
                    /**
                     * @description Of 100, with up to two decimals.
                     * @example 92.5
                     */
                    score: number;
                    /**
                     * @description That the work took. They count for today, in the institution's time zone.
                     * @example 12
                     */
                    minutes: number;
                    /**
                     * @description Unique for the student: a repeat of the same progress under it changes nothing.
                     * @example session-2026-11-20-7
                     */
                    ref: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: components["schemas"]["Progress"];
                    };
                };
            };
        };
    };
}
